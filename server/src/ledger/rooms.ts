import { formatPoints } from '@tallyroom/contract/points'
import { type Tx, sql } from '../db.ts'
import type { Hub } from '../hub.ts'
import { findMessages, lockRooms, type NewMessage, writeMessages } from '../messages.ts'
import type { Facts, RoomFacts } from './facts.ts'
import type { MoveOrder } from './orders.ts'
import { isTaking, op, status } from './rules.ts'
import type { Draft, NewTransfer } from './write.ts'

/** The member's room with the actor's group, or else with its own: an upline's envelope lies where the member looks. */
export const roomFor = (order: MoveOrder, rooms: RoomFacts[]): { room: RoomFacts | undefined; isWrong: boolean } => {
  if (!order.room) return { room: undefined, isWrong: false }
  const ofMember = rooms.filter((room) => room.partnerId === order.targetId)
  const ours = ofMember.find((room) => room.groupId === order.actor.groupId)
  const { code } = order.room
  return { room: ours ?? ofMember[0], isWrong: code !== undefined && ours?.code !== code }
}

const messageType = ({ order, opened }: NewTransfer): number => {
  if (order.op === op.send) return opened.status === status.pending ? 7 : 3
  return { [op.receive]: 6, [op.gift]: 8, [op.makeUp]: 9, [op.gameSend]: 10, [op.gameDeduct]: 11 }[order.op]
}

/** Shows every new envelope in its room and changes those that were settled, on both sides after the commit. */
export const showInRooms = async (tx: Tx, hub: Hub, draft: Draft, facts: Facts): Promise<void> => {
  const shown = draft.transfers.flatMap((transfer) =>
    transfer.roomId === null ? [] : [asMessage(transfer, transfer.roomId, facts)],
  )
  const settled = draft.settlements.filter(({ terms }) => terms.roomId !== null)
  if (shown.length + settled.length === 0) return
  const roomIds = [...shown.map((message) => message.roomId), ...settled.map(({ terms }) => terms.roomId ?? 0)]
  const rooms = await lockRooms(tx, [...new Set(roomIds)])
  const ids = settled.map(({ terms }) => terms.transferId)
  const changed = ids.length ? await findMessages(tx, sql`m.transfer_id = any(${ids}::bigint[])`) : []
  writeMessages(tx, hub, rooms, { news: shown, changed, now: facts.instant })
}

const asMessage = (transfer: NewTransfer, roomId: number, facts: Facts): NewMessage => {
  const { id, transactionId, order, opened } = transfer
  const { actor, amount, remark } = order
  const isPending = opened.status === status.pending
  return {
    roomId,
    messageId: transactionId,
    type: messageType(transfer),
    content: formatPoints(amount),
    senderId: actor.id,
    fromPartner: false,
    senderUsername: actor.username,
    senderNickname: actor.nickname,
    senderIsSub: facts.parties.find(({ id }) => id === actor.id)?.isSub ?? 0,
    transfer: {
      id,
      transactionId,
      status: opened.status,
      type: isTaking(order.op) ? 2 : 1,
      amount,
      remark,
      expiresAt: isPending ? facts.deadline : null,
    },
  }
}
