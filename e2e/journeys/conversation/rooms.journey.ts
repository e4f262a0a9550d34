import { MessageType } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { addAccount } from '../../support/add-account.ts'
import {
  browserOf,
  PASSWORD,
  phone,
  expectCleanConsole,
  shareCode,
  signIn,
  storeSession,
  signUp,
  t,
  messageLog,
  wordsIn,
  write,
} from '../../support/people.ts'
import { signUp as signUpClient } from '../../support/client.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
})
test.afterAll(() => server.remove())

const list = (page: Page) => page.getByRole('region', { name: t('chat.rooms') })
const row = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
const enter = async (page: Page, name: string) => {
  await row(page, name).getByRole('link').click()
  await expect(messageLog(page)).toBeVisible()
}
const whisper = async (page: Page, text: string) => {
  await page.getByLabel(t('desk.whisper_write')).fill(text)
  await page.getByLabel(t('desk.whisper_write')).press('Enter')
  await expect(page.getByLabel(t('desk.whisper_write'))).toHaveValue('')
}

test('[CHAT-08] [ROOM-13] two operators and a member: waiting, assignment, internal notes, and ticks', async ({
  browser,
}) => {
  const [dora, carl, ann] = await Promise.all([
    browserOf(browser, server),
    browserOf(browser, server),
    browserOf(browser, server),
  ])
  await signIn(dora, 'dora', PASSWORD)
  await addAccount(server, 'cs', 'carl', { under: 'dora' })
  await storeSession(carl, 'carl', PASSWORD)
  await signUp(ann, shareCode(dora), 'anne88')
  const ben = await browserOf(browser, server)
  await signUp(ben, shareCode(dora), 'benny8')

  await test.step('waiting members are counted on every page and first in the list', async () => {
    await write(ann, 'is anyone there?')
    await write(ben, 'me too')
    await expect(dora).toHaveTitle(/^\(2\) /)
    await expect(dora.locator('link[rel=icon]')).toHaveAttribute('href', '/icon-dot.svg')
    await dora.goto('/chat/messaging')
    await expect(row(dora, 'anne88').locator('.room-waiting')).toBeVisible()
    await expect(list(dora).getByRole('listitem').first()).toContainText('anne88')
    await dora.getByRole('button', { name: t('chat.longest_first') }).click()
    await expect(list(dora).getByRole('listitem').first()).toContainText('benny8')
  })

  await test.step('one takes it; the other reads along, whispers, and cannot write to the member', async () => {
    await enter(dora, 'anne88')
    await dora.getByRole('button', { name: t('desk.take'), exact: true }).click()
    await expect(dora.getByText(t('desk.said_taken', { name: 'dora' }))).toBeVisible()
    await carl.goto('/chat/messaging')
    await enter(carl, 'anne88')
    await expect(carl.getByLabel(t('message.write'))).toHaveCount(0)
    await expect(dora.getByText(t('desk.looking', { names: 'carl' }))).toBeAttached()
    // Letters typed in a colleague's room reach nobody (CONV-05).
    await expect(carl.locator('.room-window').getByRole('textbox')).toHaveCount(0)
    await carl.getByRole('button', { name: t('desk.whisper'), exact: true }).click()
    await whisper(carl, 'she asked yesterday too')
    await expect(messageLog(dora).getByText('she asked yesterday too')).toBeVisible()
    await ann.getByLabel(t('message.write')).pressSequentially('hm')
    await expect(carl.getByText(t('desk.typing', { name: 'anne88' }))).toBeVisible()
    await ann.getByLabel(t('message.write')).fill('')
    await dora.getByLabel(t('message.write')).pressSequentially('o')
    await expect(ann.getByText(t('desk.typing', { name: 'dora' }))).toBeVisible()
    await write(dora, 'one moment')
    await expect(messageLog(ann).getByText('one moment')).toBeVisible()
    await expect(row(dora, 'anne88').locator('.room-waiting')).toHaveCount(0)
  })

  await test.step('the member never sees any of it, live or loaded', async () => {
    await ann.reload()
    await expect(messageLog(ann).getByText('one moment')).toBeVisible()
    for (const secret of ['yesterday', 'carl', t('desk.said_taken', { name: 'dora' })])
      await expect(ann.getByText(secret)).toHaveCount(0)
  })

  await test.step('ticks: delivered while the member’s page is hidden, read when it is visible', async () => {
    await expect(messageLog(dora).getByText(t('message.read'))).toBeAttached()
    await ann.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await write(dora, 'have a look')
    await expect(messageLog(dora).getByText(t('message.delivered'))).toBeAttached()
    await ann.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect(messageLog(dora).getByText(t('message.read'))).toHaveCount(2)
  })

  await test.step('handing over and taking over', async () => {
    await dora.locator('.room-owner').click()
    await dora.getByRole('radio', { name: /carl/ }).check()
    await dora.getByRole('button', { name: t('desk.hand_over') }).click()
    await expect(carl.getByText(t('desk.handed_you', { name: 'dora', member: 'anne88' }))).toBeVisible()
    // Still writing a note: the box does not change under his hands.
    await expect(carl.getByLabel(t('desk.whisper_write'))).toBeVisible()
    await carl.getByRole('button', { name: t('desk.reply'), exact: true }).click()
    await write(carl, 'now it is me')
    await expect(messageLog(ann).getByText('now it is me')).toBeVisible()
    await expect(dora.getByText(t('desk.answers_here', { name: 'carl' }))).toBeVisible()
  })

  await test.step('mark as unread, and done without an answer', async () => {
    await enter(dora, 'benny8')
    await dora.getByRole('button', { name: t('desk.done'), exact: true }).click()
    await expect(row(dora, 'benny8').locator('.room-waiting')).toHaveCount(0)
    await dora.keyboard.press('Alt+U')
    await expect(dora).toHaveTitle(/^\(1\) /)
    await dora.getByRole('button', { name: t('chat.only_unread') }).click()
    await expect(list(dora).getByRole('listitem')).toHaveCount(1)
    await enter(dora, 'benny8')
    await expect(dora).not.toHaveTitle(/^\(/)
  })

  for (const page of [dora, carl, ann, ben]) expectCleanConsole(page)
})

const codeOf = async (member: Awaited<ReturnType<typeof signUpClient>> | undefined) =>
  (await member?.call('room/list', {}))?.data[0]?.code ?? ''

test('[CHAT-04] fifty rooms at once: all matches are hidden and restored', async ({ browser }) => {
  const dora = await browserOf(browser, server)
  await storeSession(dora, 'dora', PASSWORD)
  const share = shareCode(dora)
  await dora.goto('/chat/messaging')
  const members: Awaited<ReturnType<typeof signUpClient>>[] = []
  for (let n = 0; n < 50; n++) members.push(await signUpClient(server.url, share, `crowd${String(n).padStart(2, '0')}`))
  const speak = async (member: (typeof members)[number], n: number) => {
    const code = await codeOf(member)
    for (const content of ['hello', `I am number ${n}`])
      await member.call('sendMessage', { code, type: MessageType.text, content })
  }
  await Promise.all(members.slice(0, 49).map(speak))
  await speak(members[49]!, 49)
  await list(dora).getByRole('searchbox').fill('crowd')
  await expect(list(dora).getByText(t('chat.room_count', { n: 50 }))).toBeAttached()

  await list(dora)
    .getByRole('button', { name: t('chat.select_some') })
    .click()
  await list(dora)
    .getByRole('checkbox', { name: t('chat.select_all') })
    .check()
  await expect(list(dora).getByText(t('chat.selected', { n: 50 }))).toBeVisible()
  await list(dora)
    .getByRole('button', { name: t('chat.mark_read') })
    .click()
  await expect(dora.getByText(t('chat.done_read', { n: 50 }))).toBeVisible()
  // The act has ended the select mode.
  await list(dora)
    .getByRole('button', { name: t('chat.select_some') })
    .click()
  await list(dora)
    .getByRole('checkbox', { name: t('chat.select_all') })
    .check()
  await list(dora)
    .getByRole('button', { name: t('chat.hide'), exact: true })
    .click()
  await expect(dora.getByText(t('chat.done_hide', { n: 50 }))).toBeVisible()
  await expect(list(dora).getByRole('checkbox', { name: t('chat.select', { name: 'crowd00' }) })).toHaveCount(0)
  await dora.getByRole('button', { name: t('action.undo') }).click()
  await expect(list(dora).getByText(t('chat.room_count', { n: 50 }))).toBeAttached()

  // The same on a phone, in dark mode and Chinese.
  const small = await browserOf(browser, server, { ...phone, colorScheme: 'dark' })
  const words = wordsIn('zh-TW')
  await small.addInitScript(() => localStorage.setItem('locale', 'zh-TW'))
  await signIn(small, 'dora', PASSWORD, '/chat/messaging')
  await small.getByRole('button', { name: words('chat.longest_first') }).click()
  await expect(small.getByText('crowd49', { exact: true })).toBeVisible()

  // Back from a room opened far down, the list keeps its scroll position and the focus is on the room’s row.
  const rows = small.locator('.room-rows')
  const scrollTop = () => rows.evaluate((element) => element.scrollTop)
  const go = (top: number) => rows.evaluate((element, to) => element.scrollTo(0, to), top)
  await go(1500)
  const far = small.locator('li[aria-posinset="26"]').getByRole('link')
  await far.focus()
  const before = await scrollTop()
  expect(before).toBeGreaterThan(1000)
  await small.keyboard.press('Enter')
  await expect(messageLog(small)).toBeVisible()
  await small.getByRole('link', { name: words('action.back') }).click()
  await expect(far).toBeFocused()
  await expect.poll(scrollTop).toBe(before)
  await go(0)

  await small.getByText('crowd49', { exact: true }).click()
  await small.getByRole('button', { name: words('desk.take'), exact: true }).click()
  await small.getByRole('button', { name: words('desk.whisper') }).click()
  await small.getByLabel(words('desk.whisper_write')).fill('只有我們看得到')
  await small.getByLabel(words('desk.whisper_write')).press('Enter')
  await expect(messageLog(small).getByText('只有我們看得到')).toBeVisible()
  await dora.getByRole('button', { name: t('chat.longest_first') }).click()
  await list(dora).getByText('crowd49', { exact: true }).click()
  await expect(messageLog(dora).getByText('只有我們看得到')).toBeVisible()

  // A draft stays with its room when keys go to another room and after a reload, and is on the other device too.
  await dora.locator('.room-owner').click()
  await dora.getByRole('button', { name: t('desk.release') }).click()
  await expect(dora.getByRole('dialog')).toHaveCount(0)
  await dora.getByLabel(t('message.write')).pressSequentially('half a sent')
  await dora.keyboard.press('Alt+ArrowDown')
  await expect(dora).not.toHaveURL(new RegExp(`${await codeOf(members[49])}$`))
  await expect(dora.getByLabel(t('message.write'))).toHaveValue('')
  await write(dora, 'to the next one')
  await expect(messageLog(dora).getByText('to the next one')).toBeVisible()
  await small.goto('/chat/messaging')
  await small.getByRole('button', { name: words('chat.longest_first') }).click()
  await expect(small.getByText(words('message.draft', { text: 'half a sent' }))).toBeVisible()
  await dora.keyboard.press('Alt+ArrowDown')
  await expect(dora.getByLabel(t('message.write'))).toHaveValue('half a sent')
  await dora.reload()
  await expect(dora.getByLabel(t('message.write'))).toHaveValue('half a sent')
  const { messages } = await members[49]!.call('room/history', { code: await codeOf(members[49]) })
  expect(messages.map(({ content }) => content)).toEqual(['hello', 'I am number 49'])
  await write(dora, 'a whole sentence')
  await expect(small.getByText(words('message.draft', { text: 'half a sent' }))).toHaveCount(0)
  await dora.getByRole('log').focus()
  await dora.keyboard.press('?')
  await expect(dora.getByRole('dialog').getByText(t('keys.waiting'), { exact: true })).toBeVisible()
  await dora.keyboard.press('Enter')
  await expect(dora.getByRole('dialog')).toHaveCount(0)
  await dora.keyboard.press('Alt+K')
  await expect(list(dora).getByRole('searchbox')).toBeFocused()
  expectCleanConsole(dora)
  expectCleanConsole(small)
})
