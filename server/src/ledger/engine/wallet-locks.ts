import type { WalletKind } from '@tallyroom/contract/codes'
import { many, type Sql, sql, type Tx } from '../../data/sql.ts'

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
