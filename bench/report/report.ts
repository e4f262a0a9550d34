import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Actor } from '../../server/src/identity/actor.ts'
import { Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { sr02 } from '../../server/src/calls/points/report/sr02.ts'
import { connect, type Database, type Db, one, sql } from '../../server/src/data/sql.ts'
import { makeFirstAccount } from '../../server/src/accounts/first-account.ts'
import { checkLedger } from '../../server/src/ledger/check/check.ts'
import { historyPage, historyTotals } from '../../server/src/ledger/read/history.ts'
import { sumAll } from '../../server/src/ledger/read/report-sums.ts'
import { markPostings } from '../../server/src/ledger/read/posting-marks.ts'
import { heldAtEnd } from '../../server/src/ledger/read/statement-held.ts'
import { statementLines } from '../../server/src/ledger/read/statement-lines.ts'
import { type StatementInput, statementOf, statementSums } from '../../server/src/ledger/read/statement.ts'
import type { TransferFilter } from '../../server/src/ledger/read/history-filter.ts'
import { migrate } from '../../server/src/data/migrate.ts'
import { startPostgres } from '@tallyroom/postgres'
import { describeMachine } from '../lib/machine.ts'
import type { Parent } from '../lib/people.ts'
import { report } from '../lib/report.ts'
import { isQuick } from '../lib/rounds.ts'
import { clearAwayAtExit } from '../lib/server.ts'
import { median } from '../lib/stats.ts'
import { load } from './load.ts'

// `npm run bench:report -- [sizes]`: SR02 over a year and the first pages of history, for these numbers of transfers.
const given = process.argv.slice(2).flatMap((word) => (/^\d+$/.test(word) ? [Number(word)] : []))
const sizes = given.length ? given : isQuick ? [20_000] : [100_000, 1_000_000, 10_000_000]
/** More than five: from then on PostgreSQL may plan a named statement for all values alike. */
const TIMES = 12
const YEAR = { start_time: '', end_time: '' }
const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')
const DAY = 86_400_000
Object.assign(YEAR, { start_time: at(-365 * DAY), end_time: at(DAY / 2) })

const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-bench-'))
clearAwayAtExit(dataDir)
const postgres = await startPostgres({ dataDir })
/** Space in the write-ahead log to insert ten million rows at once, which no real server does. */
const roomy = connect({ ...postgres.superuser, max: 1 })
for (const setting of ["max_wal_size = '16GB'", "checkpoint_timeout = '30min'", 'max_parallel_maintenance_workers = 2'])
  await roomy.query(`alter system set ${setting}`, [])
await roomy.query('select pg_reload_conf()', [])
await roomy.end()

const actorOf = async (db: Database, { id }: Pick<Parent, 'id'>): Promise<Actor> => {
  const actor = await one<{ role: Role }>(
    db,
    sql`select a.id, a.role_id as role, a.top_id as "topId", a.group_id as "groupId", a.path, g.path as "groupPath", a.username,
        false as masks from accounts a join accounts g on g.id = a.group_id where a.id = ${id}`,
  )
  return actor as unknown as Actor
}

/** PostgreSQL's own time for all statements of a call. */
const databaseTime = async (db: Database, call: (db: Db) => Promise<unknown>) => {
  let ms = 0
  await call({
    query: async (text, values, isReplanned) => {
      type Plan = { 'QUERY PLAN': { 'Planning Time': number; 'Execution Time': number }[] }
      const [row] = await db.query<Plan>(`explain (analyze, timing off, format json) ${text}`, values, true)
      const plan = row?.['QUERY PLAN'][0]
      ms += (plan?.['Planning Time'] ?? 0) + (plan?.['Execution Time'] ?? 0)
      return db.query(text, values, isReplanned)
    },
  })
  return ms
}

type Times = { database: number; call: number }

const measure = async (db: Database, call: (db: Db) => Promise<unknown>): Promise<Times> => {
  await call(db)
  const [database, calls]: [number[], number[]] = [[], []]
  for (let time = 0; time < TIMES; time++) {
    const began = performance.now()
    await call(db)
    calls.push(performance.now() - began)
  }
  for (let time = 0; time < 3; time++) database.push(await databaseTime(db, call))
  return { database: median(database), call: median(calls.slice(5)) }
}

/** A database with `transfers` transfers, and the calls to measure. */
const withSize = async (transfers: number) => {
  const name = `size_${transfers}`
  const first = connect({ ...postgres.superuser, max: 1 })
  await first.query(`create database ${name}`, [])
  await first.end()
  const config = { ...postgres.superuser, database: name } as Parameters<typeof load>[0]
  await migrate(config)
  const db = connect({ ...config, max: 1 })
  await makeFirstAccount(db, 'bench-Passw0rd')
  const began = performance.now()
  const people = await load(config, transfers)
  // A server does this beside its work.
  while (await markPostings(db));
  const filled = performance.now()
  await sumAll(db, 'UTC')
  const summedS = (performance.now() - filled) / 1000
  console.log(
    `${transfers} transfers made in ${((performance.now() - began) / 1000).toFixed(1)} s, the last ${summedS.toFixed(1)} s for the sums of days and months`,
  )
  const broken = (await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)
  if (broken.length) throw new Error(`The loader broke invariants of the ledger: ${JSON.stringify(broken)}`)
  console.log(`ledger:check is content after ${((performance.now() - began) / 1000).toFixed(1)} s`)

  const calls = new Map<string, (db: Db) => Promise<unknown>>()
  const range = { username: '', start_date: YEAR.start_time.slice(0, 10), end_date: at(0).slice(0, 10) }
  const top = await actorOf(db, people.top)
  for (const who of ['top', 'region', 'head', 'agent'] as const) {
    const actor = await actorOf(db, people[who])
    const viewer = { actor, timeZone: 'UTC' }
    const usual = { ...range, by: 'operator', what: 'points' } as const
    const month = { ...usual, start_date: at(-30 * DAY).slice(0, 10) }
    calls.set(`SR02 of a year, ${who}`, (asked) => sr02(asked, viewer, usual))
    calls.set(`SR02 of a year by branch, ${who}`, (asked) => sr02(asked, viewer, { ...usual, by: 'branch' }))
    calls.set(`SR02 of a month by person, ${who}`, (asked) => sr02(asked, viewer, { ...month, by: 'person' }))
    calls.set(`SR02 of a month by member, ${who}`, (asked) => sr02(asked, viewer, { ...month, by: 'member' }))
    calls.set(`SR02 of a year by person, ${who}`, (asked) => sr02(asked, viewer, { ...usual, by: 'person' }))
    calls.set(`SR02 of a year by customer service, ${who}`, (asked) => sr02(asked, viewer, { ...usual, by: 'service' }))
    calls.set(`SR02 of a year by member, ${who}`, (asked) => sr02(asked, viewer, { ...usual, by: 'member' }))
    for (const by of ['branch', 'member'] as const)
      calls.set(`SR02 of a year, bets by ${by}, ${who}`, (asked) => sr02(asked, viewer, { ...usual, by, what: 'bets' }))
  }
  for (const who of ['top', 'head', 'agent', 'busy', 'member'] as const) {
    const viewer = { actor: top, timeZone: 'UTC' }
    const scope = who === 'busy' || who === 'member' ? 'own' : 'branch'
    const asked: StatementInput = { ...range, id: people[who].id, scope, wallet: 0, by: '' }
    calls.set(`statement of a year, ${who}: its sums`, async (asks) =>
      statementSums(asks, await statementOf(asks, viewer, asked)),
    )
    calls.set(`statement of a year, ${who}: what is held`, async (asks) =>
      heldAtEnd(asks, await statementOf(asks, viewer, asked), 500),
    )
    calls.set(`statement of a year, ${who}: first page`, async (asks) =>
      statementLines(asks, await statementOf(asks, viewer, asked), { limit: 1000 }),
    )
  }
  // The same requests as the screen sends.
  const usual = { ...YEAR, username: '', page: 1, per_page: 1000 }
  for (const who of ['top', 'head', 'agent', 'quiet', 'busy', 'member'] as const) {
    const actor = await actorOf(db, people[who])
    const page = (kind: 1 | 2, terms: object) => (asked: Db) =>
      historyPage(asked, { actor, timeZone: 'UTC' }, kind, { ...usual, ...terms })
    calls.set(`transfers of a year, ${who}`, page(1, {}))
    calls.set(`envelopes of a year, ${who}`, page(2, {}))
    if (actor.role === Role.member) continue
    calls.set(`transfers of the last day, ${who}`, page(1, { start_time: at(-DAY) }))
    calls.set(`transfers, from ${who} to what the report counts`, page(1, { operator_id: actor.id }))
    const cell = { what: 'points', id: actor.id, way: 'in' } as const
    calls.set(`transfers of a cell by branch, ${who}`, page(1, { cell: { ...cell, by: 'branch' } }))
    calls.set(`transfers of a cell by person, ${who}`, page(1, { cell: { ...cell, by: 'person' } }))
  }
  const searched = (username: string) => (asked: Db) =>
    historyPage(asked, { actor: top, timeZone: 'UTC' }, 1, { ...usual, username })
  calls.set('transfers by the username of a member, top', searched('member00055'))
  calls.set('transfers by the username of a quiet operator, top', searched('agent00989'))
  calls.set('transfers by a part that many names have, top', searched('mem'))
  calls.set('transfers by a name that nobody has, top', searched('nobody-has-it'))
  const { member } = people
  const known = await one<{ id: bigint; transactionId: string; code: string }>(
    db,
    sql`select t.id, t.transaction_id as "transactionId", r.code from transfers t join rooms r on r.partner_id = t.target_id
      where t.target_id = ${member.id} order by t.id limit 1`,
  )
  const amount = (points: number) => ({ min_amount: BigInt(points) * 10_000n, max_amount: BigInt(points) * 10_000n })
  const { send, gift, makeUp } = TransferKind
  const { rejected, failed, pending } = TransferStatus
  const searches: Record<string, TransferFilter & { username?: string }> = {
    'a rare amount': amount(777),
    'a frequent amount': amount(100),
    'an amount that nobody moved': amount(123),
    'a range of rare amounts': { min_amount: 7_000_000n, max_amount: 8_000_000n },
    'a frequent kind': { types: [send] },
    'a kind that nobody used': { types: [makeUp] },
    'a status of some': { statuses: [rejected] },
    'a status of few': { statuses: [pending] },
    'a status of none': { statuses: [failed] },
    'rare words of a remark': { remark: 'lost the' },
    'frequent words of a remark': { remark: 'weekly bo' },
    'words that no remark has': { remark: 'nothing of the kind' },
    'the number of one transfer': { id: String(known?.id) },
    'the id of one transfer': { id: known?.transactionId ?? '' },
    'amount, kind and remark': { ...amount(5), types: [gift], remark: 'weekly bonus 77' },
    'amount and kind that never meet': { ...amount(777), types: [gift] },
    'amount and the name of the busiest member': { ...amount(777), username: 'member00000' },
  }
  for (const who of ['top', 'head', 'agent'] as const) {
    const actor = await actorOf(db, people[who])
    for (const [what, filter] of Object.entries(searches))
      calls.set(`search for ${what}, ${who}`, (asked) =>
        historyPage(asked, { actor, timeZone: 'UTC' }, 1, { ...usual, ...filter }),
      )
    calls.set(`totals of a rare amount, ${who}`, (asked) =>
      historyTotals(asked, { actor, timeZone: 'UTC' }, { ...usual, ...amount(777) }, 50_000),
    )
  }
  const head = await actorOf(db, member)
  calls.set('search for a room, its member', (asked) =>
    historyPage(asked, { actor: head, timeZone: 'UTC' }, 1, { ...usual, room: known?.code ?? '' }),
  )
  return { size: transfers, db, calls }
}

const databases: Awaited<ReturnType<typeof withSize>>[] = []
for (const size of sizes) databases.push(await withSize(size))

const whats = [...(databases[0]?.calls.keys() ?? [])]
const found = new Map<string, Times>()
// The sizes take turns, so that a slower machine affects all of them.
for (const what of whats)
  for (const { size, db, calls } of databases) {
    const call = calls.get(what)
    if (!call) throw new Error(`${what} is not measured for ${size}`)
    const times = await measure(db, call)
    console.log(`${what}, ${size}: ${times.database.toFixed(1)} ms of the database, ${times.call.toFixed(1)} ms in all`)
    found.set(`${what} ${size}`, times)
  }
const cell = (size: number, what: string, of: keyof Times) => found.get(`${what} ${size}`)?.[of] ?? Number.NaN
const largest = sizes.at(-1) ?? 0
const before = sizes.at(-2)
const slowest = (beginning: string) =>
  Math.max(
    ...sizes.flatMap((size) =>
      whats.filter((what) => what.startsWith(beginning)).map((what) => cell(size, what, 'database')),
    ),
  )
const worst = (part: string) =>
  Math.max(
    ...sizes.flatMap((size) =>
      whats
        .filter((what) => !what.startsWith('SR02') && what.includes(part))
        .map((what) => cell(size, what, 'database')),
    ),
  )

report({
  name: 'report',
  title: 'Reports and history with millions of transfers',
  machine: describeMachine('18'),
  tables: [
    {
      caption: 'Milliseconds of the database, and of the whole call in a connection that knows the statement',
      rows: [
        ['', ...sizes.flatMap((size) => [`${size.toLocaleString('en')} transfers`, 'call'])],
        ...whats.map((what) => [
          what,
          ...sizes.flatMap((size) => [cell(size, what, 'database'), cell(size, what, 'call')]),
        ]),
      ],
    },
  ],
  ratios: [
    {
      what: `SR02 of a year at ${largest}, ms`,
      value: cell(largest, 'SR02 of a year, top', 'call'),
      aim: { most: 200 },
    },
    ...(before
      ? [
          {
            what: `SR02 at ${largest} / at ${before}`,
            value: cell(largest, 'SR02 of a year, top', 'call') / cell(before, 'SR02 of a year, top', 'call'),
            aim: { most: 2 },
          },
        ]
      : []),
    {
      what: 'slowest SR02 of a year by customer service, ms of the database',
      value: slowest('SR02 of a year by customer service'),
      aim: { most: 200 },
    },
    {
      what: 'slowest SR02 of a year by level, person or member, or of bets, ms of the database',
      value: slowest('SR02'),
      aim: { most: 300 },
    },
    { what: 'slowest first page of transfers, ms of the database', value: worst('transfers'), aim: { most: 20 } },
    { what: 'slowest first page of envelopes, ms of the database', value: worst('envelopes'), aim: { most: 20 } },
    {
      what: 'statement of a branch’s year, ms of the database',
      value: worst('statement of a year, head'),
      aim: { most: 300 },
    },
    { what: 'slowest first page of a search, ms of the database', value: worst('search'), aim: { most: 150 } },
  ],
  notes: [
    '1,001 operators in two levels and a region above four of the heads, 9,900 members, a twentieth of all transfers by one of them, none by one operator but in the first days. Five of twelve transfers are made by customer service. A first page is a thousand rows, as the screen asks for them, and their count as far as it goes; searches are of a year. Made by `bench/report/load.ts`, and found sound by ledger:check.',
  ],
  rounds: Object.fromEntries(found),
})

for (const { db } of databases) await db.end()
await postgres.stop()
process.exit()
