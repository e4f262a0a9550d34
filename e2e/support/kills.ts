import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Client, Reply } from './client.ts'
import type { Server } from './server.ts'

// Transfers of many clients, a kill in the middle of them, and what must be true afterwards.

const check = fileURLToPath(new URL('../../server/dist/ledger-check.js', import.meta.url))

const MAX_WAIT = 60_000

/** A paying client, and the member it pays. */
export type Giver = { client: Client; member: number }
export type TransferAttempt = { giver: Giver; request_id: string; amount: string; answer?: Reply }
/** Ends the server, or something of its database. */
export type Blow = () => Promise<unknown>

type Crowd = { clients: number; answeredBefore: number; blow: Blow }

/** Many clients transfer at once until enough were answered. Then the blow; answers that still arrive are kept. */
export const transfersUntil = async (
  givers: Giver[],
  { clients, answeredBefore, blow }: Crowd,
): Promise<TransferAttempt[]> => {
  const transfers: TransferAttempt[] = []
  let answered = 0
  let striking: Promise<unknown> | undefined
  let hasFallen = false
  const client = async () => {
    while (!hasFallen) {
      const giver = givers[transfers.length % givers.length]
      if (!giver) throw new Error('transfersUntil needs at least one giver')
      const attempt: TransferAttempt = { giver, request_id: randomUUID(), amount: `${transfers.length + 1}.0001` }
      transfers.push(attempt)
      const answer = await make(attempt).catch(() => undefined)
      if (answer?.code !== 1000) return
      attempt.answer = answer
      if (++answered === answeredBefore) striking = blow().finally(() => (hasFallen = true))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  if (!striking) throw new Error(`only ${answered} transfers were answered before there was any blow`)
  await striking
  return transfers
}

/**
 * Repeats every transfer with its request id, as our browser does. An answered one must get the same answer again, an
 * unanswered one exactly one outcome.
 * @returns how it was broken, in words
 */
export const askAgain = async (transfers: TransferAttempt[], atOnce: number): Promise<string[]> => {
  const broken: string[] = []
  const rest = [...transfers]
  const client = async () => {
    for (let attempt = rest.pop(); attempt; attempt = rest.pop()) {
      const answer = await untilAnswered(attempt)
      if (answer.code !== 1000) broken.push(`${attempt.request_id} was refused: ${answer.code} ${answer.message}`)
      else if (!attempt.answer) attempt.answer = answer
      else if (JSON.stringify(attempt.answer.data) !== JSON.stringify(answer.data)) {
        broken.push(`${attempt.request_id}: ${transactionOf(attempt.answer)} became ${transactionOf(answer)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return broken
}

const make = ({ giver, request_id, amount }: TransferAttempt) =>
  giver.client.ask('user/transaction', { id: giver.member, amount, remark: 'kill', request_id })

export const transactionOf = (answer: Reply | undefined): string | undefined =>
  (answer?.data as { transaction_id?: string } | undefined)?.transaction_id

/** Asks until there is a definite answer: while server or database restart there is none. */
const untilAnswered = async (attempt: TransferAttempt): Promise<Reply> => {
  for (const end = performance.now() + MAX_WAIT; performance.now() < end; ) {
    const answer = await make(attempt).catch(() => undefined)
    if (answer && (answer.code < 1500 || answer.code > 1503)) return answer
    await pause(20)
  }
  return { code: 0, message: 'it did not come back', data: null }
}

const pidFile = ({ dataDir }: Server) => readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')

export const killPostmaster =
  (server: Server): Blow =>
  async () =>
    process.kill(Number(pidFile(server)[0]), 'SIGKILL')

const embedded = (server: Server): pg.ClientConfig => {
  const lines = pidFile(server)
  return { host: lines[4], port: Number(lines[3]), user: 'tallyroom', database: 'tallyroom' }
}

/** A separate connection to the server's database. */
export const databaseOf = async (server: Server): Promise<pg.Client> => {
  const database = new pg.Client(server.database ?? embedded(server))
  await database.connect()
  return database
}

/** One process of PostgreSQL that works for the server; its postmaster then ends all the others and recovers. */
export const killBackend = async (server: Server): Promise<Blow> => {
  const database = await databaseOf(server)
  // It dies with the others.
  database.on('error', () => undefined)
  return async () => {
    const { rows } = await database.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
        order by (state = 'idle'), random() limit 1`,
    )
    if (!rows[0]) throw new Error('PostgreSQL has no process that works for the server')
    process.kill(rows[0].pid, 'SIGKILL')
    await database.end().catch(() => undefined)
  }
}

/** The output of ledger:check on the server's data. */
export const checked = async ({ dataDir }: Server): Promise<string> => {
  const env = { ...process.env, DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, [check], { env }).catch(
    (error: { stdout?: string }) => ({ stdout: `✗ ${error.stdout}` }),
  )
  return stdout
}
