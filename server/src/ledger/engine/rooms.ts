import { isTaking, type KindFacts, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { TransferStatus, type MessageType } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { type Tx, sql } from '../../data/sql.ts'
import type { Hub } from '../../live/hub.ts'
import { findMessages, lockRooms, writeMessages } from '../../chat/messages.ts'
import type { NewMessage } from '../../chat/room-row.ts'
import type { BatchFacts, RoomFacts } from './load.ts'
import type { MoveOrder } from '../rules/orders.ts'
import { type Draft, isInRoom, type NewTransfer } from './write.ts'
import { asCard, changeCards } from './cash-cards.ts'
import { lastChanges } from './write-cash.ts'

/** The member's room with the actor's group, else its own group's: an upline's envelope must appear where the member looks. */
export const roomFor = (order: MoveOrder, rooms: RoomFacts[]): { room: RoomFacts | undefined; isWrong: boolean } => {
  if (!order.room) return { room: undefined, isWrong: false }
  const ofMember = rooms.filter((room) => room.partnerId === order.targetId)
  const ours = ofMember.find((room) => room.groupId === order.actor.groupId)
  const { code } = order.room
  return { room: ours ?? ofMember[0], isWrong: code !== undefined && ours?.code !== code }
}

const messageType = ({ transferKind, status }: NewTransfer): MessageType => {
  const { message }: KindFacts = transferKinds[transferKind]
  if (!message) throw new Error(`transfers of kind ${transferKind} have no room message`)
  return status === TransferStatus.pending ? (message.pending ?? message.done) : message.done
}

/** Writes the messages of new envelopes and updates those of settled or corrected ones. Sent to both sides after the commit. */
export const showInRooms = async (tx: Tx, hub: Hub, draft: Draft, facts: BatchFacts): Promise<void> => {
  const shown = draft.transfers.flatMap((transfer) =>
    transfer.room && !transfer.card ? [asMessage(transfer, transfer.room, facts)] : [],
  )
  const cards = draft.cash.made.map((made) => asCard(made, facts))
  const changes = lastChanges(draft.cash)
  const settled = [...draft.settlements.map(({ terms }) => terms), ...draft.corrected].filter(isInRoom)
  if (shown.length + settled.length + cards.length + changes.length === 0) return
  const roomIds = [
    ...[...shown, ...cards, ...changes.map(({ row }) => row)].map(({ roomId }) => roomId),
    ...settled.map((terms) => terms.roomId ?? 0),
  ]
  const rooms = await lockRooms(tx, [...new Set(roomIds)])
  const ids = settled.map((terms) => terms.transferId)
  const changed = ids.length ? await findMessages(tx, sql`m.transfer_id = any(${ids}::bigint[])`) : []
  const changedCards = await changeCards(tx, rooms, changes)
  writeMessages(tx, hub, rooms, {
    news: [...shown, ...cards],
    changed: [...changed, ...changedCards],
    now: facts.instant,
  })
}

const asMessage = (transfer: NewTransfer, room: NonNullable<NewTransfer['room']>, facts: BatchFacts): NewMessage => {
  const { id, transactionId, amount, remark } = transfer
  const { sender } = room
  const isPending = transfer.status === TransferStatus.pending
  return {
    roomId: room.id,
    messageId: transactionId,
    type: messageType(transfer),
    content: formatPoints(amount),
    senderId: sender.id,
    fromPartner: false,
    senderUsername: sender.username,
    senderNickname: sender.nickname,
    senderIsSub: facts.parties.find(({ id }) => id === sender.id)?.isSub ?? 0,
    transfer: {
      id,
      transactionId,
      status: transfer.status,
      type: isTaking(transfer.transferKind) ? 2 : 1,
      amount,
      remark,
      isCorrected: false,
      expiresAt: isPending ? facts.deadline : null,
    },
  }
}
