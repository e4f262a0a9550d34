import type { Parsed } from '@tallyroom/contract'
import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import { type Db, one, type Sql, sql } from '../../data/sql.ts'
import { type Actor, groupRooms, visibleAccounts } from '../../identity/actor.ts'
import { mayDecideTransfer } from '../../identity/approvers.ts'
import type { Points } from './confirmation.ts'
import { cashKind } from './load/limits.ts'
import { ensure } from '../../lib/refusal.ts'

/** The points that each call moves: what a passkey signs. Of an earlier transfer or request they are read from its row. */

type PointsOf<Kind> = Points & { kind: Kind; wallet: Parsed<'user/transaction'>['type'] }

/** The points that `user/transaction` moves. A negative amount takes them. */
export const movedPoints = ({
  id,
  amount,
  type,
}: Pick<Parsed<'user/transaction'>, 'id' | 'amount' | 'type'>): PointsOf<Added['type']> => {
  const gives = amount > 0n
  const [give, take] =
    type === WalletKind.main
      ? [TransferKind.send, TransferKind.receive]
      : [TransferKind.gameSend, TransferKind.gameDeduct]
  return { memberId: id, kind: gives ? give : take, wallet: type, amount: gives ? amount : -amount }
}

type Added = Pick<Parsed<'transaction/add'>, 'member_id' | 'type' | 'amount' | 'platform'>

/** The points that `transaction/add` moves or offers. */
export const addedPoints = ({ member_id, type, amount, platform }: Added): PointsOf<Added['type']> => {
  const isGame = transferKinds[type].targetWallet === 'game'
  return { memberId: member_id, kind: type, wallet: isGame ? WalletKind.game : platform, amount }
}

/** A transfer between accounts that the actor may see, or from the wallet that it pays from; `t` is its row. */
export const isCorrectableBy = (actor: Actor): Sql =>
  sql`(select count(*) from accounts a where a.id in (t.funder_id, t.target_id) and (a.id = ${actor.funderId} or ${visibleAccounts(actor)}))
    = case when t.funder_id = t.target_id then 1 else 2 end`

const pointColumns = sql`t.funder_id as "payerId", t.target_id as "memberId", t.amount, t.wallet`

export const correctedPoints = async (db: Db, actor: Actor, transactionId: string): Promise<Points> => ({
  ...ensure(
    await one<Omit<Points, 'kind'>>(
      db,
      sql`select ${pointColumns} from transfers t where t.transaction_id = ${transactionId} and ${isCorrectableBy(actor)}`,
    ),
    'transfer.not_found',
  ),
  kind: TransferKind.correction,
})

export const approvedPoints = async (db: Db, { id: actorId, topId }: Actor, id: number): Promise<Points> =>
  ensure(
    await one<Points>(
      db,
      sql`select ${pointColumns}, t.op as kind from approvals p join transfers t on t.id = p.transfer_id
        join accounts a on a.id = p.maker_id join accounts h on h.id = p.holder_id
        where p.id = ${id} and p.top_id = ${topId} and ${mayDecideTransfer(sql`${actorId}::int`)}`,
    ),
    'approval.not_found',
  )

/** Points out go to the head of the request's group; points in come from the account that pays for the actor. */
export const paidPoints = async (db: Db, actor: Actor, id: number, amount: bigint): Promise<Points> => {
  const { direction, memberId, groupId } = ensure(
    await one<{ direction: 'in' | 'out'; memberId: number; groupId: number }>(
      db,
      sql`select c.direction, c.member_id as "memberId", c.group_id as "groupId"
        from cash_requests c join rooms r on r.id = c.room_id where c.id = ${id} and ${groupRooms(actor)}`,
    ),
    'cash.not_found',
  )
  const payerId = direction === 'out' ? groupId : actor.funderId
  return { payerId, memberId, amount, kind: cashKind(direction), wallet: WalletKind.main }
}

/** The points that are signed before one of these calls. */
export const pointsOf = (db: Db, actor: Actor, input: Parsed<'passkey/beginPoints'>): Points | Promise<Points> => {
  switch (input.call) {
    case 'user/transaction':
      return movedPoints(input)
    case 'transaction/add':
      return addedPoints(input)
    case 'transaction/correct':
      return correctedPoints(db, actor, input.transaction_id)
    case 'cash/pay':
      return paidPoints(db, actor, input.id, input.amount)
    case 'approval/approve':
      return approvedPoints(db, actor, input.id)
  }
}
