import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { formatPoints } from '@tallyroom/contract/points'
import type { Running } from '../../server/src/start/serve.ts'
import { startServices } from '../../server/src/start/services.ts'
import { many, one, run, sql, type Tx } from '../../server/src/data/sql.ts'
import { ensure, refuse } from '../../server/src/lib/refusal.ts'
import type { Services } from '../../server/src/services.ts'
import type { Ledger } from '../../server/src/ledger/engine/ledger.ts'
import { type Party, sees } from '../../server/src/ledger/rules/rules.ts'
import { settingsFrom } from '../../server/src/config/settings.ts'
import { answerParent } from '../lib/child.ts'
import { type Connection, SERVER_ENV } from '../lib/server.ts'

type Move = Ledger['move']
type Wallet = { id: number; accountId: number; balance: bigint; floor: bigint | null; seq: bigint }

/** The simplest implementation of a transfer: one transaction that locks both wallets, checks and writes. */
const moveAlone =
  ({ db, hub }: Services): Move =>
  (order) =>
    db.transact(async (tx) => {
      const { actor, targetId, amount, idempotencyKey } = order
      const wallets = await many<Wallet>(
        tx,
        sql`select id, account_id as "accountId", balance, floor, seq from wallets
          where account_id in (${actor.funderId}, ${targetId}) and kind = 1 order by id for no key update`,
      )
      await check(tx, order)
      const from = ensure(
        wallets.find(({ accountId }) => accountId === actor.funderId),
        'account.not_found',
      )
      const to = ensure(
        wallets.find(({ accountId }) => accountId === targetId),
        'account.not_found',
      )
      if (from.floor !== null && from.balance - amount < from.floor) return refuse('transfer.over_credit')
      const transactionId = await write(tx, order, from, to)
      const answer = {
        transaction_id: transactionId,
        status: 1 as const,
        balance: formatPoints(from.balance - amount),
        target_balance: formatPoints(to.balance + amount),
      }
      await run(
        tx,
        sql`insert into requests (actor_id, request_id, call, body_hash, answer)
          values (${actor.id}, ${idempotencyKey.id}, ${order.call}, ${idempotencyKey.hash}, ${JSON.stringify({ data: answer })})`,
      )
      tx.afterCommit(() => {
        for (const id of [actor.id, targetId]) hub.notify(id, 'account', { account_id: id })
      })
      return answer
    })

const check = async (tx: Tx, { actor, targetId }: Parameters<Move>[0]) => {
  const accounts = await many<Pick<Party, 'id' | 'role' | 'path' | 'isFrozen'>>(
    tx,
    sql`select id, role_id as role, path, status = 0 as "isFrozen" from accounts where id in (${actor.id}, ${targetId})`,
  )
  const target = ensure(
    accounts.find(({ id }) => id === targetId),
    'account.not_found',
  )
  if (!sees(actor, target)) return refuse('account.not_found')
  if (accounts.some(({ isFrozen }) => isFrozen)) return refuse('transfer.frozen')
}

const write = async (
  tx: Tx,
  { actor, targetId, transferKind, amount, remark }: Parameters<Move>[0],
  from: Wallet,
  to: Wallet,
) => {
  const transactionId = randomUUID()
  const made = await one<{ id: bigint }>(
    tx,
    sql`insert into transfers (transaction_id, top_id, op, actor_id, funder_id, target_id, wallet, amount, remark, target_balance)
      values (${transactionId}, ${actor.topId}, ${transferKind}, ${actor.id}, ${actor.funderId}, ${targetId}, 1, ${amount}, ${remark},
        ${to.balance + amount}::bigint)
      returning id`,
  )
  const id = made?.id
  await run(
    tx,
    sql`insert into postings (wallet_id, seq, top_id, transfer_id, amount, balance_after) values
      (${from.id}, ${from.seq + 1n}, ${actor.topId}, ${id}, ${-amount}::bigint, ${from.balance - amount}::bigint),
      (${to.id}, ${to.seq + 1n}, ${actor.topId}, ${id}, ${amount}::bigint, ${to.balance + amount}::bigint)`,
  )
  await run(tx, sql`update wallets set balance = balance - ${amount}::bigint, seq = seq + 1 where id = ${from.id}`)
  await run(tx, sql`update wallets set balance = balance + ${amount}::bigint, seq = seq + 1 where id = ${to.id}`)
  await run(
    tx,
    sql`insert into day_totals (account_id, day, top_id, total_in) values (${actor.funderId}, current_date, ${actor.topId}, ${amount})
      on conflict (account_id, day) do update set total_in = day_totals.total_in + excluded.total_in`,
  )
  return transactionId
}

let running: Running | undefined

const questions = {
  /** The same server on the same database, with the one-by-one ledger. */
  start: async (connection: Connection) => {
    const settings = settingsFrom({
      ...SERVER_ENV,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: tmpdir(),
      LOG_LEVEL: 'error',
    })
    running = await startServices(settings, connection)
    running.services.ledger = { ...running.services.ledger, move: moveAlone(running.services) }
    return running.address.replace('localhost', '127.0.0.1')
  },
}
export type OneByOne = typeof questions

answerParent(questions, async () => running?.close())
