import { run, sql, type Tx } from '../../data/sql.ts'
import { Role, WalletKind } from '@tallyroom/contract/codes'

type Owner = {
  accountId: number
  topId: number
  role: Role
  /** No floor: the issuer. */
  unlimited?: boolean
  /** How far below zero the main wallet may go, in 1/10000 points. */
  limitOfCredit?: bigint
  /** Opens a game wallet too; members always get one. */
  multiple?: boolean
}

/**
 * Opens the empty wallets of a new account. Accounts that give points get an escrow for open envelopes. Only main wallets
 * may go below zero.
 */
export const openWallets = async (tx: Tx, owner: Owner): Promise<void> => {
  const { accountId, topId, role, unlimited = false, limitOfCredit = 0n, multiple = false } = owner
  const isMember = role === Role.member
  const kinds = [
    WalletKind.main,
    ...(isMember || multiple ? [WalletKind.game] : []),
    ...(isMember ? [] : [WalletKind.escrow]),
  ]
  const floor = unlimited ? null : isMember ? 0n : -limitOfCredit
  const floors = kinds.map((kind) => (kind === WalletKind.main ? floor : 0n))
  await run(
    tx,
    sql`insert into wallets (top_id, account_id, kind, floor)
      select ${topId}, ${accountId}, * from unnest(${kinds}::smallint[], ${floors}::bigint[])`,
  )
}
