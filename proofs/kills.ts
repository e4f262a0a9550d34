import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parsePoints } from '@tallyroom/contract/points'
import { Role } from '@tallyroom/contract/codes'
import { connectionOf } from '../bench/lib/server.ts'
import { makePeople, topAccount } from '../bench/lib/people.ts'
import { makeClient } from '../e2e/support/client.ts'
import {
  repeatTransfers,
  ledgerCheck,
  type TransferAttempt,
  type Kill,
  type Payer,
  killBackend,
  killPostmaster,
  transactionOf,
  transfersUntil,
} from '../e2e/support/faults/kills.ts'
import { startServer } from '../e2e/support/server.ts'
import { workersOf } from '../e2e/support/workers.ts'
import { buildServer } from '../scripts/build.mjs'
import { connect, many, one, sql } from '../server/src/data/sql.ts'

// R1 and R2. `npx tsx proofs/kills.ts [--server 200] [--database 50] [--workers 0] [--keep FILE]`: kill -9 of the server, and
// of PostgreSQL (its postmaster and one of its processes in turns), each in the middle of 64 clients' transfers. With
// `--workers 100` the server has two workers, and so many kills of one of them are added.
const CLIENTS = 64
const AGENTS = 5
const MAX_SECONDS = 3
const { values } = parseArgs({
  options: {
    server: { type: 'string', default: '200' },
    database: { type: 'string', default: '50' },
    workers: { type: 'string', default: '0' },
    keep: { type: 'string' },
  },
})
const [ofServer, ofDatabase, ofWorkers] = [Number(values.server), Number(values.database), Number(values.workers)]
const env: Record<string, string> = ofWorkers > 0 ? { WORKERS: '2' } : {}

await buildServer()
let server = await startServer({ env })
const port = Number(new URL(server.url).port)

const prepare = async (): Promise<Payer[]> => {
  const db = connect({ ...connectionOf(server.dataDir).connection, max: 1 })
  const agents = await makePeople(db, {
    role: Role.agent,
    under: [await topAccount(db)],
    each: AGENTS,
    prefix: 'k',
    credit: 10n ** 16n,
  })
  const members = await makePeople(db, { role: Role.member, under: agents, each: 4, prefix: 'm' })
  await db.end()
  const clients = new Map(agents.map(({ id, token }) => [id, makeClient(server.url, token)]))
  return members.map(({ id, groupId }) => ({ client: clients.get(groupId) ?? makeClient(server.url), member: id }))
}

const killWorker = async () => {
  const workers = workersOf(server)
  const victim = workers[Math.floor(Math.random() * workers.length)]
  if (victim === undefined) throw new Error('There is no worker to kill')
  process.kill(victim, 'SIGKILL')
}
const killOf = async (name: string): Promise<Kill> => {
  if (name === 'server') return server.kill
  if (name === 'worker') return killWorker
  return name === 'postmaster' ? killPostmaster(server) : killBackend(server)
}

type Round = { kill: string; transfers: number; unanswered: number; seconds: number; broken: string[] }

const strike = async (payers: Payer[], name: string, transfers: TransferAttempt[]): Promise<Round> => {
  let struck = 0
  const kill = await killOf(name)
  const ours = await transfersUntil(payers, {
    clients: CLIENTS,
    answeredBefore: 1 + Math.floor(Math.random() * 400),
    kill: () => {
      struck = performance.now()
      return kill()
    },
  })
  const unanswered = ours.filter(({ answer }) => !answer)
  if (name === 'server') {
    struck = performance.now()
    server = await startServer({ dataDir: server.dataDir, port, env })
    deaths = []
  }
  // Ready is when a client is answered again.
  const first = await repeatTransfers(ours.slice(0, 1), 1)
  const seconds = (performance.now() - struck) / 1000
  const broken = [...first, ...(await repeatTransfers(ours.slice(1), CLIENTS))]
  transfers.push(...ours)
  return { kill: name, transfers: ours.length, unanswered: unanswered.length, seconds, broken }
}

/** A server whose database dies four times within a minute gives up with a message. */
let deaths: number[] = []
const notTooOften = async () => {
  deaths = deaths.filter((at) => performance.now() - at < 61_000)
  const third = deaths.at(-3)
  if (third !== undefined) await pause(61_000 - (performance.now() - third))
  deaths.push(performance.now())
}

/** Compares the database with what the clients know. */
const compare = async (transfers: TransferAttempt[]): Promise<string[]> => {
  const db = connect({ ...connectionOf(server.dataDir).connection, max: 1 })
  const kept = await one<{ sum: string; transfers: number; requests: number; given: bigint }>(
    db,
    sql`select (select sum(balance)::text from wallets) as sum, (select count(*)::int from transfers) as transfers,
      (select count(*)::int from requests where call = 'user/transaction') as requests,
      (select coalesce(sum(balance), 0)::bigint from wallets w join accounts a on a.id = w.account_id where a.role_id = 4) as given`,
  )
  const known = await many<{ request_id: string; transaction_id: string; amount: bigint; member: number }>(
    db,
    sql`select r.request_id, t.transaction_id, t.amount, t.target_id as member
      from requests r join transfers t on t.transaction_id = (r.answer->'data'->>'transaction_id')::uuid`,
  )
  await db.end()
  const byRequest = new Map(known.map((row) => [row.request_id, row]))
  const wrong = transfers.filter(({ request_id, amount, answer, payer }) => {
    const row = byRequest.get(request_id)
    const isKept = row && row.transaction_id === transactionOf(answer) && row.amount === parsePoints(amount)
    return !isKept || row.member !== payer.member
  })
  const wanted = transfers.reduce((sum, { amount }) => sum + (parsePoints(amount) ?? 0n), 0n)
  const said = await ledgerCheck(server)
  return [
    ...wrong.map(({ request_id }) => `${request_id} is not kept as it was answered`),
    ...(kept?.sum === '0' ? [] : [`the wallets sum to ${kept?.sum}`]),
    ...(kept?.transfers === transfers.length ? [] : [`${kept?.transfers} transfers for ${transfers.length} requests`]),
    ...(kept?.requests === transfers.length ? [] : [`${kept?.requests} outcomes for ${transfers.length} requests`]),
    ...(kept?.given === wanted ? [] : [`members hold ${kept?.given}, not ${wanted}`]),
    ...said.split('\n').filter((line) => line.includes('✗')),
  ]
}

const say = (line: string) => {
  process.stdout.write(`${line}\n`)
  if (values.keep) appendFileSync(values.keep, `${line}\n`)
}

const summary = (what: string, rounds: Round[]) => {
  if (rounds.length === 0) return
  const sum = (of: (round: Round) => number) => rounds.reduce((all, round) => all + of(round), 0)
  const times = rounds.map(({ seconds }) => seconds).toSorted((a, b) => a - b)
  const late = times.filter((seconds) => seconds > MAX_SECONDS).length
  say(
    `${what}: ${rounds.length} kills, ${sum((round) => round.transfers)} transfers, ${sum((round) => round.unanswered)} of them unanswered when it fell; ` +
      `answering again after ${times[times.length >> 1]?.toFixed(2)} s in the middle, ${times.at(-1)?.toFixed(2)} s at most, ${late} times later than ${MAX_SECONDS} s`,
  )
}

try {
  const payers = await prepare()
  const transfers: TransferAttempt[] = []
  const rounds: Round[] = []
  const all = ofServer + ofDatabase
  let ofThese = 0
  const blows = Array.from({ length: all }, (_, at): string => {
    if (Math.floor(((at + 1) * ofDatabase) / all) === ofThese) return 'server'
    return ofThese++ % 2 ? 'backend' : 'postmaster'
  })
  for (let n = 0; n < ofWorkers; n++) blows.splice(Math.floor(Math.random() * (blows.length + 1)), 0, 'worker')
  for (const [at, name] of blows.entries()) {
    if (name === 'postmaster') await notTooOften()
    const round = await strike(payers, name, transfers)
    rounds.push(round)
    process.stdout.write(
      `${at + 1} ${name}: ${round.transfers} transfers, again after ${round.seconds.toFixed(2)} s ${round.broken.join(' ')}\n`,
    )
  }
  for (const name of ['server', 'postmaster', 'backend', 'worker'])
    summary(
      name,
      rounds.filter(({ kill }) => kill === name),
    )
  const broken = [...rounds.flatMap((round) => round.broken), ...(await compare(transfers))]
  for (const line of broken.slice(0, 50)) say(`✗ ${line}`)
  say(
    broken.length
      ? `✗ ${broken.length} broken`
      : `✓ ${transfers.length} requests: none lost, none doubled, each with one outcome; the wallets sum to 0, ledger:check is content`,
  )
  if (broken.length) process.exitCode = 1
} finally {
  await server.remove()
}
