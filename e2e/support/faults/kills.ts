import { execFile } from 'node:child_process'
import { errors } from '@tallyroom/contract/errors'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OK } from '@tallyroom/contract'
import pg from 'pg'
import type { Client, Reply } from '../client.ts'
import type { Server } from '../server.ts'

// Transfers of many clients, a kill during them, and the checks afterwards.

const checkProgram = fileURLToPath(new URL('../../../server/dist/ledger-check.js', import.meta.url))

const MAX_WAIT = 60_000

/** A paying client, and the member it pays. */
export type Payer = { client: Client; member: number }
export type TransferAttempt = { payer: Payer; request_id: string; amount: string; answer?: Reply }
/** Kills the server, or a process of its database. */
export type Kill = () => Promise<unknown>

type Load = { clients: number; answeredBefore: number; kill: Kill }

/**
 * Many clients transfer at once until enough are answered. Then runs the kill, and keeps the answers that still arrive.
 */
export const transfersUntil = async (
  payers: Payer[],
  { clients, answeredBefore, kill }: Load,
): Promise<TransferAttempt[]> => {
  const transfers: TransferAttempt[] = []
  let answered = 0
  let killing: Promise<unknown> | undefined
  let isKilled = false
  const client = async () => {
    while (!isKilled) {
      const payer = payers[transfers.length % payers.length]
      if (!payer) throw new Error('transfersUntil needs at least one payer')
      const attempt: TransferAttempt = { payer, request_id: randomUUID(), amount: `${transfers.length + 1}.0001` }
      transfers.push(attempt)
      const answer = await transfer(attempt).catch(() => undefined)
      if (answer?.code !== OK) return
      attempt.answer = answer
      if (++answered === answeredBefore) killing = kill().finally(() => (isKilled = true))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  if (!killing) throw new Error(`only ${answered} transfers were answered before there was any kill`)
  await killing
  return transfers
}

/**
 * Repeats every transfer with its request_id, as the browser does. An answered one must get the same answer, an
 * unanswered one exactly one outcome.
 * @returns the violations, as text
 */
export const repeatTransfers = async (transfers: TransferAttempt[], atOnce: number): Promise<string[]> => {
  const violations: string[] = []
  const rest = [...transfers]
  const client = async () => {
    for (let attempt = rest.pop(); attempt; attempt = rest.pop()) {
      const answer = await untilAnswered(attempt)
      if (answer.code !== OK) violations.push(`${attempt.request_id} was refused: ${answer.code} ${answer.message}`)
      else if (!attempt.answer) attempt.answer = answer
      else if (JSON.stringify(attempt.answer.data) !== JSON.stringify(answer.data)) {
        violations.push(`${attempt.request_id}: ${transactionOf(attempt.answer)} became ${transactionOf(answer)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return violations
}

const transfer = ({ payer, request_id, amount }: TransferAttempt) =>
  payer.client.ask('user/transaction', { id: payer.member, amount, remark: 'kill', request_id })

export const transactionOf = (answer: Reply | undefined): string | undefined =>
  (answer?.data as { transaction_id?: string } | undefined)?.transaction_id

/** Repeats the call until there is a definite answer: there is none while the server or the database restarts. */
const untilAnswered = async (attempt: TransferAttempt): Promise<Reply> => {
  for (const end = performance.now() + MAX_WAIT; performance.now() < end; ) {
    const answer = await transfer(attempt).catch(() => undefined)
    if (answer && (answer.code < errors['server.failed'] || answer.code > errors['server.busy'])) return answer
    await pause(20)
  }
  return { code: 0, message: 'there was no answer', data: null }
}

const pidFile = ({ dataDir }: Server) => readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')

export const killPostmaster =
  (server: Server): Kill =>
  async () =>
    process.kill(Number(pidFile(server)[0]), 'SIGKILL')

const embeddedConfig = (server: Server): pg.ClientConfig => {
  const lines = pidFile(server)
  return { host: lines[4], port: Number(lines[3]), user: 'tallyroom', database: 'tallyroom' }
}

/** A separate connection to the server's database. */
export const databaseOf = async (server: Server): Promise<pg.Client> => {
  const database = new pg.Client(server.database ?? embeddedConfig(server))
  await database.connect()
  return database
}

/** Kills one backend process of PostgreSQL; the postmaster then ends all others and recovers. */
export const killBackend = async (server: Server): Promise<Kill> => {
  const database = await databaseOf(server)
  // This connection ends with the others.
  database.on('error', () => undefined)
  return async () => {
    const { rows } = await database.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
        order by (state = 'idle'), random() limit 1`,
    )
    if (!rows[0]) throw new Error('PostgreSQL has no backend process of the server')
    process.kill(rows[0].pid, 'SIGKILL')
    await database.end().catch(() => undefined)
  }
}

/** The output of `ledger:check` on the server’s data. */
export const ledgerCheck = async (server: Server): Promise<string> => {
  const env = { ...process.env, ...server.env }
  const { stdout } = await promisify(execFile)(process.execPath, [checkProgram], { env }).catch(
    (error: { stdout?: string; stderr?: string }) => ({ stdout: `✗ ${error.stdout}${error.stderr}` }),
  )
  return stdout
}
