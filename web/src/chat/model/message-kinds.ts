import { EnvelopeType, MessageType, TransferStatus } from '@tallyroom/contract/codes'
import { factsOfMessage } from '@tallyroom/contract/transfer-kinds'
import { parsePoints, showPoints } from '@tallyroom/contract/points'
import type { Message, RoomSummary } from '@tallyroom/contract/events'
import type { WordKey } from '@tallyroom/locales'
import type { Face } from '../../lib/storage.ts'
import type { Translate } from '../../i18n/i18n.ts'

export const isText = (type: number) => type === MessageType.text
export const isImageMessage = (type: number) => type === MessageType.image
export const isVoice = (type: number) => type === MessageType.voice
export const isFile = (type: number) => type === MessageType.file
export const isEventLine = (type: number) => type === MessageType.event
/** All other types carry points, also those that this version does not have. */
export const isPoints = (type: number) =>
  ![isText, isImageMessage, isVoice, isFile, isEventLine].some((isOther) => isOther(type))

/** Whether the points go from the member to the group. If not, the member receives them. */
export const fromMember = (message: Pick<Message, 'type' | 'transaction_type'>) =>
  factsOfMessage(message.type)?.direction === 'take' ||
  (message.type === MessageType.envelope && message.transaction_type === EnvelopeType.ask)

type TransferFacts = { type: number; transaction_type: number | null; transaction_status: number | null }

/** Label of a transfer for this viewer. Until it succeeds it is an offer or a request, not a payment. */
export const transferLabel = ({ type, transaction_type, transaction_status }: TransferFacts, face: Face): WordKey => {
  if (type === MessageType.cash) return 'cash.request'
  const member = face === 'member'
  const done = transaction_status === TransferStatus.success
  const facts = factsOfMessage(type)
  if (facts && 'word' in facts.message) return facts.message.word
  if (facts?.direction === 'take' || transaction_type === EnvelopeType.ask) {
    if (member) return done ? 'points.kind_from_you' : 'points.kind_asked'
    return done ? 'points.kind_receive' : 'points.kind_request'
  }
  if (member) return 'points.kind_for_you'
  return done || type === facts?.message.done ? 'points.kind_send' : 'points.kind_offer'
}

/** Two decimals, or all four when the last two are not zero: an amount to agree to is never shown rounded. */
export const exactAmount = (text: string | null): string => {
  const points = parsePoints(text ?? '')
  if (points === undefined) return text ?? ''
  const rest = (points < 0n ? -points : points) % 100n
  if (rest === 0n) return showPoints(points)
  const size = points < 0n ? -points : points
  return `${points < 0n ? '-' : ''}${showPoints(size)}${rest.toString().padStart(2, '0')}`
}

/** Minutes and seconds. */
export const voiceLength = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** A photo, voice note or file in a word, from what a list or a quote has of it; undefined for everything else. */
export const attachmentText = (type: number, content: string, t: Translate): string | undefined => {
  if (isImageMessage(type)) return t('message.kind_image')
  if (isVoice(type)) return `${t('message.kind_voice')} ${voiceLength(Number(content))}`
  return isFile(type) ? content : undefined
}

/** The last message of a room in one line. */
export const lastMessageText = (room: RoomSummary, t: Translate, face: Face): string => {
  const type = room.message_type
  if (type === null) return ''
  if (room.message_taken_back) return t('message.taken_back')
  if (isText(type)) return room.message_content
  const attached = attachmentText(type, room.message_content, t)
  if (attached !== undefined) return attached
  // The list does not know the transfer's status, so the label is that of the request.
  const kind = transferLabel({ type, transaction_type: null, transaction_status: null }, face)
  return t('message.kind_points', { kind: t(kind), amount: exactAmount(room.message_content) })
}
