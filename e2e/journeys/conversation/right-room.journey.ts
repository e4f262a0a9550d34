import { MessageType } from '@tallyroom/contract/codes'
import { expect, type Page, test } from '@playwright/test'
import { type Client, signIn as clientOf, signUp as memberOf } from '../../support/client.ts'
import { addAccount } from '../../support/add-account.ts'
import { browserOf, dialog, PASSWORD, expectCleanConsole, t, storeSession } from '../../support/people.ts'
import { isLong, LONG } from '../../support/long.ts'
import { startJourneyServer } from '../../support/journey-server.ts'
import type { Server } from '../../support/server.ts'

/** The delays of every call of the browser, in ms: answers that come before, while and after somebody types. */
const DELAYS = isLong ? [0, 150, 300, 800, 3000] : [0, 300, 3000]
const ROOMS = 6
/** Switches by key per delay: first into the waiting rooms, not visited before, and then back. */
const BY_KEY = Number(process.env.SWITCHES ?? 8)
/** Switches per delay in each of the other ways. */
const IN_OTHER_WAYS = Math.ceil(BY_KEY / 4)

type Room = { code: string; name: string; path: string; member: Client }
let server: Server
let rooms: Room[] = []
/** The expected messages of each room, and the expected drafts. */
const sent = new Map<string, string[]>()
const drafts = new Map<string, string>()
let count = 0
test.beforeAll(async () => {
  server = await startJourneyServer()
  await addAccount(server, 'agent', 'dora')
  await addAccount(server, 'cs', 'casey', { under: 'dora' })
  const { share_code } = await (await clientOf(server.url, 'dora', PASSWORD)).call('user/view', {})
  const enter = async (n: number): Promise<Room> => {
    const name = `right${String(n).padStart(2, '0')}`
    const member = await memberOf(server.url, share_code, name)
    const { code = '', room_id } = (await member.call('room/list', {})).data[0] ?? {}
    sent.set(code, [])
    return { code, name, path: `/chat/messaging/${room_id}/${member.id}/${code}`, member }
  }
  rooms = await Promise.all(Array.from({ length: ROOMS }, (_, n) => enter(n)))
})
test.afterAll(() => server.remove())

/** What the page shows in the frame after a key, a click or a step back, before it is painted. */
type Frame = { path: string; heading: string; row: string; messages: string; typing: boolean }
const watchFrames = (page: Page) =>
  page.addInitScript(() => {
    const frames: unknown[] = []
    const text = (selector: string) => document.querySelector(selector)?.textContent ?? ''
    const look = () =>
      requestAnimationFrame(() => {
        frames.push({
          path: location.pathname,
          heading: text('.room-window h1 bdi'),
          row: text('.room-row[data-current] .room-name'),
          messages: text('.room-window .c-room .c-slot'),
          typing: document.activeElement?.matches('.room-window textarea') === true,
        })
      })
    const keys = ['Enter', 'ArrowDown', 'ArrowUp', 'N', 'n']
    window.addEventListener('keydown', ({ key, altKey }) => (altKey || key === 'Enter') && keys.includes(key) && look())
    Object.assign(window, { frames, look })
    for (const name of ['click', 'popstate']) window.addEventListener(name, look)
  })
const framesOf = (page: Page) => page.evaluate(() => (window as unknown as { frames: Frame[] }).frames.splice(0))

const ask = ({ code, name, member }: Room) =>
  member.call('sendMessage', { code, type: MessageType.text, content: `question of ${name}` })

/** Casey’s page, with delayed calls. */
const openDesk = async (page: Page) => {
  let delay = 0
  await watchFrames(page)
  await page.route('**/api/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (delay && pathname !== '/api/draft/save') await new Promise((resolve) => setTimeout(resolve, delay))
    await route.continue().catch(() => {})
  })
  await storeSession(page, 'casey', PASSWORD)
  const shown = async () => {
    const path = await page.evaluate(() => location.pathname)
    const room = rooms.find((one) => one.path === path)
    if (!room) throw new Error(`No room is at ${path}`)
    return room
  }
  return {
    /** Loads the page again: only the first room has been visited. */
    load: async (late: number) => {
      delay = 0
      await Promise.all(rooms.map(ask))
      const first = rooms[0]!
      await page.goto(first.path)
      await expect(page.getByRole('region', { name: t('chat.rooms') }).getByRole('listitem')).toHaveCount(ROOMS)
      await expect(page.getByRole('log')).toContainText(`question of ${first.name}`)
      // A text typed before the drafts have come does not continue them.
      const elsewhere = rooms.filter(({ code }) => code !== first.code && drafts.has(code))
      await expect(page.locator('.room-rows [data-draft]')).toHaveCount(elsewhere.length)
      delay = late
    },
    /** Goes to a room and types at once, without a pause between keys. */
    goAndAnswer: async (go: () => Promise<unknown>) => {
      const text = `yes ${++count}`
      await framesOf(page)
      await go()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      const room = await shown()
      sent.get(room.code)?.push((drafts.get(room.code) ?? '') + text)
      drafts.delete(room.code)
      const frame = (await framesOf(page)).find(({ path }) => path === room.path)
      expect(frame, text).toMatchObject({ heading: room.name, row: room.name, typing: true })
      expect(frame?.messages, text).not.toMatch(new RegExp(`right(?!${room.name.slice(5)})`))
      return room
    },
    /** Types a draft. */
    begin: async () => {
      const room = await shown()
      const text = `half ${++count} `
      await page.keyboard.type(text)
      drafts.set(room.code, (drafts.get(room.code) ?? '') + text)
    },
    /** Expects every message and draft in its room, and nothing anywhere else. */
    expectAllInRoom: async (late: number) => {
      const said = async ({ code, member }: Room) => {
        const { messages } = await member.call('room/history', { code, per_page: 100 })
        return [code, messages.flatMap(({ is_self, content }) => (is_self ? [] : [content]))] as const
      }
      await expect
        .poll(async () => new Map(await Promise.all(rooms.map(said))), { message: `late by ${late} ms` })
        .toEqual(sent)
      const casey = await clientOf(server.url, 'casey', PASSWORD)
      const kept = async () => {
        const { data } = await casey.call('draft/list', {})
        return new Map(data.flatMap(({ code, content }) => (content ? [[code, content] as const] : [])))
      }
      await expect.poll(kept, { message: `late by ${late} ms` }).toEqual(drafts)
    },
  }
}

const press = (page: Page, keys: string) => () => page.keyboard.press(keys)
const other = (room: Room, by: number) => rooms[(rooms.indexOf(room) + by) % rooms.length]!

test(
  '[CONV-01] typed right after a key: every letter is in the new room, whatever the delay',
  LONG,
  async ({ browser }) => {
    const page = await browserOf(browser, server)
    const desk = await openDesk(page)
    for (const late of DELAYS) {
      await desk.load(late)
      for (let n = 0; n < BY_KEY; n++) {
        if (n % 4 === 3) await desk.begin()
        await desk.goAndAnswer(press(page, n < ROOMS - 1 ? 'Alt+N' : n % 3 === 0 ? 'Alt+ArrowUp' : 'Alt+ArrowDown'))
      }
      await desk.expectAllInRoom(late)
    }
    expectCleanConsole(page)
  },
)

test('[CONV-01] the same by click, palette, notification and Back', LONG, async ({ browser }) => {
  const page = await browserOf(browser, server)
  const desk = await openDesk(page)
  const row = (room: Room) => page.locator('.room-rows').getByText(room.name, { exact: true })
  const palette = page.getByRole('combobox', { name: t('palette.title') })
  for (const late of DELAYS) {
    await desk.load(late)
    let room = rooms[0]!
    for (let n = 0; n < IN_OTHER_WAYS; n++) {
      room = await desk.goAndAnswer(() => row(other(room, 1)).click())
      await desk.begin()
      const wanted = other(room, 1)
      await page.keyboard.press('Control+K')
      await palette.fill(wanted.name)
      await expect(page.getByRole('option', { selected: true })).toContainText(wanted.name)
      room = await desk.goAndAnswer(press(page, 'Enter'))
      await desk.begin()
      const { path } = other(room, 1)
      room = await desk.goAndAnswer(() =>
        page.evaluate((open) => {
          navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { open } }))
          ;(window as unknown as { look: () => void }).look()
        }, path),
      )
    }
    for (let n = 0; n < IN_OTHER_WAYS; n++)
      room = await desk.goAndAnswer(() =>
        page.evaluate(() =>
          new Promise((resolve) => {
            window.addEventListener('popstate', resolve, { once: true })
            history.back()
          }).then(() => {}),
        ),
      )
    await desk.expectAllInRoom(late)
  }
  expectCleanConsole(page)
})

test('[CONV-01] [ROOM-11] a search hit, a room that does not exist, points right after the key, an address of another room', async ({
  browser,
}) => {
  const page = await browserOf(browser, server)
  const desk = await openDesk(page)
  const box = page.getByLabel(t('message.write'))
  const [first, second] = [rooms[0]!, rooms[1]!]
  await desk.load(300)

  await test.step('a search hit opens its room, and keys no longer reach the room before', async () => {
    await desk.begin()
    await page.getByRole('searchbox').fill(`question of ${second.name}`)
    await page.locator('.room-found').getByRole('link').first().click()
    await page.keyboard.type('for nobody')
    await expect(page.getByRole('heading', { level: 1, name: second.name })).toBeVisible()
    await expect(box).toHaveValue(drafts.get(second.code) ?? '')
    await page.getByRole('searchbox').fill('')
    await desk.expectAllInRoom(300)
  })

  await test.step('a room that does not exist: an alert says so, and the typed text is kept', async () => {
    const nowhere = '/chat/messaging/987654/1/NoSuchRoomNoSuchRoom22'
    await page.evaluate(
      (open) => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { open } })),
      nowhere,
    )
    await page.keyboard.type('sent')
    await page.keyboard.press('Enter')
    await page.keyboard.type('typed')
    await expect(page.getByRole('alert').first()).toBeVisible()
    await expect(box).toHaveValue('sent\ntyped')
    await page.locator('.room-rows').getByText(second.name, { exact: true }).click()
    await expect(box).toHaveValue(drafts.get(second.code) ?? '')
    await page.goBack()
    await expect(box).toHaveValue('sent\ntyped')
    await desk.expectAllInRoom(300)
  })

  await test.step('the points key right after the key for the next room: the dialog is for the member of the new room', async () => {
    await page.locator('.room-rows').getByText(first.name, { exact: true }).click()
    await page.keyboard.press('Alt+ArrowDown')
    const name = await page.locator('.room-row[data-current] .room-name').textContent()
    expect(name).not.toBe(first.name)
    await expect(async () => {
      await page.keyboard.press('Alt+P')
      await expect(dialog(page)).toBeVisible({ timeout: 200 })
    }).toPass()
    await expect(dialog(page)).toContainText(name ?? '?')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  })

  await test.step('if page and address name two different rooms, nothing is sent, and the text is kept', async () => {
    await page.locator('.room-rows').getByText(second.name, { exact: true }).click()
    // Changes the address without the router.
    await page.evaluate((path) => History.prototype.replaceState.call(history, history.state, '', path), first.path)
    const text = `${drafts.get(second.code) ?? ''}to whom`
    await page.keyboard.type('to whom')
    await page.keyboard.press('Enter')
    await expect(box).toHaveValue(text)
    drafts.set(second.code, text)
    await desk.expectAllInRoom(300)
  })
  expectCleanConsole(page, /Not sent: the text belongs to|status of 4/)
})

test('[CONV-02] a draft that comes after another text was sent returns to the box, and is kept', async ({
  browser,
}) => {
  const { code, path, name, member } = rooms[0]!
  const casey = await clientOf(server.url, 'casey', PASSWORD)
  await casey.call('draft/save', { code, content: 'half a thought' })
  await ask(rooms[0]!)
  const page = await browserOf(browser, server)
  let letThrough = () => {}
  const released = new Promise<void>((resolve) => (letThrough = resolve))
  await page.route('**/api/draft/list', async (route) => {
    await released
    await route.continue().catch(() => {})
  })
  await storeSession(page, 'casey', PASSWORD)
  await page.goto(path)
  const [log, box] = [page.getByRole('log'), page.getByLabel(t('message.write'))]
  await expect(log).toContainText(`question of ${name}`)
  await expect(box).toHaveValue('')
  await page.keyboard.type('in a hurry')
  await page.keyboard.press('Enter')
  await expect(log).toContainText('in a hurry')
  await expect
    .poll(async () => (await member.call('room/history', { code, per_page: 1 })).messages.at(-1)?.content)
    .toBe('in a hurry')
  letThrough()
  await expect(box).toHaveValue('half a thought')
  await page.reload()
  await expect(box).toHaveValue('half a thought')
  const { data } = await casey.call('draft/list', {})
  expect(data).toContainEqual(expect.objectContaining({ code, content: 'half a thought' }))
  expectCleanConsole(page)
})
