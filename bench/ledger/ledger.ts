import { one, sql } from '../../server/src/db.ts'
import { startChild } from '../lib/child.ts'
import { coresDuring, endedSeconds, familySeconds, ownSeconds } from '../lib/cpu.ts'
import { type Load, loadHead, loadRow } from '../lib/load.ts'
import { describeMachine } from '../lib/machine.ts'
import { type Made, makePeople, topAccount } from '../lib/people.ts'
import { report } from '../lib/report.ts'
import { isQuick, seconds as secondsOf, takeTurns } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import { medians } from '../lib/stats.ts'
import type { LedgerClient, Pair } from './client.ts'
import type { OneByOne } from './one-by-one.ts'
import { preparePgbench, runPgbench } from './pgbench.ts'

const CLIENTS = 64
const SECONDS = secondsOf(4)
/** As many branches as clients, or they would wait for each other's rows; at 1 GB it is still all in memory. */
const SCALE = isQuick ? 10 : CLIENTS
const CREDIT = 10n ** 16n

const server = await openServer()
const { db, connection } = server
const client = startChild<LedgerClient>(new URL('client.ts', import.meta.url))
const other = startChild<OneByOne>(new URL('one-by-one.ts', import.meta.url))

const top = await topAccount(db)
const hot = await makePeople(db, { role: 2, under: [top], each: 1, prefix: 'hot', credit: CREDIT })
const agents = await makePeople(db, { role: 2, under: [top], each: 1000, prefix: 'a', credit: CREDIT })
const tokens = new Map([...hot, ...agents].map(({ id, token }) => [id, token]))
const asPairs = (members: Made[]): Pair[] => members.map(({ groupId, id }) => [tokens.get(groupId) ?? '', id])
const pairs = {
  hot: asPairs(await makePeople(db, { role: 4, under: hot, each: 1000, prefix: 'h' })),
  many: asPairs(await makePeople(db, { role: 4, under: agents, each: 10, prefix: 'm' })),
}

const alone = { url: await other.ask('start', connection), pid: other.pid }
const { secret } = (await (await fetch(`${server.url}/config.json`)).json()) as { secret: string }
const pgbenchVersion = await preparePgbench(connection, SCALE)
await db.query('checkpoint', [])

const database = () => familySeconds(server.postmaster)
let answered = 0

const transfers = ({ url, pid }: { url: string; pid: number }, whom: Pair[]) => {
  let expected = 6000
  const meters = { client: () => ownSeconds(client.pid), server: () => ownSeconds(pid), database }
  return async (): Promise<Load> => {
    await client.ask('prepare', {
      url,
      secret,
      pairs: whom,
      count: Math.ceil(Math.max(expected * 1.5, 2000) * SECONDS),
    })
    return coresDuring(meters, async () => {
      const { count, ...load } = await client.ask('run', { url, clients: CLIENTS, seconds: SECONDS })
      answered += count
      expected = load.rate
      return load
    })
  }
}
/** It is both the client and all there is of a server; its time is known when it has ended. */
const pgbenchMeters = { client: () => endedSeconds(process.pid), server: () => Number.NaN, database }

const measured = await takeTurns({
  'one hot agent': transfers(server, pairs.hot),
  '1,000 agents': transfers(server, pairs.many),
  pgbench: () => coresDuring(pgbenchMeters, () => runPgbench(connection, CLIENTS, SECONDS)),
  'one by one, one hot agent': transfers(alone, pairs.hot),
  'one by one, 1,000 agents': transfers(alone, pairs.many),
})

const kept = await one<{ sum: string; transfers: number }>(
  db,
  sql`select (select sum(balance)::text from wallets) as sum, (select count(*)::int from transfers) as transfers`,
)
if (kept?.sum !== '0' || kept.transfers !== answered)
  throw new Error(`${answered} transfers were answered, ${kept?.transfers} are kept, and the sum is ${kept?.sum}`)

const load = (name: keyof typeof measured) => medians(measured[name])
const ratio = (a: keyof typeof measured, b: keyof typeof measured) => load(a).rate / load(b).rate

report({
  name: 'ledger',
  title: 'Ledger: answered, durable transfers a second',
  machine: describeMachine(server.postgres),
  tables: [
    {
      caption: `${CLIENTS} clients, ${SECONDS} s a round`,
      rows: [
        loadHead('transfers'),
        loadRow('Tallyroom, one hot agent', load('one hot agent')),
        loadRow('Tallyroom, 1,000 agents', load('1,000 agents')),
        loadRow(`pgbench ${pgbenchVersion}, TPC-B-like, scale ${SCALE}`, load('pgbench')),
        loadRow('one by one, one hot agent', load('one by one, one hot agent')),
        loadRow('one by one, 1,000 agents', load('one by one, 1,000 agents')),
      ],
    },
  ],
  ratios: [
    { what: 'one hot agent / pgbench', value: ratio('one hot agent', 'pgbench'), aim: { least: 1 } },
    {
      what: 'one hot agent / one by one',
      value: ratio('one hot agent', 'one by one, one hot agent'),
      aim: { least: 5 },
    },
    { what: '1,000 agents / pgbench', value: ratio('1,000 agents', 'pgbench') },
    { what: '1,000 agents / one by one', value: ratio('1,000 agents', 'one by one, 1,000 agents') },
  ],
  notes: [
    `All on one PostgreSQL with fsync, synchronous_commit and full_page_writes on. Tallyroom and one by one go the same road of HTTP, envelope and session, with the same number of database connections; pgbench talks to the database itself. Afterwards all ${answered} answered transfers were there, and the wallets summed to 0.`,
  ],
  rounds: measured,
})

await Promise.all([client.stop(), other.stop()])
await server.close()
