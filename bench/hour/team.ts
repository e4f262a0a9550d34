import { setTimeout as pause } from 'node:timers/promises'
import { defaultRules } from '@tallyroom/contract/desk/rules'
import { chromium } from '@playwright/test'
import { findChromium, launchWith } from '../../e2e/support/page/browser.ts'
import { signIn } from '../../e2e/support/client.ts'
import { startServer } from '../../e2e/support/server.ts'
import { officeState } from '../../e2e/support/storage.ts'
import { build } from '../../scripts/build.mjs'
import { clearAwayAtExit } from '../lib/server.ts'
import { makeEyes, makeKeyboard } from './keyboard.ts'
import { type Member, PASSWORD, prepare } from './members.ts'

// `npx tsx bench/hour/team.ts`: three colleagues in three browsers answer by keyboard what the server assigns to them. One
// closes the laptop in the middle, with conversations of its own. It keeps no result.
const MESSAGES = 60
const PEOPLE = ['dana', 'mika', 'omar'] as const
const LEAVES = 'omar'
/** The least that a group may choose. */
const GONE_S = 30
/** A page is noted each ten seconds, and what goes back is assigned twice a second. */
const BACK_S = GONE_S + 15
const QUIET_MS = (BACK_S + 40) * 1000

await build()
const server = await startServer({ env: { DEMO: 'yes' } })
const isCleared = clearAwayAtExit(server.dataDir)
const { members } = await prepare(server.url, server.password, { isTaken: false })
const dana = await signIn(server.url, 'dana', PASSWORD)
await dana.call('deskSetting/save', { ...defaultRules, assign: 'least', gone_s: GONE_S })
const browser = await chromium.launch(launchWith(await findChromium()))

const answered = new Map<number, string>()
let sent = 0
const complaints: string[] = []

type Worked = { name: string; keys: number; answers: number; left: boolean }
/** One colleague at the desk, who answers until everything is answered, or goes in the middle. */
const work = async (name: (typeof PEOPLE)[number]): Promise<Worked> => {
  const client = await signIn(server.url, name, PASSWORD)
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 720 },
    storageState: await officeState({ url: server.url, origin: server.url }, name, PASSWORD),
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(`${name}: ${error}`))
  await page.goto(`${server.url}/chat/messaging`)
  const keyboard = makeKeyboard(page)
  const eyes = makeEyes(page)
  await eyes.until(`document.querySelectorAll('.room-rows li').length > 5`)
  await client.call('desk/state', { state: 'on' })
  const one = { name, keys: 0, answers: 0, left: false }
  /** Names of the waiting conversations that are the person's own, or also those of nobody: a colleague beyond its capacity takes from the queue. */
  const waiting = (alsoFree: boolean) =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.room-rows .room-link')]
      .filter((link) => link.querySelector('.room-waiting') && (link.querySelector('.room-owner-mark[data-own]') ||
        ${alsoFree} && !link.querySelector('.room-owner-mark')))
      .map((link) => link.querySelector('.room-username').textContent)`)
  const isMine = () => page.evaluate<boolean>(`document.querySelector('.c-composer textarea') !== null`)
  const asked = async () =>
    (await eyes.unanswered())
      .flatMap((text) => Number(/^#(\d+) /.exec(text)?.[1] ?? []))
      .filter((n) => !answered.has(n))
  for (let quiet = Date.now(); answered.size < MESSAGES && Date.now() - quiet < QUIET_MS; ) {
    if (name === LEAVES && sent >= MESSAGES / 2 && (await waiting(false)).length > 0) {
      one.left = true
      break
    }
    const here = await eyes.room()
    const numbers = here && (await isMine()) ? await asked() : []
    if (numbers.length > 0) {
      await keyboard.type(`Hello ${here}, that is settled.`)
      // What came meanwhile is answered too: the room no longer waits for it afterwards.
      const all = new Set([...numbers, ...(await asked())])
      await keyboard.type([...all].map((n) => ` #${n}`).join(''))
      // What another person has taken meanwhile is not sent.
      if ((await eyes.room()) !== here || !(await isMine())) continue
      await keyboard.press('Control+Enter')
      for (const n of all) answered.set(n, name)
      one.answers++
      quiet = Date.now()
    } else if ((await waiting(true)).some((username) => !username.includes(here || 'nobody'))) {
      await keyboard.press('Alt+N')
      await eyes
        .until(`!document.querySelector('h1')?.textContent.includes('${here || 'nobody'}')`, 3000)
        .catch(() => {})
      await eyes.isLoaded()
      quiet = Date.now()
    } else await pause(50)
  }
  one.keys = keyboard.counted.keys
  if (one.left) await context.close()
  return one
}

const write = async ({ client, code }: Member, n: number) => {
  await client.call('sendMessage', { code, type: 1, content: `#${n} is it there?`, request_id: crypto.randomUUID() })
  sent = n
}
const began = performance.now()
const writing = (async () => {
  // The pages are open by then.
  await pause(8000)
  for (let n = 1; n <= MESSAGES; n++) {
    await pause(500 + ((n * 397) % 900))
    await write(members[(n * 7) % members.length] as Member, n)
  }
})()
const people = await Promise.all(PEOPLE.map(work))
await writing
const seconds = (performance.now() - began) / 1000

let [unanswered, doubled, misdirected, longest] = [0, 0, 0, 0]
for (const [at, { client, code, username }] of members.entries()) {
  const { messages } = await client.call('room/history', { code, per_page: 100 })
  const answers = messages.filter(({ is_self, type }) => !is_self && type === 1)
  misdirected += answers.filter(({ content }) => /hour\d\d/.test(content) && !content.includes(username)).length
  for (let n = 1; n <= MESSAGES; n++) {
    if ((n * 7) % members.length !== at) continue
    const found = answers.filter(({ content }) => new RegExp(`#${n}(?!\\d)`).test(content))
    if (found.length === 0) {
      unanswered++
      const room = (await dana.call('room/list', {})).data.find((one) => one.code === code)
      console.log(n, username, answered.get(n), room?.owner_name, room?.waiting_since)
    }
    if (found.length > 1) doubled++
    const question = messages.find(({ content }) => content.startsWith(`#${n} `))
    const [answer] = found
    if (question && answer)
      longest = Math.max(longest, (Date.parse(answer.created_at) - Date.parse(question.created_at)) / 1000)
  }
}
const answers = people.reduce((sum, one) => sum + one.answers, 0)
const keys = people.reduce((sum, one) => sum + one.keys, 0)
for (const { name, ...one } of people)
  console.log(`${name}: ${one.answers} answers, ${one.keys} command keys${one.left ? ', then closed the laptop' : ''}`)
console.log(
  `${MESSAGES} messages in ${Math.round(seconds)} s: ${unanswered} unanswered, ${doubled} answered twice, ${misdirected} misdirected`,
)
console.log(
  `the longest wait ${longest.toFixed(1)} s (at most ${BACK_S} s until a colleague has what was left, and the answer)`,
)
console.log(
  `${(keys / answers).toFixed(2)} command keys per answer; ${complaints.length} errors of the pages ${complaints.join(' ')}`,
)
await browser.close()
await server.remove()
isCleared()
process.exit(unanswered + doubled + misdirected + complaints.length === 0 ? 0 : 1)
