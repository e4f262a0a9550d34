import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import en from '../../locales/en.ts'
import { openBrowser } from '../lib/browser.ts'
import { describeMachine } from '../lib/machine.ts'
import { topAccount } from '../lib/people.ts'
import { report } from '../lib/report.ts'
import { isQuick, alternate } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import { medians } from '../lib/stats.ts'
import { load, MESSAGES, ROOMS } from './load.ts'

/** The number of times that older messages are loaded in a row, and of frames that the list is scrolled. */
const PAGES = isQuick ? 3 : 10
const FRAMES = isQuick ? 60 : 180
const SLOWER = 4

const server = await openServer({ withPages: true })
const { room: code } = await load(server.db, await topAccount(server.db))

const browser = await openBrowser()
const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })
const page = await context.newPage()
await page.addInitScript({ path: fileURLToPath(new URL('watch.js', import.meta.url)) })
const devtools = await context.newCDPSession(page)
await page.goto(`${server.url}/login`)
await page.getByLabel(en['session.login'], { exact: true }).fill('admin')
await page.getByLabel(en['session.password'], { exact: true }).fill(server.password)
await page.getByRole('button', { name: en['session.enter'], exact: true }).click()
await page.getByRole('navigation', { name: en['shell.menu'] }).waitFor()

type Tasks = { count: number; longest: number }
const inPage = <R>(words: string) => page.evaluate<R>(words)

const openLong = async (on: Page) => {
  await inPage(`whenOpened('message ${MESSAGES}')`)
  await on.locator(`.room-rows a[href$="${code}"]`).click()
  return inPage<Tasks & { ms: number }>('opened')
}

/** Runs everything once with a fresh page. */
const walk = (rate: number) => async () => {
  await page.goto('about:blank')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(`${server.url}/chat/messaging`, { waitUntil: 'commit' })
  const listed = await inPage<number>('listPainted()')
  const loading = await inPage<Tasks>('longTasks(0)')
  const scroll = await inPage<Tasks & { dropped: number }>(`scrollList(${FRAMES})`)
  await inPage(`document.querySelector('.room-rows').scrollTop = 0`)
  const opened = await openLong(page)
  const older: (Tasks & { ms: number; shift: number; onTheWay: number })[] = []
  for (let n = 0; n < PAGES; n++) older.push(await inPage('older()'))
  return {
    listed,
    listTask: loading.longest,
    dropped: scroll.dropped * 100,
    frame: scroll.longest,
    opened: opened.ms,
    openTask: opened.longest,
    older: medians(older).ms,
    shift: Math.max(...older.map(({ shift }) => shift)),
    onTheWay: older.reduce((sum, one) => sum + one.onTheWay, 0) / PAGES,
    olderTasks: older.reduce((sum, { count }) => sum + count, 0),
    olderTask: Math.max(...older.map(({ longest }) => longest)),
  }
}

const seen = await alternate({ usual: walk(1), slower: walk(SLOWER) })
const [usual, slower] = [medians(seen.usual), medians(seen.slower)]
const worst = (key: 'shift' | 'olderTasks' | 'olderTask') =>
  Math.max(...[...seen.usual, ...seen.slower].map((round) => round[key]))
const row = (title: string, ...keys: (keyof typeof usual)[]) => [
  title,
  ...keys.flatMap((key) => [usual[key], slower[key]]),
]

report({
  name: 'room',
  title: `Rooms: one of ${MESSAGES.toLocaleString('en')} messages, in a list of ${ROOMS.toLocaleString('en')}`,
  machine: describeMachine(server.postgres),
  tables: [
    {
      caption: 'In Chromium, 1440 × 900, as it is and with the processor four times slower',
      rows: [
        ['', 'as it is', '4 × slower'],
        row('opening the long room, click to painted, ms', 'opened'),
        row('longest task while it opens, ms', 'openTask'),
        row('30 older messages, from asking for them to painted, ms', 'older'),
        row('how far the view then moved at most, pixels', 'shift'),
        row(`tasks of more than 50 ms from asking on, of ${PAGES} times`, 'olderTasks'),
        row('the same while going up to where older ones are asked for, each time', 'onTheWay'),
        row('list of rooms, from asking for the page to its first paint, ms', 'listed'),
        row('longest task until then, ms', 'listTask'),
        row('scrolling the list: frames that did not come, %', 'dropped'),
        row('longest frame, ms', 'frame'),
      ],
    },
  ],
  ratios: [
    {
      what: 'older messages: pixels that the view moved at most, in all rounds',
      value: worst('shift'),
      aim: { most: 0 },
    },
    { what: 'older messages: tasks of more than 50 ms, in all rounds', value: worst('olderTasks'), aim: { most: 0 } },
  ],
  notes: [
    `Each round loads the page again with its scripts in the cache, scrolls the list by 102 pixels with every frame for ${FRAMES} frames, opens the room and goes up in it by 120 pixels with every frame until older messages have come ${PAGES} times. Chromium names tasks from 50 ms on: 0 is none of them. Everything is looked at after the frame in which it is painted, and so ends on a frame of 1/60 s.`,
  ],
  rounds: seen,
})

await browser.close()
await server.close()
