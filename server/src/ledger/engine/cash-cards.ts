import { MessageType } from '@tallyroom/contract/codes'
import { isOpenCash } from '@tallyroom/contract/cash'
import { formatPoints } from '@tallyroom/contract/points'
import { run, type Tx, sql } from '../../data/sql.ts'
import { findMessages } from '../../chat/messages.ts'
import type { MessageRow, NewMessage, RoomRow } from '../../chat/room-row.ts'
import type { BatchFacts } from './load/load.ts'
import type { CashRow } from './load/cash.ts'
import type { NewCashRequest, CashStep } from './write/cash.ts'

/** The card of a new request: a message of the member. */
export const asCard = ({ row, order }: NewCashRequest, facts: BatchFacts): NewMessage => {
  const { actor, account, slip } = order
  return {
    roomId: row.roomId,
    messageId: row.messageId,
    type: MessageType.cash,
    content: formatPoints(row.amount),
    senderId: actor.id,
    fromPartner: true,
    senderUsername: actor.username,
    senderNickname: actor.nickname,
    senderIsSub: 0,
    transferId: row.transferId,
    cash: {
      id: row.id,
      direction: row.direction,
      state: row.state,
      bank: account?.bank ?? '',
      accountNo: account?.number ?? '',
      slip,
      reason: '',
      takenBy: null,
      taker: null,
      expiresAt: facts.deadline.toISOString(),
      endedAt: null,
    },
  }
}

/**
 * The messages of changed requests, as they are now. The card of points in gets the transfer that paid it, so that its
 * correction finds the card. Sends its statements at once.
 */
export const updateCards = async (tx: Tx, steps: CashStep[]): Promise<MessageRow[]> => {
  if (steps.length === 0) return []
  const paidIn = steps.filter(({ row }) => row.direction === 'in' && row.transferId !== null).map(({ row }) => row)
  const [, cards] = await Promise.all([
    paidIn.length > 0 && run(tx, paidRows(paidIn)),
    findMessages(
      tx,
      sql`(m.room_id, m.message_id) in (select * from unnest(${steps.map(({ row }) => row.roomId)}::int[],
        ${steps.map(({ row }) => row.messageId)}::uuid[]))`,
    ),
  ])
  return cards
}

const paidRows = (paid: CashRow[]) =>
  sql`update messages m set transfer_id = v.transfer_id from unnest(${paid.map(({ roomId }) => roomId)}::int[],
      ${paid.map(({ messageId }) => messageId)}::uuid[], ${paid.map(({ transferId }) => transferId)}::bigint[])
      v (room_id, message_id, transfer_id)
    where m.room_id = v.room_id and m.message_id = v.message_id`

/** A request that has ended waits for no answer, if nothing was written after it. */
export const endWaits = (rooms: Map<number, RoomRow>, steps: CashStep[], cards: MessageRow[]): void => {
  const ended = new Map(
    steps.filter(({ row }) => !isOpenCash(row.state)).map(({ row, by }) => [row.messageId, by === row.memberId]),
  )
  for (const card of cards) {
    const room = rooms.get(card.roomId)
    const isWithdrawn = ended.get(card.messageId)
    if (!room || isWithdrawn === undefined || room.lastSeq !== card.seq) continue
    if (isWithdrawn) {
      // It asks for nothing any more, but answers no question that was asked before it.
      if (room.askedSeq !== card.seq) continue
    } else card.answersSeq = room.askedSeq
    Object.assign(room, { waitingSince: null, unanswered: 0, askedSeq: null })
  }
}
