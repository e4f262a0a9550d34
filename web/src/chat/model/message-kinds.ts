import { isLine, MessageType, TransferStatus } from '@tallyroom/contract/codes'
import { factsOfMessage, viewOfMessage, views } from '@tallyroom/contract/transfer-kinds'
import { parsePoints, showPoints } from '@tallyroom/contract/points'
import type { Message, PointsMessage, RoomSummary, WrittenMessage } from '@tallyroom/contract/events'
import type { Translate } from '../../i18n/i18n.ts'

export const isText = (type: number) => type === MessageType.text
export const isImageMessage = (type: number) => type === MessageType.image
export const isVoice = (type: number) => type === MessageType.voice
export const isFile = (type: number) => type === MessageType.file
/** All other types carry points, also those that this version does not have. */
export const isPoints = (type: number) =>
  ![isText, isImageMessage, isVoice, isFile, isLine].some((isOther) => isOther(type))

/** A bubble. Types that this version does not have are shown as cards. */
export const isWritten = (message: Message): message is WrittenMessage =>
  isText(message.type) || isImageMessage(message.type) || isVoice(message.type) || isFile(message.type)
export const isPointsMessage = (message: Message): message is PointsMessage => isPoints(message.type)

type TransferFacts = { type: number; transaction_type: number | null; transaction_status: number | null }

/** Label of a transfer: "Points in", "Points out · Gift". Until the member accepts it is a red envelope. */
export const transferLabel = (message: TransferFacts, t: Translate): string => {
  const { type, transaction_status: status } = message
  if (type === MessageType.cash) return t('cash.request')
  const view = viewOfMessage(message)
  const facts = factsOfMessage(type)
  if (facts && 'word' in facts.message) return `${t(view.word)} · ${t(facts.message.word)}`
  // An offer has a type of its own. Points that were asked for share theirs with those that have moved.
  const isOffer = view === views.from ? status !== null : type !== facts?.message.done
  return isOffer && status !== TransferStatus.success ? `${t(view.word)} · ${t('history.as_envelope')}` : t(view.word)
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

/** Whether a change of a room has messages about points. */
export const movesPoints = ({ messages }: { messages: { type: number }[] }): boolean =>
  messages.some(({ type }) => isPoints(type))

/** A photo, voice note or file in a word, from what a list or a quote has of it; undefined for everything else. */
export const attachmentText = (type: number, content: string, t: Translate): string | undefined => {
  if (isImageMessage(type)) return t('message.kind_image')
  if (isVoice(type)) return `${t('message.kind_voice')} ${voiceLength(Number(content))}`
  return isFile(type) ? content : undefined
}

/** A transfer in one line: "Points in +250.50". */
export const transferText = (message: TransferFacts, amount: string | null, t: Translate) =>
  t('message.kind_points', {
    kind: transferLabel(message, t),
    // A member's request says only on its card which way it goes.
    amount: (message.type === MessageType.cash ? '' : viewOfMessage(message).sign) + exactAmount(amount),
  })

/** A message that is on its way in one line. */
export const outgoingText = ({ type, content }: { type: number; content: string }, t: Translate): string =>
  isText(type) ? content : isVoice(type) ? t('message.kind_voice') : (attachmentText(type, content, t) ?? '')

/** The last message of a room in one line, for the back office. */
export const lastMessageText = (room: RoomSummary, t: Translate): string => {
  const { message_type: type, transaction_type } = room
  if (type === null) return ''
  if (room.message_taken_back) return t('message.taken_back')
  if (isText(type)) return room.message_content
  const attached = attachmentText(type, room.message_content, t)
  if (attached !== undefined) return attached
  // The list does not know the transfer's status, so the label is that of the request.
  return transferText({ type, transaction_type, transaction_status: null }, room.message_content, t)
}
