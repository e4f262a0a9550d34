/// <reference lib="dom" />
import { MessageType } from '@tallyroom/contract/codes'
import { errors } from '@tallyroom/contract/errors'
import { expect, type Page, test } from '@playwright/test'
import { type Client, signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import { PASSWORD, t, messageLog, phone } from '../../support/people.ts'
import { signedIn } from '../../support/signed-in.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

let server: Server
let dora: Client
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  dora = await clientOf(server.url, 'dora', PASSWORD)
})
test.afterAll(() => server.remove())

const member = async (username: string) => {
  const { share_code } = await dora.call('user/view', {})
  const client = await memberOf(server.url, share_code, username)
  const code = (await client.call('room/list', {})).data[0]?.code ?? ''
  const room = (await dora.call('room/list', {})).data.find((each) => each.code === code)
  const say = (content: string) => client.call('sendMessage', { code, type: MessageType.text, content })
  return { code, say, path: `/chat/messaging/${room?.room_id}/${client.id}/${code}` }
}
const list = (page: Page) => page.getByRole('region', { name: t('chat.rooms') })
const row = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
/** The names of the calls that a page makes from now on, in their order. */
const callsOf = (page: Page) => {
  const calls: string[] = []
  page.on('request', (request) => {
    const name = /\/api\/(.+)$/.exec(request.url())?.[1]
    if (name) calls.push(name)
  })
  return calls
}

test('[ROOM-02] a room is loaded, then shown as read, then its last message is marked as read on the server', async ({
  browser,
}) => {
  const ann = await member('annorder')
  for (let n = 1; n <= 25; n++) await ann.say(`line ${n}.`)
  const page = await signedIn(browser, server, 'dora')
  await page.goto('/chat/messaging')
  const unread = row(page, 'annorder').getByText(t('chat.unread', { n: 25 }))
  await expect(unread).toBeAttached()
  const calls = callsOf(page)
  // Holds back a call until the returned function is called.
  const delayCall = async (name: string) => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    await page.route(`**/api/${name}`, async (route) => {
      await opened
      await route.fallback()
    })
    return () => open()
  }
  const letEnter = await delayCall('room/enter')
  const letRead = await delayCall('readMessage')
  const entering = page.waitForRequest('**/api/room/enter')
  await row(page, 'annorder').getByRole('link').click()
  await entering
  // Messages that were not shown stay unread (CONV-02).
  await expect(unread).toBeAttached()
  const reading = page.waitForRequest('**/api/readMessage')
  letEnter()
  await reading
  await expect(messageLog(page).getByText('line 25.')).toBeInViewport()
  await expect(unread).toHaveCount(0)
  const readOnServer = async () => (await dora.call('room/list', {})).data.find(({ code }) => code === ann.code)
  expect(await readOnServer()).toMatchObject({ message_read: 0, read_seq: 0 })
  letRead()
  await expect.poll(readOnServer).toMatchObject({ message_read: 1, read_seq: 25 })
  expect(calls.filter((name) => ['room/enter', 'readMessage'].includes(name))).toEqual(['room/enter', 'readMessage'])
})

test('[ROOM-11] when a message cannot be marked as read, an alert is shown and the list opens', async ({ browser }) => {
  const ben = await member('benread')
  await ben.say('read me')
  const page = await signedIn(browser, server, 'dora')
  const refused = { code: errors['message.not_found'], message: 'That message is not there.', data: null }
  await page.route('**/api/readMessage', (route) => route.fulfill({ json: refused }))
  const calls = callsOf(page)
  await page.goto(ben.path)
  await expect(page.getByRole('alert').filter({ hasText: refused.message })).toBeVisible()
  await expect(page).toHaveURL(/\/chat\/messaging$/)
  expect(calls.filter((name) => name === 'readMessage')).toHaveLength(1)
})

test('[CHAT-08] the list of rooms is fetched once each time the page becomes visible', async ({ browser }) => {
  await member('carlseen')
  const page = await signedIn(browser, server, 'dora')
  await page.clock.install()
  await page.goto('/chat/messaging')
  await expect(row(page, 'carlseen')).toBeVisible()
  // Past the timers that start when the page opens; below, past those that start when it becomes visible.
  await page.clock.runFor(4000)
  await page.waitForLoadState('networkidle')
  const calls = callsOf(page)
  const setHidden = (hidden: boolean) =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => now })
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => (now ? 'hidden' : 'visible'),
      })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  const asked = () => calls.filter((name) => name === 'room/list').length
  for (const times of [1, 2, 3]) {
    await setHidden(true)
    expect(asked()).toBe(times - 1)
    const answered = page.waitForResponse('**/api/room/list')
    await setHidden(false)
    await (await answered).finished()
    await page.clock.runFor(1000)
    expect(asked()).toBe(times)
  }
})

/** A fake AudioContext that counts the sounds, of two tones each. */
const countSounds = (page: Page) =>
  page.addInitScript(() => {
    let tones = 0
    const node = () => ({
      connect: (next: object) => next,
      start: () => tones++,
      stop: () => {},
      frequency: {},
      gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} },
    })
    class CountingContext {
      state = 'running'
      currentTime = 0
      destination = {}
      createOscillator = node
      createGain = node
      resume = () => Promise.resolve()
      suspend = () => Promise.resolve()
    }
    Object.assign(window, { AudioContext: CountingContext, sounds: () => tones / 2 })
  })
const sounds = (page: Page) => page.evaluate(() => (window as unknown as { sounds: () => number }).sounds())

/** Lets `isLive` say whether the page has a socket that the server has let in. */
const watchSocket = (page: Page) =>
  page.addInitScript(() => {
    const { WebSocket: Plain } = window
    let last: WebSocket | undefined
    let admitted: WebSocket | undefined
    const Watched = new Proxy(Plain, {
      construct: (plain, given: ConstructorParameters<typeof WebSocket>) => {
        const made = new plain(...given)
        last = made
        // Socket.IO's answer to a session that is right.
        made.addEventListener('message', ({ data }) => {
          if (String(data).startsWith('40')) admitted = made
        })
        return made
      },
    })
    Object.assign(window, { WebSocket: Watched, isLive: () => admitted === last && last?.readyState === Plain.OPEN })
  })
const isLive = (page: Page) => page.evaluate(() => (window as unknown as { isLive: () => boolean }).isLive())

test('[CHAT-09] a message in another room sounds, every 20 s until it is answered, once, or not at all', async ({
  browser,
}) => {
  const [ann, ben] = [await member('annloud'), await member('benloud')]
  for (const { code } of (await dora.call('room/list', {})).data) await dora.call('desk/settle', { code })
  const page = await signedIn(browser, server, 'dora')
  await countSounds(page)
  await watchSocket(page)
  await page.clock.install()
  await page.goto(ann.path)
  await expect(page.getByLabel(t('message.write'))).toBeVisible()
  await expect(row(page, 'benloud')).toBeVisible()
  // Browsers allow sound only after the first interaction.
  await page.getByLabel(t('message.write')).click()
  await expect.poll(() => isLive(page)).toBe(true)
  const answer = async (code: string, content: string) => {
    await dora.call('sendMessage', { code, type: MessageType.text, content })
    await expect(list(page).getByText(content)).toBeVisible()
  }
  const soundsAfter = async (from: typeof ben, content: string) => {
    await from.say(content)
    await expect(list(page).getByText(content)).toBeVisible()
    return sounds(page)
  }
  expect(await soundsAfter(ann, 'in the room that is looked at')).toBe(0)
  await answer(ann.code, 'answered at once')

  /**
   * Longer than a socket stays open without a ping from the server: the page reconnects, perhaps more than once. What
   * somebody says before it has come through makes no sound, because the page then loads it with the list.
   */
  const letPass = async (ms: number) => {
    await page.clock.runFor(ms)
    await expect.poll(() => isLive(page)).toBe(true)
  }
  expect(await soundsAfter(ben, 'in another room')).toBe(1)
  await letPass(20_000)
  expect(await sounds(page)).toBe(2)
  await letPass(20_000)
  expect(await sounds(page)).toBe(3)
  await answer(ben.code, 'somebody has answered')
  await letPass(40_000)
  expect(await sounds(page)).toBe(3)

  // Choosing "once" plays the sound.
  await page.getByRole('button', { name: t('chat.sound_repeat') }).click()
  expect(await sounds(page)).toBe(4)
  await page.clock.runFor(2000)
  expect(await soundsAfter(ben, 'once is enough')).toBe(5)
  await letPass(40_000)
  expect(await sounds(page)).toBe(5)

  await page.getByRole('button', { name: t('chat.sound_once') }).click()
  expect(await soundsAfter(ben, 'not at all')).toBe(5)
  await letPass(40_000)
  expect(await sounds(page)).toBe(5)
})

test('[I18N-01] [CHAT-07] on a phone no word of the tabs is broken or cut in Tamil and Malay, on pages of the office too', async ({
  browser,
}) => {
  // All five tabs: customer service of a group that takes requests. A bot adds none.
  const admin = await clientOf(server.url, 'admin', server.password)
  await admin.call('setting/save', { cash_requests: 1 })
  await addAccount(server, 'cs', 'mika', { under: 'dora' })
  const mika = await clientOf(server.url, 'mika', PASSWORD)
  for (const client of [dora, mika])
    await admin.call('user/saveAbilities', { id: (await client.call('user/view', {})).id, chat_ai_bot_visible: 1 })
  for (const locale of ['ta', 'ms']) {
    const page = await signedIn(browser, server, 'mika', { ...phone, stored: { locale } })
    await page.goto('/chat/messaging')
    const names = page.locator('.c-tab-name')
    await expect(names).toHaveCount(5)
    const first = await names.allTextContents()
    for (const path of ['/cash', '/index', '/MessageTemplate']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      await expect(names).toHaveText(first)
    }
    const broken = await names.evaluateAll((all) =>
      all.flatMap((name) => {
        const [text] = name.childNodes
        if (!(text instanceof Text)) return [name.outerHTML]
        const isWhole = ({ index = 0, 0: word }: RegExpMatchArray) => {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          return range.getClientRects().length === 1
        }
        const words = [...text.data.matchAll(/\S+/g)]
        return words.every(isWhole) && name.scrollWidth <= name.clientWidth ? [] : [text.data]
      }),
    )
    expect(broken).toEqual([])
  }
})
