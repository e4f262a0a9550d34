import type { heldReasons } from '@tallyroom/contract/statement'
import { type Db, many, sql, withFreshPlan } from '../../data/sql.ts'
import { shownText } from '../../identity/masking.ts'
import { moment } from './history.ts'
import { timesOf } from './history-search.ts'
import { sumsBefore } from './posting-marks.ts'
import { shownSide, sidesOf } from './statement-lines.ts'
import type { Statement } from './statement.ts'
import { is } from '../../domain/is.ts'

type Reason = (typeof heldReasons)[number]
type HeldWallet = { id: number; seq: bigint; balance: bigint }
type HeldTransfer = { walletId: number; transferId: bigint; amount: bigint }

/** Points that are held at the end of the period, oldest first, at most `most`. */
export const heldAtEnd = async (db: Db, statement: Statement, most: number) => {
  if (!statement.showsHeld) return { held: [], isCut: false }
  const { actor } = statement.viewer
  const all = await transfersHeld(db, await holding(db, statement))
  const ids = all.map(({ transferId }) => transferId)
  const rows = await many<{
    at: string
    transaction_id: string
    reason: Reason
    holderId: number
    targetId: number
    actorId: number
    remark: string
    amount: bigint
  }>(
    db,
    sql`select ${moment(sql`t.created_at`, timesOf(statement.viewer))} as at, t.transaction_id,
        case when e.type = ${is.cashHold} then 'request' when e.type > ${is.cashHold} then 'approval' else 'envelope' end as reason,
        w.account_id as "holderId", t.target_id as "targetId", t.actor_id as "actorId",
        coalesce(x.remark, t.remark) as remark, h.amount
      from unnest(${ids}::bigint[], ${all.map(({ walletId }) => walletId)}::int[], ${all.map(({ amount }) => amount)}::bigint[])
          h (transfer_id, wallet_id, amount)
        join transfers t on t.id = h.transfer_id join envelopes e on e.transfer_id = t.id join wallets w on w.id = h.wallet_id
        left join lateral (select remark from remark_edits where transfer_id = t.id order by seq desc limit 1) x on true
      order by t.created_at, t.id limit ${most + 1}`,
  )
  const sideOf = await sidesOf(
    db,
    actor,
    rows.flatMap((row) => [row.holderId, row.targetId, row.actorId]),
  )
  const held = rows.slice(0, most).map(({ holderId, targetId, actorId, ...row }) => {
    const [member, maker] = [sideOf(targetId), sideOf(actorId)]
    return {
      ...row,
      account: shownSide(actor, sideOf(holderId)),
      member: shownSide(actor, member),
      remark: shownText(actor, maker, shownText(actor, member, row.remark)),
    }
  })
  return { held, isCut: rows.length > most }
}

/** The escrow wallets that hold something at the end. */
const holding = (db: Db, { wallets, end }: Statement) =>
  many<HeldWallet>(
    db,
    withFreshPlan(sql`with w as materialized (select w.id from ${wallets} and w.kind = ${is.escrow})
      select w.id, s.seq, s.balance from w cross join ${sumsBefore(sql`w.id`, end)} s where s.balance > 0`),
  )

/** Held points are among the last postings of a wallet: the search goes back until it has found the whole balance. */
const FIRST_STEP = 64
const STEP = 16

const transfersHeld = async (db: Db, wallets: HeldWallet[], step = FIRST_STEP): Promise<HeldTransfer[]> => {
  if (wallets.length === 0) return []
  const found = await many<HeldTransfer>(
    db,
    withFreshPlan(sql`select v.id as "walletId", p.transfer_id as "transferId", sum(p.amount)::bigint as amount
      from unnest(${wallets.map(({ id }) => id)}::int[], ${wallets.map(({ seq }) => seq)}::bigint[]) v (id, seq)
        cross join lateral (select transfer_id, amount from postings
          where wallet_id = v.id and seq <= v.seq order by seq desc limit ${step}) p
      group by v.id, p.transfer_id having sum(p.amount) > 0`),
  )
  const sums = new Map<number, bigint>()
  for (const { walletId, amount } of found) sums.set(walletId, (sums.get(walletId) ?? 0n) + amount)
  const open = wallets.filter(({ id, balance, seq }) => sums.get(id) !== balance && seq > BigInt(step))
  const isOpen = new Set(open.map(({ id }) => id))
  return [...found.filter(({ walletId }) => !isOpen.has(walletId)), ...(await transfersHeld(db, open, step * STEP))]
}
