import { isLine, EnvelopeType, MessageType, Role, RoomStatus, RoomType } from '@tallyroom/contract/codes'
import { QUOTE_LENGTH, shortText } from '@tallyroom/contract/text/cut-text'
import { textFor } from '@tallyroom/contract/desk/texts'
import { factsOfMessage } from '@tallyroom/contract/transfer-kinds'
import { type Named, shownText, shownUsername, type Viewer } from '../identity/masking.ts'
import type { Side } from '../live/side.ts'
import { eventLineFor } from './event-lines.ts'
import { mediaUrl } from './media-url.ts'
import type { MessageCash, MessageRow, MessageTransfer, QuotedMessage, RoomRow } from './room-row.ts'
import type { CashCard, FileFacts, Line, Message, Quote, RoomChange, TransferMessage } from '@tallyroom/contract/events'
import { formatPoints } from '@tallyroom/contract/points'

export type Perspective = { side: Side; viewer: Viewer }

export const sideOf = (account: { id: number }, room: Pick<RoomRow, 'partnerId'>): Side =>
  room.partnerId === account.id ? 'partner' : 'group'

const partnerOf = (room: RoomRow): Named => ({
  id: room.partnerId,
  username: room.partnerUsername,
  isSub: room.partnerIsSub,
})
const groupOf = (room: RoomRow): Named => ({ id: room.groupId, username: room.groupUsername, isSub: room.groupIsSub })
type Sent = Pick<
  MessageRow,
  'senderId' | 'senderUsername' | 'senderNickname' | 'senderIsSub' | 'senderIsKey' | 'fromPartner'
>
const senderOf = (message: Sent): Named => ({
  id: message.senderId ?? 0,
  username: message.senderUsername,
  isSub: message.senderIsSub,
})

/**
 * The name above a message. On the partner's side people of the group have their nickname or none, and a key has the name of
 * the group: its own is for colleagues.
 */
const authorOf = (message: Sent, room: RoomRow, { side, viewer }: Perspective): string => {
  const sender = senderOf(message)
  if (message.senderIsKey && side === 'partner') return shownText(viewer, groupOf(room), room.groupName)
  const isNamed = side === 'group' || message.fromPartner
  return shownText(viewer, sender, message.senderNickname) || (isNamed ? shownUsername(viewer, sender) : '')
}

const asQuote = (quote: QuotedMessage, room: RoomRow, perspective: Perspective): Quote => ({
  message_id: quote.messageId,
  seq: quote.seq,
  type: quote.type,
  content:
    quote.type === MessageType.file
      ? shownFileName(quote.excerpt, room, perspective.viewer)
      : shortText(quote.excerpt, QUOTE_LENGTH),
  is_self: quote.fromPartner === (perspective.side === 'partner'),
  nickname: quote.senderId === null ? '' : authorOf(quote, room, perspective),
  bot: quote.senderId === null ? 1 : 0,
  transaction_type: quote.transferType,
  taken_back: quote.isTakenBack ? 1 : 0,
})

/**
 * The member does not learn which colleague has taken its request, nor that paying it waits for approval. One that may be
 * paid cannot be cancelled: for the member somebody works on it.
 */
const asCashCard = (
  { takenBy, taker, maybePaid, ...cash }: MessageCash,
  room: RoomRow,
  { side, viewer }: Perspective,
): CashCard => {
  const [username, nickname, isSub] = taker ?? ['', '', 0]
  const isNamed = side === 'group' && takenBy !== null
  return {
    id: cash.id,
    direction: cash.direction,
    state: maybePaid && side === 'partner' ? 'taken' : cash.state,
    bank: cash.bank,
    account_no: cash.accountNo,
    slip: cash.slip,
    ...(cash.reasonCode ? { reason_code: cash.reasonCode } : {}),
    reason: cash.reason,
    taken_by: isNamed ? takenBy : null,
    taken_name: isNamed ? shownName(viewer, { id: takenBy, username, isSub }, nickname) : '',
    expires_at: cash.expiresAt,
    ended_at: cash.endedAt,
    ...(cash.isInApproval && side === 'group' ? { approval: 1 as const } : {}),
    ...(maybePaid && side === 'group' ? { maybe_paid: asMaybePaid(maybePaid, room, viewer) } : {}),
  }
}

const asMaybePaid = (
  [id, username, nickname, reference]: NonNullable<MessageCash['maybePaid']>,
  room: RoomRow,
  viewer: Viewer,
) => ({
  key: shownName(viewer, { id, username, isSub: 0 }, nickname),
  reference: shownText(viewer, partnerOf(room), reference),
})

/** The name of a file, which is often the username of the room's member. */
export const shownFileName = (name: string, room: RoomRow, viewer: Viewer) => shownText(viewer, partnerOf(room), name)

export const shownFile = (file: FileFacts, room: RoomRow, viewer: Viewer): FileFacts => ({
  ...file,
  name: shownFileName(file.name, room, viewer),
})

const fieldsOf = (message: MessageRow, room: RoomRow, perspective: Perspective) => {
  const { side, viewer } = perspective
  const isServers = isLine(message.type)
  // Only the group sees who took a room over. The bot's messages have no author.
  const unnamed = message.senderId === null || (message.type === MessageType.event && side === 'partner')
  const username = unnamed ? '' : shownUsername(viewer, senderOf(message))
  return {
    message_id: message.messageId,
    room_id: room.id,
    member_id: room.partnerId,
    seq: message.seq,
    version: message.version,
    is_self: message.fromPartner === (side === 'partner'),
    created_at: message.createdAt.toISOString(),
    nickname: unnamed ? '' : authorOf(message, room, perspective),
    username: side === 'group' || message.fromPartner ? username : '',
    thumbnail: mediaUrl(message.fromPartner ? room.partnerThumbnail : room.groupThumbnail),
    user_username: side === 'group' ? username : '',
    bot: message.senderId === null && !isServers ? (1 as const) : (0 as const),
    width: null,
    height: null,
  }
}

const noTransfer = {
  transaction_id: null,
  transaction_status: null,
  transaction_corrected: false,
  transaction_type: null,
  amount: null,
  remark: null,
  expires_at: null,
} as const

const transferFieldsOf = (transfer: MessageTransfer, message: MessageRow, room: RoomRow, { viewer }: Perspective) => ({
  transaction_id: transfer.transactionId,
  transaction_status: transfer.status,
  transaction_corrected: transfer.isCorrected,
  transaction_type: transfer.type,
  amount: formatPoints(transfer.amount),
  remark: shownText(viewer, senderOf(message), shownText(viewer, partnerOf(room), transfer.remark)),
  expires_at: transfer.expiresAt?.toISOString() ?? null,
})

export const asTransferMessage = (
  message: MessageRow,
  type: TransferMessage['type'],
  room: RoomRow,
  perspective: Perspective,
): TransferMessage => {
  const { transfer, content } = message
  if (!transfer) throw new Error(`Message ${message.seq} of room ${room.id} has type ${type} and no transfer`)
  return {
    ...fieldsOf(message, room, perspective),
    ...transferFieldsOf(transfer, message, room, perspective),
    type,
    content,
    ...(transfer.isHeld ? { approval: 1 } : {}),
  }
}

/** Absent fields stay absent: one more costs the same on each of thousands. */
export const asMessage = (message: MessageRow, room: RoomRow, perspective: Perspective): Message => {
  const { type, content, attachment } = message
  const fields = fieldsOf(message, room, perspective)
  const quote = message.quote && !message.isTakenBack ? { quote: asQuote(message.quote, room, perspective) } : {}
  switch (type) {
    case MessageType.text:
      return { ...fields, ...noTransfer, type, content, ...quote, ...(message.isTakenBack ? { taken_back: 1 } : {}) }
    case MessageType.image: {
      const size = { width: message.width ?? null, height: message.height ?? null }
      return { ...fields, ...noTransfer, ...size, type, content, ...quote }
    }
    case MessageType.voice: {
      const voice = attachment && 'ms' in attachment ? { voice: attachment } : {}
      return { ...fields, ...noTransfer, type, content, ...voice, ...quote }
    }
    case MessageType.file: {
      const file = attachment && 'size' in attachment ? { file: shownFile(attachment, room, perspective.viewer) } : {}
      return { ...fields, ...noTransfer, type, content, ...file, ...quote }
    }
    case MessageType.event:
      return { ...fields, ...noTransfer, type, content: eventLineFor(content as Line, perspective.side) }
    case MessageType.notice: {
      const { texts, language } = message.notice ?? { texts: { en: content }, language: 'en' }
      const opens = attachment && 'opens' in attachment ? attachment.opens : null
      const own = textFor(texts, language, language)
      return { ...fields, ...noTransfer, type, content: own, texts, language, opens }
    }
    case MessageType.cash: {
      if (!message.cash) throw new Error(`Message ${message.seq} of room ${room.id} has no cash request`)
      const transfer = message.transfer ? transferFieldsOf(message.transfer, message, room, perspective) : noTransfer
      return { ...fields, ...transfer, type, content, cash: asCashCard(message.cash, room, perspective) }
    }
    case MessageType.pointsIn:
    case MessageType.pointsOut:
    case MessageType.envelope:
    case MessageType.gift:
    case MessageType.makeUp:
    case MessageType.gameIn:
    case MessageType.gameDeduct:
      return asTransferMessage(message, type, room, perspective)
  }
}

const typeOf = (room: RoomRow, side: Side) => {
  if (room.partnerRole === Role.member) return RoomType.member
  return side === 'group' ? RoomType.agent : RoomType.upline
}

/** The type of the last message's transaction, when it is about points. */
const transactionTypeOf = (messageType: MessageType | null): EnvelopeType | null => {
  const facts = messageType === null ? undefined : factsOfMessage(messageType)
  return facts ? (facts.direction === 'take' ? EnvelopeType.ask : EnvelopeType.give) : null
}

/** The fields of a summary that are the same for everyone of a perspective. */
export const asRoom = (room: RoomRow, { side, viewer }: Perspective): RoomChange['room'] => {
  const partner = partnerOf(room)
  const username = side === 'group' ? shownUsername(viewer, partner) : ''
  return {
    id: room.id,
    room_id: room.id,
    code: room.code,
    member_id: room.partnerId,
    members: side === 'group' || room.partnerRole !== Role.member ? [room.partnerId, room.groupId] : [room.partnerId],
    name:
      side === 'group'
        ? shownText(viewer, partner, room.alias || room.partnerNickname) || username
        : shownText(viewer, groupOf(room), room.groupName),
    username,
    partner_username: username,
    thumbnail: mediaUrl(side === 'group' ? room.partnerThumbnail : room.groupThumbnail),
    status: side === 'group' ? room.status : RoomStatus.shown,
    bot: room.status === RoomStatus.ai ? 1 : 0,
    version: room.version,
    last_seq: room.lastSeq,
    message_type: room.lastType,
    transaction_type: transactionTypeOf(room.lastType),
    message_content:
      room.lastType === MessageType.file ? shownFileName(room.lastContent, room, viewer) : room.lastContent,
    // A text is never empty (`message.blank`): this is what taking one back leaves.
    message_taken_back: room.lastType === MessageType.text && room.lastContent === '' ? 1 : 0,
    message_time: room.lastAt?.toISOString() ?? null,
    other_read_seq: side === 'group' ? room.partnerReadSeq : room.groupReadSeq,
    other_delivered_seq: side === 'group' ? room.partnerDeliveredSeq : room.groupDeliveredSeq,
    delivered_seq: side === 'group' ? room.groupDeliveredSeq : room.partnerDeliveredSeq,
    isThird: room.isThird,
    type: typeOf(room, side),
    friend_id: side === 'group' ? room.partnerId : room.partnerRole === Role.member ? null : room.groupId,
    unanswered: side === 'group' ? room.unanswered : room.lastSeq,
    ...deskOf(room, side, viewer),
  }
}

/** The partner gets no desk data, and no hint that there is any. */
const deskOf = (room: RoomRow, side: Side, viewer: Viewer) =>
  side === 'group'
    ? {
        desk_version: room.deskVersion,
        waiting_since: room.waitingSince?.toISOString() ?? null,
        owner_id: room.ownerId,
        owner_name: room.ownerId ? ownerName(room, viewer) : '',
        ...(room.ownerId && room.assignedAt ? { assigned_at: room.assignedAt.toISOString() } : {}),
        ...(room.snoozedUntil ? { snoozed_until: room.snoozedUntil.toISOString() } : {}),
        aside_seq: room.asideSeq,
      }
    : { desk_version: room.version, waiting_since: null, owner_id: null, owner_name: '', aside_seq: 0 }

export const ownerName = (room: RoomRow, viewer: Viewer) => {
  const [username, nickname, isSub] = room.owner ?? ['', '', 0]
  return shownName(viewer, { id: room.ownerId ?? 0, username, isSub }, nickname)
}

export const shownName = (viewer: Viewer, account: Named, nickname: string) =>
  shownText(viewer, account, nickname) || shownUsername(viewer, account)

export const asChange = (
  room: RoomRow,
  since: number,
  messages: MessageRow[],
  perspective: Perspective,
): RoomChange => ({
  code: room.code,
  since,
  version: room.version,
  reset: false,
  messages: messages.map((message) => asMessage(message, room, perspective)).toSorted((a, b) => a.seq - b.seq),
  room: asRoom(room, perspective),
})
