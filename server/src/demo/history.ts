import { randomUUID } from 'node:crypto'
import { TransferKind } from '@tallyroom/contract/codes'
import { locks } from '../data/locks.ts'
import { type Database, many, run, sql, type Tx } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import { gameAccountFinder } from '../ledger/engine/game-account.ts'

const DAYS = 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const POINT = 10_000n

/** Someone with members: who acts for it, and the accounts whose points it gives and takes. */
export type DemoGroup = { head: number; staff: number[]; members: number[] }

type Wallet = { id: number; accountId: number; balance: bigint; seq: bigint }
type Transfer = {
  at: number
  kind: TransferKind
  actor: number
  funder: number
  target: number
  amount: bigint
  audit: bigint
  remark: string
  betId: string | null
}
type Posting = { wallet: number; seq: bigint; transfer: number; amount: bigint; after: bigint }

/** The same numbers at every start (mulberry32): a picture of the demo stays true. */
const makeRandom = (seed: number) => {
  let state = seed
  return (most: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * most)
  }
}

const remarks = ['bank transfer', 'slip received', 'FPX', '', 'e-wallet', '']

/**
 * Transfers and bets of the last 30 days, written into the ledger with their own times. The ledger's own way writes at
 * the present time only. `npm run ledger:check` holds for these rows as for all others.
 */
export const writeHistory = async (db: Database, topId: number, groups: DemoGroup[], timeZone: string) => {
  const game = await gameAccountFinder(db)(topId)
  const plan = planOf(topId, game, groups)
  const accounts = [...new Set(plan.flatMap(({ funder, target }) => [funder, target]))]
  await db.transact(async (tx) => {
    const found = await many<Wallet>(
      tx,
      sql`select id, account_id as "accountId", balance, seq from wallets
        where kind = ${is.mainWallet} and account_id = any(${accounts}::int[]) order by id for no key update`,
    )
    const wallets = new Map(found.map((wallet) => [wallet.accountId, wallet]))
    // Days that the server has summed meanwhile are summed again.
    await run(tx, sql`select pg_advisory_xact_lock(${locks.reportSums}::bigint)`)
    await run(tx, sql`delete from summed_spans`)
    await write(tx, { topId, plan, wallets, timeZone })
  })
}

/** In the order of their times. No wallet of a member goes below zero, and every turnover is bet at once. */
const planOf = (topId: number, game: number, groups: DemoGroup[]): Transfer[] => {
  const random = makeRandom(20_261_122)
  const begin = Date.now() - DAYS * DAY_MS
  const plan: Transfer[] = []
  const add = (transfer: Omit<Transfer, 'audit' | 'remark' | 'betId'> & Partial<Transfer>) =>
    plan.push({ audit: 0n, remark: '', betId: null, ...transfer })
  const give = TransferKind.send
  for (const { head } of groups)
    add({
      at: begin,
      kind: give,
      actor: topId,
      funder: topId,
      target: head,
      amount: 80_000n * POINT,
      remark: 'opening balance',
    })
  for (const { head, staff, members } of groups)
    for (const member of members) {
      let balance = 0n
      for (let day = 1; day <= DAYS; day++) {
        if (random(10) < 5) continue
        const actor = staff[random(staff.length)] ?? head
        // Over after 60 minutes, before now and before the next day's.
        const at = begin + day * DAY_MS - 2 * HOUR_MS - random(20 * 60) * 60_000
        const amount = BigInt(5 + random(36)) * 10n * POINT
        const won = (amount * BigInt(50 + random(75))) / 100n
        const betId = `demo-${member}-${day}`
        add({
          at,
          kind: give,
          actor,
          funder: head,
          target: member,
          amount,
          audit: amount,
          remark: remarks[random(6)] ?? '',
        })
        const played = { actor: game, funder: game, target: member, betId }
        add({ ...played, at: at + HOUR_MS / 2, kind: TransferKind.bet, amount, audit: amount })
        add({ ...played, at: at + HOUR_MS / 2 + 60_000, kind: TransferKind.win, amount: won })
        balance += won
        const taken = (balance / POINT / 20n) * 10n * POINT
        if (random(10) < 4 && taken > 0n) {
          balance -= taken
          add({
            at: at + HOUR_MS,
            kind: TransferKind.receive,
            actor,
            funder: head,
            target: member,
            amount: taken,
            remark: 'payout',
          })
        }
      }
    }
  return plan.sort((a, b) => a.at - b.at)
}

type Writing = { topId: number; plan: Transfer[]; wallets: Map<number, Wallet>; timeZone: string }

const write = async (tx: Tx, { topId, plan, wallets, timeZone }: Writing) => {
  const postings: Posting[] = []
  const balances: bigint[] = []
  for (const [transfer, { kind, funder, target, amount }] of plan.entries()) {
    const sign = kind === TransferKind.receive || kind === TransferKind.bet ? -1n : 1n
    const move = (accountId: number, moved: bigint) => {
      const wallet = wallets.get(accountId)
      if (!wallet) throw new Error(`the demo needs the wallet of account ${accountId}`)
      wallet.balance += moved
      wallet.seq++
      postings.push({ wallet: wallet.id, seq: wallet.seq, transfer, amount: moved, after: wallet.balance })
      return wallet.balance
    }
    move(funder, -sign * amount)
    balances.push(move(target, sign * amount))
  }
  const ids = await many<{ id: bigint }>(
    tx,
    sql`select nextval(pg_get_serial_sequence('transfers', 'id')) as id from generate_series(1, ${plan.length}::int)`,
  )
  const idOf = (at: number) => ids[at]?.id ?? 0n
  const times = plan.map(({ at }) => new Date(at).toISOString())
  await run(
    tx,
    sql`insert into transfers (top_id, wallet, id, transaction_id, op, actor_id, funder_id, target_id, amount, audit_amount,
        remark, bet_id, target_balance, created_at)
      select ${topId}::int, 1, * from unnest(${plan.map((_, at) => idOf(at))}::bigint[],
        ${plan.map(() => randomUUID())}::uuid[], ${plan.map(({ kind }) => kind)}::smallint[],
        ${plan.map(({ actor }) => actor)}::int[], ${plan.map(({ funder }) => funder)}::int[],
        ${plan.map(({ target }) => target)}::int[], ${plan.map(({ amount }) => amount)}::bigint[],
        ${plan.map(({ audit }) => audit)}::bigint[], ${plan.map(({ remark }) => remark)}::text[],
        ${plan.map(({ betId }) => betId)}::text[], ${balances}::bigint[], ${times}::timestamptz[])`,
  )
  await run(
    tx,
    sql`insert into postings (top_id, leg, wallet_id, seq, transfer_id, amount, balance_after, created_at)
      select ${topId}::int, 0, * from unnest(${postings.map(({ wallet }) => wallet)}::int[],
        ${postings.map(({ seq }) => seq)}::bigint[], ${postings.map(({ transfer }) => idOf(transfer))}::bigint[],
        ${postings.map(({ amount }) => amount)}::bigint[], ${postings.map(({ after }) => after)}::bigint[],
        ${postings.map(({ transfer }) => times[transfer] ?? '')}::timestamptz[])`,
  )
  const moved = [...wallets.values()]
  await run(
    tx,
    sql`update wallets w set balance = v.balance, seq = v.seq
      from unnest(${moved.map(({ id }) => id)}::int[], ${moved.map(({ balance }) => balance)}::bigint[],
        ${moved.map(({ seq }) => seq)}::bigint[]) v (id, balance, seq) where w.id = v.id`,
  )
  await run(
    tx,
    sql`insert into day_totals (account_id, day, top_id, total_in, total_out)
      select t.funder_id, (t.created_at at time zone ${timeZone})::date, t.top_id,
        coalesce(sum(t.amount) filter (where t.op = ${TransferKind.send}), 0), coalesce(sum(t.amount) filter (where t.op = ${TransferKind.receive}), 0)
      from transfers t join accounts a on a.id = t.target_id
      where t.id = any(${ids.map(({ id }) => id)}::bigint[]) and a.role_id = ${is.member} and t.op in (${TransferKind.send}, ${TransferKind.receive})
      group by 1, 2, 3`,
  )
}
