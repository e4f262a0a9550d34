import { type Db, one, sql } from '../../data/sql.ts'

/**
 * The last day of the closed periods that an account was in, as YYYY-MM-DD; null if it was in none. What it moved up to
 * then belongs to the branch in which it was closed, wherever it is now.
 */
export const closedUntil = async (db: Db, accountId: number): Promise<string | null> => {
  const found = await one<{ day: string | null }>(
    db,
    sql`select max(p.end_date)::text as day from closed_balances b join closed_periods p on p.id = b.period_id
      where b.account_id = ${accountId}`,
  )
  return found?.day ?? null
}

/** Whether the transfer is in a closed period of one of its sides. */
export const isTransferClosed = async (db: Db, transferId: bigint): Promise<boolean> => {
  const found = await one<{ closed: boolean }>(
    db,
    sql`select exists (select from postings q join wallets w on w.id = q.wallet_id
        join closed_balances b on b.account_id = w.account_id join closed_periods p on p.id = b.period_id
      where q.transfer_id = ${transferId} and q.created_at >= p.starts_at and q.created_at < p.ends_at) as closed`,
  )
  return found?.closed ?? false
}
