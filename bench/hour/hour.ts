import { findChromium, launchWith } from '../../e2e/support/page/browser.ts'
import { openGate } from '../../e2e/support/gate.ts'
import { startServer } from '../../e2e/support/server.ts'
import { officeState } from '../../e2e/support/storage.ts'
import { build } from '../../scripts/build.mjs'
import { chromium } from '@playwright/test'
import { setTimeout as pause } from 'node:timers/promises'
import { describeMachine } from '../lib/machine.ts'
import { report } from '../lib/report.ts'
import { clearAwayAtExit } from '../lib/server.ts'
import { makeEyes, makeKeyboard } from './keyboard.ts'
import { acceptEnvelope, PASSWORD, prepare, sendLine } from './members.ts'
import { amountIn, CUT_AFTER, CUT_MS, TAKEN, type Line, MESSAGES, ROOMS, script } from './script.ts'
import { doNeed, newTally } from './work.ts'

await build()
const server = await startServer({ env: { DEMO: 'yes' } })
const isCleared = clearAwayAtExit(server.dataDir)
const gate = await openGate(server)
const desk = await prepare(server.url, server.password)
const lines = script()
const lineOf = (text: string) => lines[Number(/^#(\d+) /.exec(text)?.[1]) - 1]

const browser = await chromium.launch(launchWith(await findChromium()))
const context = await browser.newContext({
  locale: 'en-GB',
  viewport: { width: 1440, height: 900 },
  storageState: await officeState({ url: server.url, origin: gate.url }, 'mika', PASSWORD),
})
const page = await context.newPage()
const complaints: string[] = []
page.on('pageerror', (error) => complaints.push(String(error)))
await page.goto(`${gate.url}/chat/messaging`)
const keyboard = makeKeyboard(page)
const eyes = makeEyes(page)
await eyes.until(`document.querySelectorAll('.room-rows li').length > 5`)

const tally = newTally()
const counting = async (kind: keyof typeof tally, work: () => Promise<unknown>) => {
  const before = keyboard.counted.keys
  await work()
  tally[kind].times++
  tally[kind].keys += keyboard.counted.keys - before
}

let sent = 0
const answered = new Set<number>()
/** The members write, and the line goes away for half a minute in the middle. */
const members = (async () => {
  for (const line of lines) {
    await pause(line.pause)
    await sendLine(desk, line)
    sent = line.n
    if (line.n !== CUT_AFTER) continue
    gate.shut(true)
    await pause(CUT_MS)
    gate.shut(false)
  }
})()

const asked = async () => {
  const open = (await eyes.unanswered()).flatMap((text) => lineOf(text) ?? [])
  return open.filter(({ n }) => !answered.has(n))
}
const taken = desk.members[TAKEN]?.username ?? ''

/** Answers everything that the open room asks, once it can be read. */
const serve = async () => {
  await eyes.isLoaded()
  const username = await eyes.room()
  if (await eyes.isTaken()) {
    await counting('take over', async () => {
      await keyboard.press('Alt+T')
      await eyes.canWrite()
    })
  }
  const open = await asked()
  for (const line of open) {
    if (line.need === 'answer' || line.need === 'quick reply' || line.need === 'take over') continue
    await counting(line.need, () => doNeed(line, keyboard, eyes))
    const member = desk.members[line.who]
    if (line.need === 'envelope' && member) await acceptEnvelope(member)
  }
  if (open.length === 0) return
  const isCanned = open.some(({ need }) => need === 'quick reply')
  await counting(isCanned ? 'quick reply' : 'answer', async () => {
    if (isCanned) {
      await keyboard.type('/hour')
      await eyes.until(`document.querySelector('[role=option][aria-selected=true]')`)
      await keyboard.press('Enter')
      await keyboard.type(` ${username}`)
    } else await keyboard.type(`Hello ${username}, that is settled.`)
    // What came meanwhile is answered too: the room no longer waits for it afterwards.
    const all = [...open, ...(await asked()).filter(({ n }) => !open.some((line) => line.n === n))]
    await keyboard.type(all.map(({ n }) => ` #${n}`).join(''))
    await keyboard.press('Control+Enter')
    for (const { n } of all) answered.add(n)
  })
}

/** Goes to the room that waits. "Next" leaves out a colleague's: it is found by its name. */
const goOn = async () => {
  const before = await eyes.room()
  const names = (await eyes.waiting()).filter((name) => !name.includes(before || 'nobody'))
  await counting('finding a room', async () => {
    if (names.every((name) => name.includes(taken))) {
      await keyboard.press('Control+K')
      await eyes.until(`document.activeElement?.matches('[role=combobox]')`)
      await keyboard.type(taken)
      await eyes.until(`document.querySelector('[role=option][aria-selected=true]')?.textContent.includes('${taken}')`)
      await keyboard.press('Enter')
    } else await keyboard.press('Alt+N')
    // A room that was answered a moment ago may still be shown as waiting: then "next" stays.
    await eyes
      .until(`!document.querySelector('h1')?.textContent.includes('${before || 'nobody'}')`, 3000)
      .catch(() => {})
  })
}

const began = performance.now()
const isOver = () => sent === MESSAGES && answered.size === MESSAGES
for (let quiet = Date.now(); !isOver() && Date.now() - quiet < CUT_MS + 10_000; ) {
  const here = await eyes.room()
  if (here) await eyes.isLoaded()
  if (here && (await asked()).length > 0) await serve()
  else if ((await eyes.waiting()).some((name) => !name.includes(here || 'nobody'))) {
    await goOn()
    await serve()
  } else {
    await pause(30)
    continue
  }
  quiet = Date.now()
}
await members
const seconds = (performance.now() - began) / 1000

// What the members really got.
let misdirected = 0
let unanswered = 0
let doubled = 0
const moved = { points: 0, envelope: 0, take: 0, 'pay in': 0, 'pay out': 0 }
await eyes.until(`document.querySelectorAll('.c-row[data-own] .c-tick[data-reached]').length > 0`)
for (const [who, { code, username, client }] of desk.members.entries()) {
  const own = lines.filter((line) => line.who === who)
  const history = async () => (await client.call('room/history', { code, per_page: 100 })).messages
  let messages = await history()
  // What was written without a line arrives after it.
  for (const until = Date.now() + 20_000; Date.now() < until && messages.at(-1)?.is_self; messages = await history())
    await pause(200)
  const answers = messages.filter(({ is_self, type }) => !is_self && type === 1)
  misdirected += answers.filter(({ content }) => /hour\d\d/.test(content) && !content.includes(username)).length
  for (const { n } of own) {
    const found = answers.filter(({ content }) => new RegExp(`#${n}(?!\\d)`).test(content)).length
    if (found === 0) unanswered++
    if (found > 1) doubled++
  }
  const amounts = messages.filter(({ transaction_id }) => transaction_id).map(({ amount }) => Number(amount))
  for (const { need, text } of own)
    if (need in moved && amounts.some((found) => Math.abs(found) === Number(amountIn(text))))
      moved[need as keyof typeof moved]++
}
const notes = await Promise.all(
  lines
    .filter(({ need }) => need === 'note')
    .map(async ({ who, text }) => {
      const member = desk.members[who]
      const room = (await desk.dana.call('room/list', {})).data.find(({ code }) => code === member?.code)
      const { data } = await desk.dana.call('note/list', { room_id: room?.room_id ?? 0 })
      return data.some(({ title }) => title.includes(text))
    }),
)
const answers = tally.answer.times + tally['quick reply'].times
const answering = tally.answer.keys + tally['quick reply'].keys + tally['finding a room'].keys
const wanted = (need: Line['need']) => lines.filter((line) => line.need === need).length

report({
  name: 'hour',
  title: `The working hour: ${MESSAGES} messages in ${ROOMS} rooms, by keyboard alone`,
  method: 'one run',
  machine: describeMachine('of the demo'),
  tables: [
    {
      caption: 'What was done, and the keys besides letters and digits',
      rows: [
        ['', 'times', 'keys', 'keys each'],
        ...Object.entries(tally).map(([kind, { times, keys }]) => [kind, times, keys, times ? keys / times : '']),
        ['all', '', keyboard.counted.keys, ''],
      ],
    },
    {
      caption: 'What the members got',
      rows: [
        ['', 'number'],
        ['answers misdirected', misdirected],
        ['messages unanswered', unanswered],
        ['answers sent twice', doubled],
        [`transfers to them, of ${wanted('points')}`, moved.points],
        [`transfers from them, of ${wanted('take')}`, moved.take],
        [`requests for points in that were paid, of ${wanted('pay in')}`, moved['pay in']],
        [`requests for points out that were paid, of ${wanted('pay out')}`, moved['pay out']],
        [`envelopes, of ${wanted('envelope')}`, moved.envelope],
        [`notes on the right member, of ${wanted('note')}`, notes.filter(Boolean).length],
        ['clicks', 0],
        ['errors of the page', complaints.length],
        ['seconds', Math.round(seconds)],
      ],
    },
  ],
  ratios: [
    { what: 'command keys per answer, finding its room included', value: answering / answers, aim: { most: 2.2 } },
    { what: 'command keys per answer, all other work included', value: keyboard.counted.keys / answers },
    { what: 'misdirected, unanswered or doubled', value: misdirected + unanswered + doubled, aim: { most: 0 } },
  ],
  notes: [
    `The members write at a person's pace (one message in 0.9 to 2.3 s), now and then two in a row. ${CUT_MS / 1000} s of the time there is no line. The person at the desk reads the screen, types 40 letters a second and never uses the mouse. Letters and digits of texts, names and amounts are not counted; every other key is, Alt+N as one.`,
  ],
  rounds: { tally, misdirected, unanswered, doubled, moved, notes, complaints },
})
await browser.close()
gate.close()
await server.remove()
isCleared()
