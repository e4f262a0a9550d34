import { WalletKind } from '@tallyroom/contract/codes'
import { many, run, type Sql, sql, type Tx } from '../../data/sql.ts'

/** A locked wallet of the batch, changed in memory until everything is written at once. */
export type LockedWallet = {
  id: number
  accountId: number
  topId: number
  kind: WalletKind
  balance: bigint
  floor: bigint | null
  seq: bigint
  turnoverDue: bigint
}

/**
 * Locks the wallets of accounts (an array of their ids) until the end of the transaction, in the order of their ids, so that batches cannot
 * deadlock. The lock also covers the accounts' status and event mode (trigger `hold_wallets`).
 */
export const lockWallets = (tx: Tx, accounts: Sql): Promise<LockedWallet[]> =>
  many<LockedWallet>(
    tx,
    sql`select id, account_id as "accountId", top_id as "topId", kind, balance, floor, seq, flow_due as "turnoverDue"
      from wallets
      where account_id = any(${accounts}) order by id for no key update`,
  )

/** Opens the escrows of members that have none: most never need one. */
export const openEscrows = (tx: Tx, accountIds: number[]): Promise<void> =>
  run(
    tx,
    sql`insert into wallets (top_id, account_id, kind, floor)
      select a.top_id, a.id, ${WalletKind.escrow}::smallint, 0 from accounts a where a.id = any(${accountIds}::int[])
        and not exists (select from wallets w where w.account_id = a.id and w.kind = ${WalletKind.escrow}::smallint)
      order by a.id on conflict do nothing`,
  )
