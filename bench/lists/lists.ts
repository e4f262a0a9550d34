import { many, run, sql } from '../../server/src/data/sql.ts'
import { makeWire } from '../../server/src/http/wire.ts'
import { openBrowser } from '../lib/browser.ts'
import { ownSeconds } from '../lib/cpu.ts'
import { describeMachine } from '../lib/machine.ts'
import { makePeople, topAccount } from '../lib/people.ts'
import { report } from '../lib/report.ts'
import { alternate } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import { medians } from '../lib/stats.ts'
import { servePlain, timed } from './fetch.ts'
import { openPlain, openTallyroom, useList } from './pages.ts'

const ROWS = 50_000

const server = await openServer({ withPages: true })
const { db, url } = server
const top = await topAccount(db)
const [agent] = await makePeople(db, { role: 2, under: [top], each: 1, prefix: 'agent', credit: 10n ** 16n })
if (!agent) throw new Error('makePeople made no agent: check the numbers of heads and agents')
await makePeople(db, { role: 4, under: [agent], each: ROWS, prefix: 'm' })
// Balances of all lengths, as if the agent had given them.
await run(
  db,
  sql`update wallets set balance = account_id::bigint * account_id % 100000000007 where kind in (1, 2) and floor = 0`,
)
await run(db, sql`vacuum analyze accounts, wallets`)
const names = await many<{ username: string }>(db, sql`select username from accounts where role_id = 4 order by id`)
const usernames = names.map(({ username }) => username)

const { secret } = (await (await fetch(`${url}/config.json`)).json()) as { secret: string }
const wire = makeWire(secret)
const signIn = await timed(`${url}/api/login`, 'identity', {
  token: '',
  envelope: wire.seal('login', { username: 'admin', password: server.password }),
})
const { token } = (JSON.parse(signIn.body.toString()) as { data: { token: string } }).data

const ask = (encoding: string) => async () => {
  const envelope = wire.seal('user/list', { menu_id: 13 })
  const before = ownSeconds(server.pid)
  const { ms, body } = await timed(`${url}/api/user/list`, encoding, { token, envelope })
  return { ms, bytes: body.length, cpu: (ownSeconds(server.pid) - before) * 1000 }
}
const { body: rows } = await timed(`${url}/api/user/list`, 'identity', {
  token,
  envelope: wire.seal('user/list', { menu_id: 13 }),
})
const found = (JSON.parse(rows.toString()) as { data: { data: { username: string }[]; total: number } }).data
if (found.total !== ROWS || found.data.some(({ username }, at) => username !== usernames[at]))
  throw new Error(`user/list returned ${found.total} rows, not the ones that were made`)
const plain = await servePlain(rows)

const answers = await alternate({
  uncompressed: ask('identity'),
  gzip: ask('gzip'),
  brotli: ask('br'),
  'static file': async () => {
    const { ms, body } = await timed(`${plain.url}/rows.json`, 'identity')
    return { ms, bytes: body.length, cpu: Number.NaN }
  },
})

const light = () =>
  timed(`${url}/api/userMenu/auth`, 'identity', { token, envelope: wire.seal('userMenu/auth', { url: '/user' }) })
/** The slowest of the light calls that run one after another while a list loads. */
const beside = async () => {
  let isOver = false
  const list = ask('br')().finally(() => {
    isOver = true
  })
  let slowest = 0
  while (!isOver) slowest = Math.max(slowest, (await light()).ms)
  await list
  return { ms: slowest }
}
const others = await alternate({ beside, alone: light as () => Promise<{ ms: number }> })

const browser = await openBrowser()
const pages = { ours: await openTallyroom(browser, url, server.password), plain: await openPlain(browser, plain.url) }
const seen = await alternate({
  ours: () => useList(pages.ours, usernames),
  plain: () => useList(pages.plain, usernames),
})

const [ours, limit] = [medians(seen.ours), medians(seen.plain)]
const answer = (name: keyof typeof answers, title: string) => {
  const { ms, bytes, cpu } = medians(answers[name])
  return [title, ms, bytes / 1e6, cpu]
}

report({
  name: 'lists',
  title: 'Lists: user/list of 50,000 accounts',
  machine: describeMachine(server.postgres),
  tables: [
    {
      caption: 'The answer, from the request to the last byte, on the same machine',
      rows: [
        ['', 'ms', 'MB on the wire', "ms of the server's processor"],
        answer('uncompressed', 'user/list'),
        answer('gzip', 'user/list, gzip'),
        answer('brotli', 'user/list, brotli (what Chromium gets)'),
        answer('static file', 'the same rows from a static file'),
      ],
    },
    {
      caption: 'A light call (userMenu/auth), whose answer waits while the server is at something else',
      rows: [
        ['', 'ms'],
        ['the slowest while user/list is made and sent', medians(others.beside).ms],
        ['one alone', medians(others.alone).ms],
      ],
    },
    {
      caption: 'In Chromium, 1440 × 900',
      rows: [
        ['', 'click to painted rows, ms', 'click to all rows, ms', 'filter keystroke to painted p50, ms', 'p95, ms'],
        ['Tallyroom, /user as admin', ours.opened, ours.whole, ours.keyP50, ours.keyP95],
        ['the plain limit', limit.opened, limit.whole, limit.keyP50, limit.keyP95],
      ],
    },
  ],
  ratios: [
    { what: 'click to painted: ours / plain', value: ours.opened / limit.opened, aim: { most: 2.5 } },
    { what: 'click to all rows: ours / plain', value: ours.whole / limit.whole },
    { what: 'keystroke p50: ours / plain', value: ours.keyP50 / limit.keyP50 },
    { what: 'keystroke p95: ours / plain', value: ours.keyP95 / limit.keyP95 },
  ],
  notes: [
    'The plain limit is bench/lists/plain.html: the same rows from a file, uncompressed, parsed and put as text into a table of which only the seen part is drawn; no session, no rights, no sorting, no actions. Painted is the first task after the frame in which the first row is right, so every number ends on a frame of 1/60 s. Ours paints its first 100 rows and then asks for the list; all rows are there when it can be sorted and filtered. The plain limit has them all at once. Each round loads the page again and clicks the menu once.',
  ],
  rounds: { answers, others: others.beside, seen },
})

await browser.close()
plain.close()
await server.close()
