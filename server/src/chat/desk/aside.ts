import type { Aside, TransferMessage } from '@tallyroom/contract/events'
import { messageTypeOf } from '@tallyroom/contract/transfer-kinds'
import { shownUsername, type Viewer } from '../../identity/masking.ts'
import { type Mentioned, shownMentions } from '../bell/mentions.ts'
import type { MessageRow, MessageTransfer, RoomRow } from '../room-row.ts'
import { asTransferMessage, shownName } from '../room-views.ts'

/**
 * An internal note (aside) as stored. The partner must not see any trace of it: no event, no count, no gap in `seq`.
 */
export type AsideRow = {
  asideId: string
  roomId: number
  seq: number
  afterSeq: number
  kind: Aside['kind']
  content: string
  mentioned: Mentioned[] | null
  senderId: number
  senderUsername: string
  senderNickname: string
  senderIsSub: 0 | 1
  targetId: number | null
  targetUsername: string
  targetNickname: string
  targetIsSub: 0 | 1
  createdAt: Date
  /** It shows a transfer that the partner does not see: it waits for approval, or did not get it. */
  transfer: MessageTransfer | undefined
}

export const asAside = (aside: AsideRow, room: RoomRow, viewer: Viewer): Aside => {
  const sender = { id: aside.senderId, username: aside.senderUsername, isSub: aside.senderIsSub }
  const target = { id: aside.targetId ?? 0, username: aside.targetUsername, isSub: aside.targetIsSub }
  return {
    aside_id: aside.asideId,
    seq: aside.seq,
    after_seq: aside.afterSeq,
    kind: aside.kind,
    ...shownMentions(viewer, aside.content, aside.mentioned),
    nickname: shownName(viewer, sender, aside.senderNickname),
    user_username: shownUsername(viewer, sender),
    target_id: aside.targetId,
    target_name: aside.targetId ? shownName(viewer, target, aside.targetNickname) : '',
    created_at: aside.createdAt.toISOString(),
    ...(aside.transfer ? { card: asCard(aside, aside.transfer, room, viewer) } : {}),
  }
}

/** The card that a transfer would have as a message. It has no number in the room. */
const asCard = (aside: AsideRow, transfer: MessageTransfer, room: RoomRow, viewer: Viewer): TransferMessage => {
  const type = messageTypeOf(transfer.transferKind, false)
  const card: MessageRow = {
    ...aside,
    messageId: transfer.transactionId,
    seq: 0,
    version: 0,
    type,
    fromPartner: false,
    transfer,
  }
  return asTransferMessage(card, type, room, { side: 'group', viewer })
}
