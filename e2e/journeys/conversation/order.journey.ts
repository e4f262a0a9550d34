/// <reference lib="dom" />
import { MessageType, RoomStatus } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { type Client, signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, PASSWORD, phone, expectCleanConsole, signIn, t } from '../../support/people.ts'
import { LONG, looksIn } from '../../support/long.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let dora: Client
const members: Record<string, Client> = {}
const say = async (name: string, content: string) => {
  const member = members[name]
  const code = (await member?.call('room/list', {}))?.data[0]?.code ?? ''
  await member?.call('sendMessage', { code, type: MessageType.text, content })
}
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  dora = await clientOf(server.url, 'dora', PASSWORD)
  const { share_code } = await dora.call('user/view', {})
  for (const name of ['anna1', 'bert1', 'cara1', 'dave1']) members[name] = await memberOf(server.url, share_code, name)
})
test.afterAll(() => server.remove())

const list = (page: Page) => page.getByRole('list', { name: t('chat.rooms') })
const line = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
/** The first letters of the rows, from the top; an empty row is a dash. */
const order = async (page: Page) =>
  (await list(page).getByRole('listitem').allInnerTexts())
    .map((text) => /[abcd](?=\w{3}1)/.exec(text)?.[0] ?? '-')
    .join('')
const update = (page: Page) => page.getByRole('button', { name: /^Update list/ })
/** Every member writes, so that the list begins with dave1, cara1, bert1, anna1. */
const begin = async (page: Page) => {
  await page.mouse.move(1200, 700)
  await everyoneSays(page, 'from')
  await expect.poll(() => order(page)).toBe('dcba')
}
/** Until the page has all of it: the rows may be in the order of the last message before that has come. */
const everyoneSays = async (page: Page, word: string) => {
  for (const name of Object.keys(members)) {
    await say(name, `${word} ${name}`)
    await expect(line(page, name)).toContainText(`${word} ${name}`)
  }
}
/** By the last message: then each new message moves a row. */
const newestFirst = (page: Page) => page.getByRole('button', { name: t('chat.longest_first'), exact: true }).click()
const count = (n: number) => t('chat.update_list', { n })

test('[CONV-08] rows stay under the pointer, a new order waits behind a button, and leaving applies it', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD, '/chat/messaging')
  await newestFirst(page)
  await begin(page)
  const middle = await line(page, 'cara1').boundingBox()
  if (!middle) throw new Error('cara1 has no row')
  const [x, y] = [middle.x + middle.width / 2, middle.y + middle.height / 2]

  await test.step('a message arrives elsewhere: its row shows it in place, and a click opens the row under the pointer', async () => {
    await page.mouse.move(x, y)
    await say('anna1', 'look here')
    await expect(line(page, 'anna1')).toContainText('look here')
    await expect(update(page)).toHaveText(count(1))
    expect(await order(page)).toBe('dcba')
    const rows = await page.locator('.room-rows').boundingBox()
    // No row is under the button, and none has moved.
    expect((await update(page).boundingBox())?.y).toBeGreaterThanOrEqual((rows?.y ?? 0) + (rows?.height ?? 0))
    expect(await line(page, 'cara1').boundingBox()).toEqual(middle)
    await page.mouse.down()
    await page.mouse.up()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('cara1')
    expect(await order(page)).toBe('dcba')
  })

  await test.step('the keys follow the order shown', async () => {
    await page.keyboard.press('Alt+ArrowDown')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('bert1')
    await page.keyboard.press('Alt+ArrowUp')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('cara1')
  })

  await test.step('the button applies the new order, which is then held again', async () => {
    await update(page).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => order(page)).toBe('adcb')
    await expect(update(page)).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
    await say('bert1', 'me too')
    await expect(update(page)).toHaveText(count(1))
    expect(await order(page)).toBe('adcb')
  })

  await test.step('a room hidden by a colleague leaves an empty row, and a new room waits; leaving applies both', async () => {
    await page.getByLabel(t('message.write')).focus()
    const rooms = (await dora.call('room/list', {})).data
    const dave = rooms.find(({ username }) => username === 'dave1')
    await dora.call('room/changeStatus', { code: dave?.code ?? '', status: RoomStatus.hidden })
    await expect.poll(() => order(page)).toBe('a-cb')
    const { share_code } = await dora.call('user/view', {})
    const eve = await memberOf(server.url, share_code, 'eve55')
    await eve.call('sendMessage', {
      code: (await eve.call('room/list', {})).data[0]?.code ?? '',
      type: MessageType.text,
      content: 'new',
    })
    await expect(update(page)).toHaveText(count(3))
    await expect(line(page, 'eve55')).toHaveCount(0)
    await page.mouse.move(1200, 700)
    await expect(line(page, 'eve55')).toHaveCount(1)
    await expect.poll(() => order(page)).toBe('-bac')
    await expect(update(page)).toHaveCount(0)
    await say('dave1', 'back again')
    await expect.poll(() => order(page)).toBe('d-bac')
  })

  await test.step('another filter or order is applied at once', async () => {
    await page.mouse.move(x, y)
    await say('cara1', 'and I')
    await expect(update(page)).toHaveText(count(1))
    await page.getByRole('button', { name: t('chat.longest_first') }).focus()
    await page.keyboard.press('Enter')
    await expect(update(page)).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => order(page)).toBe('cd-ba')
  })
  expectCleanConsole(page)
})

test('[CONV-08] rows stay where they are while the focus is in them, or a finger is down', async ({ browser }) => {
  const page = await browserOf(browser, server)
  await signIn(page, 'dora', PASSWORD, '/chat/messaging')
  await newestFirst(page)
  await expect(line(page, 'anna1')).toHaveCount(1)
  await begin2(page)
  await line(page, 'cara1').getByRole('link').focus()
  await say('anna1', 'by focus')
  await expect(update(page)).toHaveText(count(1))
  expect(await top(page)).toBe('dcba')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('cara1')
  await expect(page.getByLabel(t('message.write'))).toBeFocused()
  await expect.poll(() => top(page)).toBe('adcb')
  expectCleanConsole(page)

  const small = await browserOf(browser, server, phone)
  await signIn(small, 'dora', PASSWORD, '/chat/messaging')
  await newestFirst(small)
  await expect.poll(() => top(small)).toBe('adcb')
  const rows = small.locator('.room-rows')
  await rows.dispatchEvent('touchstart')
  await say('bert1', 'by touch')
  await expect(update(small)).toHaveText(count(1))
  expect(await top(small)).toBe('adcb')
  await rows.dispatchEvent('touchend')
  await expect.poll(() => top(small)).toBe('badc')
  await say('cara1', 'nobody touches it')
  await expect.poll(() => top(small)).toBe('cbad')
  expect(await small.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
  expectCleanConsole(small)
})
test('[CONV-08] the button moves no row, also in a language with long words', LONG, async ({ browser }) => {
  const { share_code } = await dora.call('user/view', {})
  members.frederika9 = await memberOf(server.url, share_code, 'frederika9')
  await say('frederika9', 'a long name')
  for (const locale of looksIn) {
    const page = await browserOf(browser, server, phone)
    await page.addInitScript((language) => localStorage.setItem('locale', language), locale)
    await signIn(page, 'dora', PASSWORD, '/chat/messaging')
    await page.locator('.c-round[aria-pressed]').first().click()
    const rows = page.locator('.room-rows')
    const last = rows.getByRole('listitem').filter({ hasText: /1\)/ }).nth(3)
    await expect(last).toBeVisible()
    const before = await last.boundingBox()
    await rows.dispatchEvent('touchstart')
    const name = /(anna|bert|cara|dave)1/.exec(await last.innerText())?.[0] ?? ''
    await say(name, `in ${locale}`)
    await expect(page.locator('.room-changes')).toBeVisible()
    expect(await last.boundingBox()).toEqual(before)
    const cut = ({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth - clientWidth
    expect(await page.locator('.room-changes').evaluate(cut)).toBe(0)
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    await rows.getByRole('listitem').filter({ hasText: '(frederika9)' }).getByRole('link').click()
    // Beside the two buttons the header of a waiting room has little space: the wait gives way to the name.
    const username = page.locator('h1 .room-username')
    await expect(username).toHaveText('(frederika9)')
    await expect(page.locator('h1 .room-waiting')).toBeVisible()
    expect(await username.evaluate(cut)).toBe(0)
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390)
    expectCleanConsole(page)
  }
})
/** The first four rows; rooms of earlier tests are below. */
const top = async (page: Page) => (await order(page)).slice(0, 4)
const begin2 = async (page: Page) => {
  await page.mouse.move(1200, 700)
  await everyoneSays(page, 'again')
  await expect.poll(() => top(page)).toBe('dcba')
}
