import { openingKinds } from '../../domain/kind-sets.ts'
import type { TransferKind } from '@tallyroom/contract/codes'
import { type Db, many, type Row, sql } from '../../data/sql.ts'
import { moment } from './history.ts'
import { is } from '../../domain/is.ts'

export type TurnoverLimit = Row & {
  transaction_id: string
  transferKind: TransferKind
  amount: bigint
  asked: bigint
  filled: bigint
  lifted: boolean
  opened_at: string
  created_at: string
  updated_at: string
}
/**
 * The flow limits of an account, newest first. Bets fill the oldest limit first, so the remaining turnover belongs to the
 * newest ones: each lacks what is left after all newer ones. A lifted limit keeps what had been filled.
 */
export const turnoverLimits = async (
  db: Db,
  accountId: number,
  timeZone: string,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ rows: TurnoverLimit[]; total: number }> => {
  const rows = await many<TurnoverLimit & { total: number }>(
    db,
    sql`with limits as (
        select t.id, t.transaction_id, t.op, t.amount, t.audit_amount as asked, coalesce(e.settled_at, t.created_at) as opened_at,
          c.audit_amount as lifted, t.created_at, coalesce(c.created_at, e.settled_at, t.created_at) as updated_at
        from transfers t left join envelopes e on e.transfer_id = t.id left join transfers c on c.corrects = t.id
        where t.target_id = ${accountId} and t.audit_amount > 0 and t.op in ${openingKinds} and coalesce(e.status, 1) = 1),
      newer as (
        select l.*, coalesce(sum(case when lifted is null then asked else 0 end) over (order by opened_at desc, id desc
          rows between unbounded preceding and 1 preceding), 0) as newer from limits l)
      select n.transaction_id, n.op as "transferKind", n.amount, n.asked, n.lifted is not null as lifted,
        n.asked - coalesce(n.lifted, least(n.asked, greatest(w.flow_due - n.newer, 0)))::bigint as filled,
        ${moment(sql`n.opened_at`, timeZone)} as opened_at, ${moment(sql`n.created_at`, timeZone)} as created_at,
        ${moment(sql`n.updated_at`, timeZone)} as updated_at, (count(*) over ())::int as total
      from newer n join wallets w on w.account_id = ${accountId} and w.kind = ${is.mainWallet}
      order by n.opened_at desc, n.id desc limit ${per_page} offset ${(page - 1) * per_page}`,
  )
  return { rows, total: rows[0]?.total ?? 0 }
}
