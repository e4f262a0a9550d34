/// <reference lib="dom" />
import { MessageType } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { faultsOf } from '../../support/page/axe.ts'
import { type Client, signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { browserOf, PASSWORD, phone, expectCleanConsole, signUp, t, messageLog, write } from '../../support/people.ts'
import { signedIn } from '../../support/signed-in.ts'
import { addAccount } from '../../support/add-account.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let dora: Client
let shareCode = ''
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  dora = await clientOf(server.url, 'dora', PASSWORD)
  ;({ share_code: shareCode } = await dora.call('user/view', {}))
})
test.afterAll(() => server.remove())

const roomOf = async (username: string) => {
  const room = (await dora.call('room/list', {})).data.find((one) => one.partner_username === username)
  return { code: room?.code ?? '', path: `/chat/messaging/${room?.room_id}/${room?.member_id}/${room?.code}` }
}
/** A member without a page, with the room that the office opens. */
const member = async (username: string) => {
  const client = await memberOf(server.url, shareCode, username)
  const { code, path } = await roomOf(username)
  const say = (content: string) => client.call('sendMessage', { code, type: MessageType.text, content })
  return { client, code, path, say }
}
const bubble = (page: Page, text: string) => messageLog(page).locator('.c-row[data-seq]').filter({ hasText: text })
const bar = (page: Page) => page.locator('.c-quote-bar')
const box = (page: Page) => page.getByLabel(t('message.write'))
/** The menu of a message, by mouse. */
const act = async (page: Page, text: string, name: string) => {
  await bubble(page, text).last().hover()
  await bubble(page, text)
    .last()
    .getByRole('button', { name: t('message.actions') })
    .click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
}
/** The violations that axe finds in the room, in light and dark. */
const faults = async (page: Page) => {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
    found.push(...(await faultsOf(page, { within: '.c-room' })).map((fault) => `${colorScheme}: ${fault}`))
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return found
}
/** A moving finger, as a phone reports it. */
const finger = async (page: Page, text: string, by: number, restMs = 0) => {
  const rect = await bubble(page, text).last().locator('.c-bubble').boundingBox()
  if (!rect) throw new Error(`no bubble says ${text}`)
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2]
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', to?: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: to === undefined ? [] : [{ x: to, y }] })
  await touch('touchStart', x)
  for (let step = 1; step <= 8; step++) if (by) await touch('touchMove', x + (by * step) / 8)
  if (restMs) await page.waitForTimeout(restMs)
  await touch('touchEnd')
}

test('[CONV-09] [CONV-03] the office quotes by menu and by key, Esc removes it, the draft keeps it', async ({
  browser,
}) => {
  const ann = await member('annquote')
  await ann.say('Hi, I sent the transfer this morning.')
  await ann.say('Is it there?')
  const page = await signedIn(browser, server, 'dora')
  await page.goto(ann.path)
  await expect(bubble(page, 'Is it there?')).toBeVisible()

  await act(page, 'I sent the transfer', t('message.quote'))
  await expect(bar(page)).toContainText(t('message.quoting', { name: 'annquote' }))
  await expect(bar(page)).toContainText('Hi, I sent the transfer this morning.')
  await expect(box(page)).toBeFocused()
  await box(page).press('Escape')
  await expect(bar(page)).toHaveCount(0)

  await page.keyboard.press('Alt+KeyQ')
  await expect(bar(page)).toContainText('Is it there?')
  await page.keyboard.press('Alt+KeyQ')
  await expect(bar(page)).toContainText('this morning')
  await page.keyboard.type('Thank you, it is')
  // After another room and back, text and quote are still there.
  await page.goto('/chat/messaging')
  await page.goto(ann.path)
  await expect(box(page)).toHaveValue('Thank you, it is')
  await expect(bar(page)).toContainText('this morning')
  await box(page).press('Enter')
  await expect(bar(page)).toHaveCount(0)
  const sent = bubble(page, 'Thank you, it is')
  await expect(sent.locator('.c-quote')).toContainText('annquote')
  const { messages } = await ann.client.call('room/enter', { code: ann.code })
  expect(messages.at(-1)).toMatchObject({ content: 'Thank you, it is', quote: { seq: 1, is_self: true } })
  await page.keyboard.press('Alt+KeyQ')
  await act(page, 'Is it there?', t('message.quote'))
  expect(await faults(page)).toEqual([])
  expectCleanConsole(page)
})

test('[CONV-09] a quote leads to the original, also when it is further back than the loaded messages', async ({
  browser,
}) => {
  const ben = await member('benquote')
  const first = await ben.say('the very first')
  for (let n = 1; n <= 70; n++) await ben.say(`line ${n}.`)
  const near = (await ben.client.call('room/history', { code: ben.code, around: 48, per_page: 1 })).messages[0]
  const answer = (content: string, quote: string) =>
    dora.call('sendMessage', { code: ben.code, type: MessageType.text, content, quote })
  await answer('about a near one', near?.message_id ?? '')
  await answer('about the first one', first.message_id)
  const page = await signedIn(browser, server, 'dora')
  await page.goto(ben.path)
  await bubble(page, 'about a near one').locator('button.c-quote').click()
  const original = messageLog(page)
    .locator('.c-slot')
    .filter({ hasText: near?.content ?? '-' })
  await expect(original.first()).toHaveAttribute('data-flash', 'true')
  await expect(original.first()).toBeInViewport()
  await page.getByRole('button', { name: t('room.to_end') }).click()
  await bubble(page, 'about the first one').locator('button.c-quote').click()
  await expect(messageLog(page).getByText('the very first', { exact: true })).toBeInViewport()
  await page.getByRole('button', { name: t('room.to_end') }).click()
  await expect(bubble(page, 'about the first one')).toBeInViewport()
  expectCleanConsole(page)
})

test('[CONV-09] [CONV-10] a member swipes to quote and holds to take back, on a phone', async ({ browser }) => {
  const page = await browserOf(browser, server, phone)
  await signUp(page, shareCode, 'cleoquote')
  const { code } = await roomOf('cleoquote')
  await dora.call('sendMessage', { code, type: MessageType.text, content: 'Which bank was it?' })
  await expect(bubble(page, 'Which bank')).toBeVisible()
  await finger(page, 'Which bank', 30)
  await expect(bar(page)).toHaveCount(0)
  await finger(page, 'Which bank', 90)
  await expect(bar(page)).toContainText('Which bank was it?')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await write(page, 'The blue one')
  await expect(bubble(page, 'The blue one').locator('.c-quote')).toContainText('Which bank')

  await finger(page, 'The blue one', 0, 700)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('message.take_back') })
    .click()
  await expect(messageLog(page).getByText(t('message.taken_back'))).toBeVisible()
  await expect(messageLog(page).getByText('The blue one')).toHaveCount(0)
  const { messages } = await dora.call('room/enter', { code })
  expect(messages.at(-1)).toMatchObject({ content: '', taken_back: 1 })
  expectCleanConsole(page)
})

test('[CONV-10] the other side sees it at once, the list says so, and the head reads the original', async ({
  browser,
}) => {
  const eve = await member('evequote')
  const oops = await eve.say('my password is hunter2')
  await dora.call('sendMessage', {
    code: eve.code,
    type: MessageType.text,
    content: 'Careful!',
    quote: oops.message_id,
  })
  const page = await signedIn(browser, server, 'dora')
  await page.goto(eve.path)
  await expect(bubble(page, 'Careful!').locator('.c-quote')).toContainText('hunter2')
  await page.keyboard.press('Alt+KeyQ')
  await expect(bar(page)).toContainText('hunter2')
  await eve.client.call('message/takeBack', { code: eve.code, message_id: oops.message_id })
  await expect(page.getByText('hunter2')).toHaveCount(0)
  await expect(bar(page)).toContainText(t('message.taken_back'))
  await expect(bubble(page, 'Careful!').locator('.c-quote')).toContainText(t('message.taken_back'))

  await test.step('a draft that quotes it is not sent, and is kept', async () => {
    await page.keyboard.type('Please change it')
    await box(page).press('Enter')
    await expect(messageLog(page).getByText(t('message.quote_taken_back'))).toBeVisible()
    await page.getByRole('button', { name: t('message.send_unquoted') }).click()
    await expect(bubble(page, 'Please change it')).toBeVisible()
    await expect(bubble(page, 'Please change it').locator('.c-quote')).toHaveCount(0)
  })

  expect(await faults(page)).toEqual([])

  await test.step('the head reads the original', async () => {
    await messageLog(page)
      .getByRole('button', { name: t('message.view_original') })
      .click()
    await expect(page.getByRole('dialog')).toContainText('my password is hunter2')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('action.close') })
      .last()
      .click()
    await expect(page.getByText('hunter2')).toHaveCount(0)
  })

  await test.step('a visible search result disappears too', async () => {
    const word = await eve.say('a rare word: zyzzyva')
    await page.getByRole('searchbox').first().fill('zyzzyva')
    const hit = page.locator('mark').filter({ hasText: 'zyzzyva' })
    await expect(hit.first()).toBeVisible()
    await eve.client.call('message/takeBack', { code: eve.code, message_id: word.message_id })
    await expect(hit).toHaveCount(0)
    await page.getByRole('searchbox').first().fill('')
  })

  await test.step('an own message is taken back from the menu, and the list says so', async () => {
    await act(page, 'Please change it', t('message.take_back'))
    await expect(messageLog(page).getByText('Please change it')).toHaveCount(0)
    const row = page.getByRole('region', { name: t('chat.rooms') }).getByRole('listitem')
    await expect(row.filter({ hasText: 'evequote' })).toContainText(t('message.taken_back'))
    // Messages of others have no such menu item.
    await eve.say('and this?')
    await bubble(page, 'and this?').hover()
    await bubble(page, 'and this?')
      .getByRole('button', { name: t('message.actions') })
      .click()
    await expect(page.getByRole('dialog').getByRole('button', { name: t('message.quote') })).toBeVisible()
    await expect(page.getByRole('dialog').getByRole('button', { name: t('message.take_back') })).toHaveCount(0)
  })
  expectCleanConsole(page)
})
