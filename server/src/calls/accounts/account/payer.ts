import type { Answer } from '@tallyroom/contract'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { namesOf } from '../../../accounts/accounts.ts'
import { type Db, one, type Row, sql } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import type { Actor } from '../../../identity/actor.ts'
import { may, mayMovePoints } from '../../../identity/policy.ts'

export type PayerRow = {
  payer_id: number
  payer_username: string
  payer_nickname: string
  payer_is_sub: 0 | 1
  payer_balance: bigint
  payer_floor: bigint | null
}

/** Columns of the account `f` whose wallet pays, and of its main wallet `fm`. */
export const payerColumns = sql`f.id as payer_id, f.username as payer_username, f.nickname as payer_nickname,
  f.is_sub as payer_is_sub, fm.balance as payer_balance, fm.floor as payer_floor`

export const asPayer = (row: PayerRow, viewer: Actor): Answer<'member/view'>['payer'] => {
  const names = namesOf(
    { id: row.payer_id, username: row.payer_username, nickname: row.payer_nickname, is_sub: row.payer_is_sub },
    viewer,
  )
  return {
    id: row.payer_id,
    name: names.nickname || names.username,
    available: formatPoints(row.payer_balance - (row.payer_floor ?? 0n)),
    unlimited: row.payer_floor === null,
  }
}

/** The account whose wallet pays what the actor gives; null for its own, and when the actor may not move points. */
export const payerOf = async (db: Db, actor: Actor): Promise<Answer<'user/view'>['payer']> => {
  const mayGive =
    may(actor, 'transaction/add') || may(actor, 'cash/pay') || mayMovePoints(actor, Role.member, TransferKind.send)
  if (actor.role !== Role.customerService || !mayGive) return null
  const row = await one<PayerRow & Row>(
    db,
    sql`select ${payerColumns} from accounts f join wallets fm on fm.account_id = f.id and fm.kind = ${is.mainWallet}
      where f.id = ${actor.funderId}`,
  )
  return row ? asPayer(row, actor) : null
}
