import { isTaking, messageTypeOf } from '@tallyroom/contract/transfer-kinds'
import { TransferStatus } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { type Tx, sql } from '../../data/sql.ts'
import type { Hub } from '../../live/hub.ts'
import { findMessages, lockRooms, lockRoomsBy, writeMessages } from '../../chat/messages.ts'
import { ownIfFree } from '../../chat/own-room.ts'
import type { MessageRow, NewMessage, RoomRow } from '../../chat/room-row.ts'
import { type BatchFacts, earlierTransfers, type RoomFacts, type Terms } from './load/load.ts'
import type { ApprovalFacts } from './load/approvals.ts'
import type { MoveOrder, Order } from '../rules/orders.ts'
import { type Draft, isInRoom, type NewTransfer } from './write/write.ts'
import { isAskedInRoom, showHeld } from './held-cards.ts'
import { asCard, updateCards, endWaits } from './cash-cards.ts'
import { lastSteps } from './write/cash.ts'

/** The member's room with the actor's group, else its own group's: an upline's envelope must appear where the member looks. */
export const roomFor = (order: MoveOrder, rooms: RoomFacts[]): { room: RoomFacts | undefined; isWrong: boolean } => {
  if (!order.room) return { room: undefined, isWrong: false }
  const ofMember = rooms.filter((room) => room.partnerId === order.targetId)
  const ours = ofMember.find((room) => room.groupId === order.actor.groupId)
  const { code } = order.room
  return { room: ours ?? ofMember[0], isWrong: code !== undefined && ours?.code !== code }
}

/** The rooms in which a batch may show something, locked, and the messages of the earlier transfers before the batch. */
export type BatchRooms = { rooms: Map<number, RoomRow>; messages: MessageRow[] }

type Mentioned = { approvals: ApprovalFacts[]; cashRequests: ReadonlyMap<number, { roomId: number }> }

/**
 * Locks every room that the orders may write in, all at once and in the order of their ids, so that batches cannot
 * deadlock. Of a member these are its rooms with all groups: `roomFor` decides which one shows an envelope.
 */
export const loadRooms = async (
  tx: Tx,
  orders: Order[],
  { approvals, cashRequests }: Mentioned,
): Promise<BatchRooms> => {
  const partners = orders.flatMap((order) => (order.kind === 'move' && order.room ? [order.targetId] : []))
  const ids = [
    ...orders.flatMap((order) => (order.kind === 'cashAsk' ? [order.room.id] : [])),
    ...[...cashRequests.values()].map(({ roomId }) => roomId),
    ...approvals.flatMap(({ roomId }) => roomId ?? []),
  ]
  const earlier = earlierTransfers(orders, sql`t.id`)
  const theirRooms = earlierTransfers(orders, sql`t.room_id`) ?? sql`select null::int`
  if (partners.length + ids.length === 0 && !earlier) return { rooms: new Map(), messages: [] }
  const [rooms, messages] = await Promise.all([
    lockRoomsBy(
      tx,
      sql`r.id = any(array(select id from rooms where partner_id = any(${partners}::int[])) || ${ids}::int[]
        || array(${theirRooms}))`,
    ),
    earlier ? findMessages(tx, sql`m.transfer_id = any(array(${earlier}))`) : [],
  ])
  return { rooms, messages }
}

/** The messages of transfers that the batch has settled, corrected or passed on, as they are after it. */
const changedMessages = async (tx: Tx, draft: Draft, before: MessageRow[]): Promise<MessageRow[]> => {
  const changed = [...draft.settlements.map(({ terms }) => terms), ...draft.corrected, ...draft.changedTransfers]
  const ids = new Set(changed.filter(isInRoom).map(({ transferId }) => transferId))
  if (ids.size === 0) return []
  // Approvals and requests are rare, and change more of a message: it is read behind the writes, and shows them.
  const isRare = draft.cash.steps.length + draft.approvals.steps.length > 0
  const known = isRare ? [] : before.filter(({ transfer }) => transfer && ids.has(transfer.id))
  for (const { transfer } of known) if (transfer) ids.delete(transfer.id)
  const found = ids.size > 0 ? await findMessages(tx, sql`m.transfer_id = any(${[...ids]}::bigint[])`) : []
  return [...known.map((message) => afterBatch(message, draft)), ...found]
}

const afterBatch = (message: MessageRow, { settlements, corrected }: Draft): MessageRow => {
  const { transfer } = message
  if (!transfer) return message
  const isAbout = ({ transferId }: Terms) => transferId === transfer.id
  const status = settlements.find(({ terms }) => isAbout(terms))?.status ?? transfer.status
  const isHeld = status === TransferStatus.pending && transfer.isHeld === true
  return {
    ...message,
    transfer: { ...transfer, status, isHeld, isCorrected: transfer.isCorrected || corrected.some(isAbout) },
  }
}

type Shown = BatchRooms & { facts: BatchFacts }

/**
 * Writes the messages of new envelopes and updates those of settled or corrected ones. Sent to both sides after the
 * commit. What is still read here is sent behind the writes of the batch, and sees them.
 */
export const showInRooms = async (tx: Tx, hub: Hub, draft: Draft, { rooms, messages, facts }: Shown): Promise<void> => {
  const shown = draft.transfers.flatMap((transfer) =>
    transfer.room && !transfer.card && !transfer.hold ? [asMessage(transfer, transfer.room, facts)] : [],
  )
  const asked = draft.transfers.filter(isAskedInRoom)
  const written = [...shown, ...draft.cash.made.map((made) => asCard(made, facts))]
  const steps = lastSteps(draft.cash)
  // Rooms that were made in this batch.
  const ids = [...written.map(({ roomId }) => roomId), ...asked.flatMap(({ room }) => room?.id ?? [])]
  const unlocked = [...new Set(ids)].filter((id) => !rooms.has(id))
  const [made, changed, cards] = await Promise.all([
    lockRooms(tx, unlocked),
    changedMessages(tx, draft, messages),
    updateCards(tx, steps),
  ])
  for (const [id, room] of made) rooms.set(id, room)
  ownAnswered(rooms, draft, facts)
  const news = [...written, ...(await showHeld(tx, hub, draft, rooms))]
  if (news.length + changed.length + cards.length === 0) return
  endWaits(rooms, steps, cards)
  writeMessages(tx, hub, rooms, { news, changed: [...changed, ...cards], now: facts.instant })
}

/** Before the cards of what waits for approval are written, which store the owner too. */
const ownAnswered = (rooms: Map<number, RoomRow>, draft: Draft, facts: BatchFacts) => {
  const given = draft.transfers.flatMap(({ room }) => (room ? [{ roomId: room.id, colleague: room.sender }] : []))
  const acted = draft.cash.steps.map(({ row, colleague }) => ({ roomId: row.roomId, colleague }))
  for (const { roomId, colleague } of [...given, ...acted]) {
    const room = rooms.get(roomId)
    // A key answers nobody.
    if (room && colleague && !partyOf(facts, colleague)?.isKey)
      ownIfFree(room, { ...colleague, isSub: isSubOf(facts, colleague) })
  }
}

const partyOf = ({ parties }: BatchFacts, { id }: { id: number }) => parties.find((party) => party.id === id)
const isSubOf = (facts: BatchFacts, who: { id: number }) => partyOf(facts, who)?.isSub ?? 0

const asMessage = (transfer: NewTransfer, room: NonNullable<NewTransfer['room']>, facts: BatchFacts): NewMessage => {
  const { id, transactionId, amount, remark } = transfer
  const { sender } = room
  const isPending = transfer.status === TransferStatus.pending
  return {
    roomId: room.id,
    messageId: transactionId,
    type: messageTypeOf(transfer.transferKind, isPending),
    content: formatPoints(amount),
    senderId: sender.id,
    fromPartner: false,
    senderUsername: sender.username,
    senderNickname: sender.nickname,
    senderIsSub: isSubOf(facts, sender),
    senderIsKey: partyOf(facts, sender)?.isKey,
    transfer: {
      id,
      transactionId,
      status: transfer.status,
      type: isTaking(transfer.transferKind) ? 2 : 1,
      amount,
      remark,
      transferKind: transfer.transferKind,
      isCorrected: false,
      expiresAt: isPending ? facts.deadline : null,
    },
  }
}
