import { randomUUID } from 'node:crypto'
import { type TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { messageTypeOf } from '@tallyroom/contract/transfer-kinds'
import { changeDesks } from '../../chat/desk/desk.ts'
import { asTransfer, type StoredTransfer, transferFields, transferTables } from '../../chat/message-transfer.ts'
import type { NewMessage, RoomRow } from '../../chat/room-row.ts'
import { loadUnseen } from '../../chat/unseen.ts'
import { many, type Row, sql, type Tx } from '../../data/sql.ts'
import type { Hub } from '../../live/hub.ts'
import { isHold } from '../rules/rules-approval.ts'
import { type Draft, isInRoom, type NewTransfer } from './write/write.ts'

/*
 * A transfer that waits for approval has no message: its member sees nothing of it, in no count and in no gap. The group
 * sees its card as an internal note. Once it is approved there is a message, as if it were made then.
 */

/** Waits for approval, in a room. The card of a request for points shows its own payment. */
export const isAskedInRoom = ({ room, card, hold }: NewTransfer) =>
  room !== undefined && card === undefined && hold !== undefined

/** The transfers whose approval has ended in the batch, by number. */
const decidedIn = (draft: Draft) =>
  [...draft.settlements.map(({ terms }) => terms), ...draft.changedTransfers]
    .filter((terms) => isInRoom(terms) && isHold(terms.type))
    .map(({ transferId }) => transferId)

type Decided = Row & {
  roomId: number
  transferKind: TransferKind
  makerId: number
  username: string
  nickname: string
  isSub: 0 | 1
  /** The newest message when it was asked for. */
  askedAfter: number
  transfer: StoredTransfer
}

const findDecided = (tx: Tx, ids: bigint[]): Promise<Decided[]> =>
  many<Decided>(
    tx,
    sql`select d.room_id as "roomId", t.op as "transferKind", a.id as "makerId", a.username, a.nickname, a.is_sub as "isSub",
        d.after_seq as "askedAfter", ${transferFields} as transfer
      from transfers t join accounts a on a.id = t.actor_id ${transferTables}
        -- Versions before this one wrote a message at once.
        join asides d on d.room_id = t.room_id and d.transfer_id = t.id
          and not exists (select from asides b where b.room_id = d.room_id and b.transfer_id = t.id and b.seq < d.seq)
      where t.id = any(${ids}::bigint[]) order by t.id`,
  )

/** Writes the cards for the group, and returns the messages of what was approved. Its statements are sent at once. */
export const showHeld = async (
  tx: Tx,
  hub: Hub,
  draft: Draft,
  rooms: ReadonlyMap<number, RoomRow>,
): Promise<NewMessage[]> => {
  const ids = decidedIn(draft)
  const decided = ids.length > 0 ? await findDecided(tx, ids) : []
  const asked = draft.transfers.filter(isAskedInRoom)
  const write = async (
    roomId: number | undefined,
    senderId: number,
    transferId: bigint,
    amount: bigint,
    id: string,
  ) => {
    const room = rooms.get(roomId ?? 0)
    if (!room) throw new Error(`room ${roomId} is not locked: loadRooms() has to name it`)
    const aside = { asideId: id, kind: 'whisper' as const, content: formatPoints(amount), senderId, transferId }
    await changeDesks(tx, hub, [room], { aside })
  }
  for (const { room, id, amount, transactionId, actorId } of asked)
    await write(room?.id, actorId, id, amount, transactionId)
  for (const { roomId, makerId, transfer } of decided)
    await write(roomId, makerId, BigInt(transfer.id), BigInt(transfer.amount), randomUUID())
  const approved = decided.filter(
    ({ transfer: { status, isHeld } }) =>
      status === TransferStatus.success || (status === TransferStatus.pending && isHeld !== true),
  )
  await loadUnseen(
    tx,
    approved.flatMap(({ roomId, askedAfter }) => {
      const room = rooms.get(roomId)
      return room ? [{ room, seen: askedAfter }] : []
    }),
  )
  return approved.map(asMessage)
}

const asMessage = ({ roomId, transferKind, makerId, askedAfter, transfer, ...maker }: Decided): NewMessage => ({
  roomId,
  messageId: transfer.transactionId,
  type: messageTypeOf(transferKind, transfer.status === TransferStatus.pending),
  content: formatPoints(BigInt(transfer.amount)),
  senderId: makerId,
  fromPartner: false,
  senderUsername: maker.username,
  senderNickname: maker.nickname,
  senderIsSub: maker.isSub,
  transfer: asTransfer(transfer),
  seen: askedAfter,
  isApproved: true,
})
