/// <reference lib="dom" />
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '../../support/page/axe.ts'
import { type Client, signIn as clientOf, signUp } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  PASSWORD,
  phone,
  expectCleanConsole,
  signIn,
  t,
  messageLog,
  wordsIn,
  write,
  storeSession,
} from '../../support/people.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let dora: Client
const members: Record<string, Client & { id: number }> = {}
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'agent', 'dian', { under: 'dora' })
  await addAccount(server, 'cs', 'help1', { under: 'dora' })
  dora = await clientOf(server.url, 'dora', PASSWORD)
  const { share_code } = await dora.call('user/view', {})
  const names = Array.from({ length: 21 }, (_, at) => `m${String(at + 1).padStart(2, '0')}aa`)
  for (const name of ['ann88', 'ben777', ...names]) members[name] = await signUp(server.url, share_code, name)
})
test.afterAll(() => server.remove())

const contact = (page: Page, name: string) => page.locator('.contact-row').filter({ hasText: name })
const profileOf = (page: Page, name: string) => page.getByRole('button', { name: t('contact.profile_of', { name }) })

test('[CONT-01] [CONT-02] [CONT-04] [ROOM-01] contacts: search, pages, an own name, and a conversation', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'help1', PASSWORD, '/chat/messaging')
  await page.getByRole('link', { name: t('contact.title') }).click()
  await page.waitForURL('**/chat/contact')

  await test.step('ten a page, agents first', async () => {
    await expect(page.getByRole('heading', { name: t('contact.agents') })).toBeVisible()
    await expect(contact(page, 'dian')).toBeVisible()
    await expect(page.locator('.contact-row')).toHaveCount(10)
    await expect(page.getByText(t('contact.page', { n: 1, pages: 3 }))).toBeVisible()
    await expect(page.getByRole('button', { name: t('contact.previous') })).toBeDisabled()
    await page.getByRole('button', { name: t('contact.next') }).dblclick()
    await expect(page.locator('.contact-row')).toHaveCount(4)
    await expect(page.getByRole('button', { name: t('contact.next') })).toBeDisabled()
    await expectAccessible(page)
  })

  const search = page.getByRole('searchbox', { name: t('contact.search') })
  await test.step('a search goes to the first page of the contacts in use', async () => {
    await page.getByRole('button', { name: t('contact.aside') }).click()
    await expect(page.getByText(t('contact.not_found'))).toBeVisible()
    await search.fill('ENN')
    await search.press('Enter')
    await expect(page.getByText(t('contact.not_found'))).toBeVisible()
    await search.fill('BEN')
    await search.press('Enter')
    await expect(page.locator('.contact-row')).toHaveCount(1)
    await expect(page.getByRole('button', { name: t('contact.kept') })).toHaveAttribute('aria-pressed', 'true')
    await page.getByLabel(t('contact.fuzzy')).uncheck()
    await expect(page.getByText(t('contact.not_found'))).toBeVisible()
    await search.fill('BEN777')
    await search.press('Enter')
    await expect(contact(page, 'ben777')).toBeVisible()
  })

  await test.step('the profile sets our own name for the contact, which is shown in the list of conversations', async () => {
    await profileOf(page, 'ben777').click()
    const profile = page.getByRole('article')
    await profile.getByLabel(t('contact.our_name')).fill('คุณเบน')
    await profile.getByRole('button', { name: t('action.save') }).click()
    await expect(page.getByRole('heading', { name: 'คุณเบน' })).toBeVisible()
    await expectAccessible(page)
    await contact(page, 'คุณเบน').click()
    await page.waitForURL(/\/chat\/messaging\/\d+\/\d+\/friend\/\d+$/)
    await write(page, 'Hello Ben')
    await expect(messageLog(page).getByText('Hello Ben')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: /คุณเบน/ })).toBeVisible()
  })

  await test.step('a removed contact is found among the removed and put back', async () => {
    await page.goto('/chat/contact?username=ann88')
    await profileOf(page, 'ann88').click()
    await page.getByRole('button', { name: t('contact.remove') }).click()
    await expect(page.getByText(t('contact.not_found'))).toBeVisible()
    await page.getByRole('button', { name: t('contact.put_back') }).click()
    await expect(contact(page, 'ann88')).toBeVisible()
  })

  await test.step('a room without messages is created by entering it', async () => {
    await page.goto('/chat/contact?username=dian')
    await contact(page, 'dian').click()
    await page.waitForURL(/\/chat\/messaging\/[1-9]\d*\/\d+\/friend\/\d+$/)
    await write(page, 'Hello agent')
    await expect(messageLog(page).getByText('Hello agent')).toBeVisible()
    await expect(page.getByRole('button', { name: t('room.points') })).toHaveCount(0)
  })
  expectCleanConsole(page)
  // A page with the room open would mark its messages as read.
  await page.context().close()
})

test('[CONT-03] [CONT-04] [ROOM-14] the friend redirect, and rooms without their numbers', async ({ browser }) => {
  const page = await browserOf(browser, server)
  const notes: string[] = []
  page.on('console', (line) => line.type() === 'info' && notes.push(line.text()))
  await storeSession(page, 'dora', PASSWORD)
  const { id = 0 } = members.m01aa ?? {}
  const names = ['friend?username=m01aa', 'friend?username=M01', `friend?friend_id=${id}`, `contact?friend_id=${id}`]
  for (const query of names) {
    await page.goto(`/chat/${query}`)
    await page.waitForURL(new RegExp(`/chat/messaging/[1-9]\\d*/${id}/friend/${id}$`))
    await expect(page.getByRole('heading', { level: 1, name: /m01aa/ })).toBeVisible()
  }
  for (const query of ['username=nobody99', 'friend_id=99999999', '']) {
    await page.goto(`/chat/friend?${query}`)
    await page.waitForURL(/\/chat\/contact/)
    await expect(page.getByRole('search')).toBeVisible()
  }
  expect(notes).toEqual([])
  for (const path of ['undefined/undefined', '0/0', 'NaN/7/friend/undefined']) {
    await page.goto(`/chat/messaging/${path}`)
    await expect(page.getByText(t('chat.pick'))).toBeVisible()
    await expect.poll(() => notes.length).toBe(1)
    await expect(page.getByRole('alert')).toHaveCount(0)
    notes.length = 0
  }
  expectCleanConsole(page)
})

test('[CHAT-10] an agent and its upline’s customer service, live in both directions', async ({ browser }) => {
  const dian = await browserOf(browser, server, phone)
  const help = await browserOf(browser, server)
  await storeSession(dian, 'dian', PASSWORD)
  await storeSession(help, 'help1', PASSWORD)
  await dian.goto('/customer_service_chat')
  await expect(dian.getByRole('heading', { name: /dora/ })).toBeVisible()
  // The room has the whole page: a title of the frame would stand beside it.
  await expect(dian.getByRole('heading', { level: 1 })).toHaveCount(1)
  await help.goto('/chat/messaging')
  await write(dian, 'May I have more credit?')
  const row = help.locator('.room-row').filter({ hasText: 'dian' })
  await expect(row).toContainText('May I have more credit?')
  await expect(row.getByText(t('chat.unread', { n: 1 }))).toBeAttached()
  await row.getByRole('link').click()
  await expect(messageLog(help).getByText('May I have more credit?')).toBeVisible()
  await write(help, 'Of course.')
  await expect(messageLog(dian).getByText('Of course.')).toBeVisible()
  await expectAccessible(dian)

  await dian.goto('/index')
  await write(help, 'Done.')
  await dian.getByRole('button', { name: t('shell.more') }).click()
  const link = dian.getByRole('link', { name: new RegExp(t('menu.customer_service_chat')) })
  await expect(link).toContainText('1')
  await link.click()
  await expect(messageLog(dian).getByText('Done.')).toBeVisible()
  // The agent’s own list shows only its own members.
  await dian.goto('/chat/messaging')
  await expect(dian.getByText(t('chat.empty'))).toBeVisible()
  for (const page of [dian, help]) expectCleanConsole(page)
})

test('[CONT-01] [CONT-02] contacts on a phone, in Traditional Chinese', async ({ browser }) => {
  const words = wordsIn('zh-TW')
  const page = await browserOf(browser, server, phone)
  await page.addInitScript(() => localStorage.setItem('locale', 'zh-TW'))
  await signIn(page, 'dora', PASSWORD, '/chat/contact')
  await expect(page.locator('.contact-row')).toHaveCount(10)
  const first = page.locator('.contact-line').first().getByRole('button')
  await first.click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('link', { name: words('contact.talk') })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(first).toBeFocused()
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
  expectCleanConsole(page)
})
