import pg from 'pg'
import { one, sql } from '../../server/src/data/sql.ts'
import { checkLedger } from '../../server/src/ledger/check/check.ts'
import { locks } from '../../server/src/data/locks.ts'
import { startChild } from '../lib/child.ts'
import { coresDuring, endedSeconds, familySeconds, ownSeconds, serverSeconds } from '../lib/cpu.ts'
import { type Load, loadHead, loadRow } from '../lib/load.ts'
import { describeMachine } from '../lib/machine.ts'
import { report } from '../lib/report.ts'
import { isQuick, seconds as secondsOf, alternate } from '../lib/rounds.ts'
import { openServer, openWorkers } from '../lib/server.ts'
import { medians } from '../lib/stats.ts'
import type { LedgerClient } from './client.ts'
import type { Mix } from './operations.ts'
import type { OneByOne } from './one-by-one.ts'
import { makeEverybody } from './people.ts'
import { preparePgbench, runPgbench } from './pgbench.ts'

const CLIENTS = 64
const SECONDS = secondsOf(3)
/** As many branches as clients, or they would wait for each other's rows; at 1 GB it is still all in memory. */
const SCALE = isQuick ? 10 : CLIENTS

const server = await openServer()
const { db, connection } = server
const client = startChild<LedgerClient>(new URL('client.ts', import.meta.url))
const withWorkers = await openWorkers(server)
const other = startChild<OneByOne>(new URL('one-by-one.ts', import.meta.url))

const everybody = await makeEverybody(server)
const { secret } = (await (await fetch(`${server.url}/config.json`)).json()) as { secret: string }
await client.ask('know', { secret, ...everybody })
const alone = { url: await other.ask('start', connection), pid: other.pid }

let transfers = 0
for (const whom of ['hot', 'limited', 'many']) {
  await client.ask('prepare', { url: server.url, mix: 'funds', whom, clients: CLIENTS, count: 0 })
  transfers += (await client.ask('run', { url: server.url, seconds: 300 })).transfers
}
const pgbenchVersion = await preparePgbench(connection, SCALE)
await db.query('vacuum analyze', [])
await db.query('checkpoint', [])

const database = () => familySeconds(server.postmaster)
type Course = { url: string; pid: number; mix: Mix; whom: 'hot' | 'limited' | 'many'; half?: boolean }
/** The highest rate that each course reached. */
const reached = new Map<string, number>()

const course = ({ url, pid, mix, whom, half = false }: Course) => {
  const meters = { client: () => ownSeconds(client.pid), server: () => serverSeconds(pid, server.postmaster), database }
  const name = `${url} ${mix} ${whom}`
  return async (): Promise<Load> => {
    const most = reached.get(name) ?? 5000
    const count = Math.ceil(Math.max(most * 1.5, 2000) * SECONDS)
    await client.ask('prepare', { url, mix, whom, clients: CLIENTS, count })
    return coresDuring(meters, async () => {
      const paced = half ? { rate: most / 2 } : {}
      const { transfers: made, ...load } = await client.ask('run', { url, seconds: SECONDS, ...paced })
      transfers += made
      if (!half) reached.set(name, load.rate)
      return load
    })
  }
}
/** pgbench is client and server in one; its processor time is known when it has ended. */
const pgbenchMeters = { client: () => endedSeconds(process.pid), server: () => Number.NaN, database }
const ours = (mix: Mix, whom: Course['whom'], half = false) => course({ ...server, mix, whom, half })

const lockHolder = new pg.Client(connection)
await lockHolder.connect()
/** Without the seal: the sealer finds its lock taken. What it misses it seals in the rounds with it, beside what is new. */
const notSealed = (round: () => Promise<Load>) => async () => {
  await lockHolder.query('select pg_advisory_lock($1)', [locks.seal])
  try {
    return await round()
  } finally {
    await lockHolder.query('select pg_advisory_unlock($1)', [locks.seal])
  }
}

const measured = await alternate({
  'one hot agent': ours('deposits', 'hot'),
  'one hot agent, not sealed': notSealed(ours('deposits', 'hot')),
  'one hot agent, limits set': ours('deposits', 'limited'),
  '1,000 agents': ours('deposits', 'many'),
  '1,000 agents, not sealed': notSealed(ours('deposits', 'many')),
  'all kinds, one hot agent': ours('all kinds', 'hot'),
  'all kinds, one hot agent, half load': ours('all kinds', 'hot', true),
  'all kinds, 1,000 agents': ours('all kinds', 'many'),
  'all kinds, 1,000 agents, half load': ours('all kinds', 'many', true),
  'envelopes, one hot agent': ours('envelopes', 'hot'),
  'requests paid, one hot agent': ours('requests paid', 'hot'),
  'two workers, one hot agent': course({ ...withWorkers, mix: 'deposits', whom: 'hot' }),
  'two workers, 1,000 agents': course({ ...withWorkers, mix: 'deposits', whom: 'many' }),
  'two workers, all kinds, 1,000 agents': course({ ...withWorkers, mix: 'all kinds', whom: 'many' }),
  pgbench: () => coresDuring(pgbenchMeters, () => runPgbench(connection, CLIENTS, SECONDS)),
  'one by one, one hot agent': course({ ...alone, mix: 'deposits', whom: 'hot' }),
  'one by one, 1,000 agents': course({ ...alone, mix: 'deposits', whom: 'many' }),
})

const kept = await one<{ transfers: number; kinds: number; open: number }>(
  db,
  sql`select count(*)::int as transfers, count(distinct op)::int as kinds,
    (select count(*)::int from envelopes where status = 4) as open from transfers`,
)
if (kept?.transfers !== transfers || kept.kinds !== 10 || kept.open > 0)
  throw new Error(`${transfers} transfers were answered, but the database has ${JSON.stringify(kept)}`)
const sealed = await one<{ blocks: number; rows: number; all: number }>(
  db,
  sql`select count(*)::int as blocks, coalesce(sum(rows), 0)::int as rows, (select count(*)::int from postings) as all from seal_blocks`,
)
const broken = (await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)
if (broken.length) throw new Error(`ledger:check found breaches: ${JSON.stringify(broken)}`)

const machine = describeMachine(server.postgres)

type Name = keyof typeof measured
const load = (name: Name) => medians(measured[name])
const row = (name: Name) => loadRow(name === 'pgbench' ? '' : `Tallyroom, ${name}`, load(name))
const ratio = (a: Name, b: Name) => load(a).rate / load(b).rate
/** Operations a second for each core that the client leaves to server and database. */
const forCores = (name: Name) => load(name).rate / (machine.cores - load(name).client)
const twoToOne = (name: 'one hot agent' | '1,000 agents' | 'all kinds, 1,000 agents') => [
  { what: `${name}: two workers / one process`, value: ratio(`two workers, ${name}`, name) },
  {
    what: `${name}: the same, for the cores that the client leaves`,
    value: forCores(`two workers, ${name}`) / forCores(name),
    ...(name === 'one hot agent' ? { aim: { least: 1.4 } } : {}),
  },
]
const tail = (name: Name) => load(name).p99 / load(name).p50

report({
  name: 'ledger',
  title: 'Ledger: answered, durable operations a second',
  machine,
  tables: [
    {
      caption: `${CLIENTS} clients, ${SECONDS} s a round`,
      rows: [
        loadHead('operations'),
        ...(
          [
            'one hot agent',
            'one hot agent, not sealed',
            'one hot agent, limits set',
            '1,000 agents',
            '1,000 agents, not sealed',
            'all kinds, one hot agent',
            'all kinds, one hot agent, half load',
            'all kinds, 1,000 agents',
            'all kinds, 1,000 agents, half load',
            'envelopes, one hot agent',
            'requests paid, one hot agent',
            'two workers, one hot agent',
            'two workers, 1,000 agents',
            'two workers, all kinds, 1,000 agents',
          ] as const
        ).map(row),
        loadRow(`pgbench ${pgbenchVersion}, TPC-B-like, scale ${SCALE}`, load('pgbench')),
        loadRow('one by one, one hot agent', load('one by one, one hot agent')),
        loadRow('one by one, 1,000 agents', load('one by one, 1,000 agents')),
      ],
    },
  ],
  ratios: [
    { what: 'one hot agent / pgbench', value: ratio('one hot agent', 'pgbench'), aim: { least: 1 } },
    {
      what: 'one hot agent, limits set / one hot agent',
      value: ratio('one hot agent, limits set', 'one hot agent'),
      aim: { least: 0.95 },
    },
    { what: 'all kinds, one hot agent / pgbench', value: ratio('all kinds, one hot agent', 'pgbench') },
    { what: 'requests paid, one hot agent / pgbench', value: ratio('requests paid, one hot agent', 'pgbench') },
    { what: '1,000 agents / pgbench', value: ratio('1,000 agents', 'pgbench'), aim: { least: 1 } },
    { what: 'all kinds, 1,000 agents / pgbench', value: ratio('all kinds, 1,000 agents', 'pgbench') },
    { what: 'envelopes, one hot agent / pgbench', value: ratio('envelopes, one hot agent', 'pgbench') },
    {
      what: 'p99 / p50 at half load, all kinds, one hot agent',
      value: tail('all kinds, one hot agent, half load'),
      aim: { most: 5 },
    },
    {
      what: 'p99 / p50 at half load, all kinds, 1,000 agents',
      value: tail('all kinds, 1,000 agents, half load'),
      aim: { most: 5 },
    },
    {
      what: 'one hot agent / one by one',
      value: ratio('one hot agent', 'one by one, one hot agent'),
      aim: { least: 5 },
    },
    {
      what: 'one hot agent, sealed / not sealed',
      value: ratio('one hot agent', 'one hot agent, not sealed'),
      aim: { least: 0.97 },
    },
    {
      what: '1,000 agents, sealed / not sealed',
      value: ratio('1,000 agents', '1,000 agents, not sealed'),
      aim: { least: 0.97 },
    },
    ...(['one hot agent', '1,000 agents', 'all kinds, 1,000 agents'] as const).flatMap(twoToOne),
    { what: '1,000 agents / one by one', value: ratio('1,000 agents', 'one by one, 1,000 agents') },
  ],
  notes: [
    'Without another word operations are deposits. Limits set: the agent has limits of all four parts, and stays below them. All kinds, drawn by lot: deposits and negative transfers of both wallets, send, receive, gift, make-up, game-wallet send and deduct in rooms, offers and requests with their acceptance or rejection (two operations), a member’s own points into its game wallet, a bet and its win through the member API (two), and a transfer with its correction (two). Requests paid, points in and out: the member asks, customer service takes and pays (three operations). At half load requests go out by the clock, and waiting counts.',
    `All on one PostgreSQL with fsync, synchronous_commit and full_page_writes on. Tallyroom and one by one go the same road of HTTP, envelope and session, with the same number of database connections; pgbench talks to the database itself. Afterwards all ${transfers} answered transfers were there, no envelope was open, and ledger:check was content.`,
    `The ledger is sealed while it is written to, but in the rounds that say otherwise: the others also seal what those left. At the end ${sealed?.rows} of ${sealed?.all} postings were sealed, in ${sealed?.blocks} blocks.`,
  ],
  rounds: measured,
})

await lockHolder.end()
await Promise.all([client.stop(), other.stop(), withWorkers.close()])
await server.close()
