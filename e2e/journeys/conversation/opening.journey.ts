/// <reference lib="dom" />
import { MessageType, TransferKind } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { type Client, signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import { PASSWORD, phone, expectCleanConsole, t, messageLog, write } from '../../support/people.ts'
import { isLong, LONG } from '../../support/long.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'
import { signedIn } from '../../support/signed-in.ts'

type Room = { name: string; code: string; path: string; member: Client; last: string }
let server: Server
let casey: Client
let dora: Client
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora', { credit: '100' })
  for (const name of ['casey', 'omar']) await addAccount(server, 'cs', name, { under: 'dora' })
  dora = await clientOf(server.url, 'dora', PASSWORD)
  casey = await clientOf(server.url, 'casey', PASSWORD)
})
test.afterAll(() => server.remove())

/** A new member’s room in which the member and casey have written; `last` is the member’s last message. */
const roomOf = async (name: string, said: readonly string[], answered = true): Promise<Room> => {
  const { share_code } = await dora.call('user/view', {})
  const member = await memberOf(server.url, share_code, name)
  const { code = '', room_id } = (await member.call('room/list', {})).data[0] ?? {}
  for (const [n, content] of said.entries())
    await (answered && n % 2 === 0 && n > 1 ? casey : member).call('sendMessage', {
      code,
      type: MessageType.text,
      content,
    })
  const last = `the last word of ${name}`
  await member.call('sendMessage', { code, type: MessageType.text, content: last })
  return { name, code, path: `/chat/messaging/${room_id}/${member.id}/${code}`, member, last }
}
const short = (many: number) => Array.from({ length: many }, (_, n) => `short ${n}`)
const readOf = async (client: Client, { code }: Room) => {
  const room = (await client.call('room/list', {})).data.find((one) => one.code === code)
  return { message_read: room?.message_read, read_seq: room?.read_seq }
}
const belowView = (page: Page) =>
  messageLog(page).evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop)

/** Expects the last message fully in view and nothing below it. */
const expectAtEnd = async (page: Page, { last, name }: Room) => {
  const bubble = messageLog(page).locator('.c-row').filter({ hasText: last }).last()
  await expect(bubble, name).toBeInViewport({ ratio: 0.99 })
  const [row, view] = await Promise.all([bubble.boundingBox(), messageLog(page).boundingBox()])
  expect((row?.y ?? 0) + (row?.height ?? 0), name).toBeLessThanOrEqual((view?.y ?? 0) + (view?.height ?? 0))
  expect(await belowView(page), name).toBeLessThan(1)
  await expect(page.getByRole('button', { name: t('room.to_end') })).toHaveCount(0)
}

/** Holds back the page’s animation frames, as when it is busy or in a background tab. */
const pauseFrames = (page: Page) =>
  page.addInitScript(() => {
    const frame = window.requestAnimationFrame.bind(window)
    const pending: FrameRequestCallback[] = []
    window.requestAnimationFrame = (callback) => pending.push(callback)
    Object.assign(window, {
      releaseFrames: () => {
        window.requestAnimationFrame = frame
        for (const callback of pending) frame(callback)
      },
    })
  })
const releaseFrames = (page: Page) =>
  page.evaluate(() => (window as unknown as { releaseFrames: () => void }).releaseFrames())

test(
  '[CONV-02] [ROOM-02] each room opens at its end, as the first one of a page load and later',
  LONG,
  async ({ browser }) => {
    const long = 'Words that need a few lines of their own, and more of them on a narrow screen. '
    const rooms: Room[] = []
    // Some of these fit into the view with estimated heights but not with measured ones.
    for (const many of [3, 9, 10, 11, 12, 15]) rooms.push(await roomOf(`short${many}`, short(many)))
    rooms.push(await roomOf('longlines', [...short(5), long.repeat(9), ...short(3), long.repeat(4)]))
    rooms.push(await roomOf('manymany', short(45)))
    const money = await roomOf('withcards', short(6))
    for (const type of [TransferKind.send, TransferKind.gift] as const)
      await dora.call('transaction/add', {
        member_id: (await money.member.call('user/view', {})).id,
        type,
        amount: '1',
      })
    await money.member.call('sendMessage', { code: money.code, type: MessageType.text, content: money.last })
    rooms.push(money)
    for (const options of [{}, phone]) {
      const page = await signedIn(browser, server, 'omar', options)
      // The short run opens every other room on the phone.
      for (const room of rooms.filter((_, n) => isLong || options !== phone || n % 2 === 0)) {
        for (let load = 0; load < (isLong ? 3 : 1); load++) {
          await page.goto(room.path)
          await expectAtEnd(page, room)
        }
      }
      if (options === phone) continue
      await page.goto('/chat/messaging')
      for (const room of rooms) {
        await page.locator('.room-rows').getByText(room.name, { exact: true }).click()
        await expectAtEnd(page, room)
      }
      expectCleanConsole(page)
    }
  },
)

test('[CONV-02] at its end before the first frame, and read only when the last message was seen', async ({
  browser,
}) => {
  const room = await roomOf('noframes', short(11))
  const page = await signedIn(browser, server, 'omar')
  const client = await clientOf(server.url, 'omar', PASSWORD)
  await pauseFrames(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(room.path)
  await expectAtEnd(page, room)
  expect(asked).not.toContain('/api/readMessage')
  await releaseFrames(page)
  await expect.poll(() => readOf(client, room)).toEqual({ message_read: 1, read_seq: 12 })
  await expectAtEnd(page, room)

  await test.step('the view shrinks and grows, and stays at the end', async () => {
    for (const height of [500, 900, 640]) {
      await page.setViewportSize({ width: 1440, height })
      await expect.poll(() => belowView(page)).toBeLessThan(1)
    }
    await expectAtEnd(page, room)
    // In the same frame in which the page reads its scroll position.
    await messageLog(page).evaluate((log) => {
      Object.assign(log.style, { height: '300px' })
      log.dispatchEvent(new Event('scroll'))
    })
    await expect.poll(() => belowView(page)).toBeLessThan(1)
    await messageLog(page).evaluate((log) => Object.assign(log.style, { height: '' }))
    await expectAtEnd(page, room)
    // It grows, and is small again before the browser tells in the next frame that it has lowered the offset.
    await messageLog(page).evaluate(
      (log) =>
        new Promise<void>((done) => {
          requestAnimationFrame(() => {
            Object.assign(log.style, { height: '650px' })
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => {
              Object.assign(log.style, { height: '200px' })
              done()
            }
            port2.postMessage('')
          })
        }),
    )
    await expect.poll(() => belowView(page)).toBeLessThan(1)
    await messageLog(page).evaluate((log) => Object.assign(log.style, { height: '' }))
    await expectAtEnd(page, room)
  })

  await test.step('messages that arrive while scrolled up stay unread', async () => {
    await messageLog(page).hover()
    await page.mouse.wheel(0, -300)
    await expect(page.getByRole('button', { name: t('room.to_end') })).toBeVisible()
    await room.member.call('sendMessage', { code: room.code, type: MessageType.text, content: 'and one more' })
    await expect(page.getByText(t('room.new_below', { n: 1 }))).toBeVisible()
    await expect(messageLog(page).getByText('and one more')).not.toBeInViewport()
    expect(await readOf(client, room)).toEqual({ message_read: 0, read_seq: 12 })
    await page.getByRole('button', { name: t('room.to_end') }).click()
    await expect.poll(() => readOf(client, room)).toEqual({ message_read: 1, read_seq: 13 })
  })
  expectCleanConsole(page)
})

const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => now })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

test('[CONV-02] a room in a background tab stays unread, and its new messages have a line above them', async ({
  browser,
}) => {
  const room = await roomOf('behindit', short(4))
  const page = await signedIn(browser, server, 'omar')
  const client = await clientOf(server.url, 'omar', PASSWORD)
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }))
  await page.goto(room.path)
  await expectAtEnd(page, room)
  // Casey’s own list shows what the server knows after the room was drawn.
  await expect(page.getByRole('separator', { name: t('room.new') })).toBeVisible()
  expect(await readOf(client, room)).toEqual({ message_read: 0, read_seq: 0 })
  await setHidden(page, false)
  await expect.poll(() => readOf(client, room)).toEqual({ message_read: 1, read_seq: 5 })
  await setHidden(page, true)
  await room.member.call('sendMessage', { code: room.code, type: MessageType.text, content: 'while you were away' })
  await expect(messageLog(page).getByText('while you were away')).toBeVisible()
  const rows = messageLog(page).locator('.c-new, .c-row')
  await expect(rows.nth(-2)).toHaveAccessibleName(t('room.new'))
  expect(await readOf(client, room)).toEqual({ message_read: 0, read_seq: 5 })
  await setHidden(page, false)
  await expect.poll(() => readOf(client, room)).toEqual({ message_read: 1, read_seq: 6 })
  await expect(rows.nth(-2)).toHaveAccessibleName(t('room.new'))
  expectCleanConsole(page)
})

test('[CONV-02] what arrives before the eyes has no line above it, and an answer removes the line', async ({
  browser,
}) => {
  const room = await roomOf('watchful', short(2))
  const page = await signedIn(browser, server, 'omar')
  const client = await clientOf(server.url, 'omar', PASSWORD)
  const line = page.getByRole('separator', { name: t('room.new') })
  await page.goto(room.path)
  await expect(line).toBeVisible()
  await write(page, 'I am here')
  await expect(messageLog(page).getByText('I am here')).toBeVisible()
  await expect(line).toHaveCount(0)
  await room.member.call('sendMessage', { code: room.code, type: MessageType.text, content: 'before your eyes' })
  await expect.poll(() => readOf(client, room)).toEqual({ message_read: 1, read_seq: 5 })
  await expect(line).toHaveCount(0)
  expectCleanConsole(page)
})

test('[CONV-02] a button leads up to the first new message', async ({ browser }) => {
  const room = await roomOf('newabove', short(3))
  const client = await clientOf(server.url, 'omar', PASSWORD)
  const { messages } = await client.call('room/enter', { code: room.code })
  await client.call('readMessage', { code: room.code, message_id: messages.at(-1)?.message_id ?? '' })
  // Casey answers here: without a composer the view is higher, and shows 20 messages and the line above them.
  for (const content of short(25))
    await room.member.call('sendMessage', { code: room.code, type: MessageType.text, content: `new ${content}` })
  // Opened in a background tab: still unread when it is opened on the phone.
  for (const options of [{}, { ...phone, colorScheme: 'dark' as const }]) {
    const page = await signedIn(browser, server, 'omar', options)
    await page.addInitScript(() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }))
    await page.goto(room.path)
    const up = page.getByRole('button', { name: t('room.to_new') })
    await expect(up).toHaveText(t('room.new_below', { n: 25 }))
    await up.press('Enter')
    await expect(page.getByRole('separator', { name: t('room.new') })).toBeInViewport()
    await expect(up).toHaveCount(0)
    await expect(messageLog(page)).toBeFocused()
    await page.getByRole('button', { name: t('room.to_end') }).click()
    await expect(up).toHaveCount(0)
    expectCleanConsole(page)
  }
})

test('[CONV-02] the button is there for more new messages than are loaded, and leads to the first of them', async ({
  browser,
}) => {
  const room = await roomOf('faraway', short(3))
  const client = await clientOf(server.url, 'omar', PASSWORD)
  const { messages } = await client.call('room/enter', { code: room.code })
  await client.call('readMessage', { code: room.code, message_id: messages.at(-1)?.message_id ?? '' })
  for (const content of short(45))
    await room.member.call('sendMessage', { code: room.code, type: MessageType.text, content: `new ${content}` })
  const page = await signedIn(browser, server, 'omar', phone)
  await page.goto(room.path)
  const up = page.getByRole('button', { name: t('room.to_new') })
  await expect(up).toHaveText(t('room.new_below', { n: 45 }))
  await up.press('Enter')
  await expect(messageLog(page).getByText('new short 0', { exact: true })).toBeInViewport()
  await expect(up).toHaveCount(0)
  await page.getByRole('button', { name: t('room.to_end') }).click()
  await expect(messageLog(page).getByText('new short 44', { exact: true })).toBeInViewport()
  await expect(up).toHaveCount(0)
  expectCleanConsole(page)
})
