import { MessageType, TransferStatus } from '@tallyroom/contract/codes'
import { factsOfMessage, viewOfMessage, views } from '@tallyroom/contract/transfer-kinds'
import { parsePoints, showPoints } from '@tallyroom/contract/points'
import type { Message, PointsMessage, RoomSummary, WrittenMessage } from '@tallyroom/contract/events'
import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../../i18n/i18n.ts'

export const isText = (type: number) => type === MessageType.text
export const isImageMessage = (type: number) => type === MessageType.image
export const isVoice = (type: number) => type === MessageType.voice
export const isFile = (type: number) => type === MessageType.file
export const isEventLine = (type: number) => type === MessageType.event
/** All other types carry points, also those that this version does not have. */
export const isPoints = (type: number) =>
  ![isText, isImageMessage, isVoice, isFile, isEventLine].some((isOther) => isOther(type))

/** A bubble. Types that this version does not have are shown as cards. */
export const isWritten = (message: Message): message is WrittenMessage =>
  isText(message.type) || isImageMessage(message.type) || isVoice(message.type) || isFile(message.type)
export const isPointsMessage = (message: Message): message is PointsMessage => isPoints(message.type)

type TransferFacts = { type: number; transaction_type: number | null; transaction_status: number | null }

/**
 * Label of a transfer: "To Gina", or with `name` undefined "To you". Until it succeeds it is an offer or a request. A
 * transfer whose status is not known is named by its message's kind.
 */
export const transferLabel = (message: TransferFacts, t: Translate, name: string | undefined): string => {
  const { type, transaction_status } = message
  if (type === MessageType.cash) return t('cash.request')
  const view = viewOfMessage(message)
  const facts = factsOfMessage(type)
  const say = (word: WordKey, toYou: WordKey) => (name === undefined ? t(toYou) : t(word, { name }))
  if (facts && 'word' in facts.message) return `${say(view.word, view.toYou)} · ${t(facts.message.word)}`
  const isMoved = transaction_status === TransferStatus.success
  // A request and the points that it brought share a type; an offer has its own.
  if (view === views.from)
    return isMoved ? say(view.word, view.toYou) : say('points.asked_from', 'points.asked_from_you')
  return isMoved || type === facts?.message.done
    ? say(view.word, view.toYou)
    : say('points.offer_to', 'points.offer_to_you')
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

/** A transfer in one line: "To Gina +250.50". */
export const transferText = (message: TransferFacts, amount: string | null, t: Translate, name: string | undefined) =>
  t('message.kind_points', {
    kind: transferLabel(message, t, name),
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
  return transferText({ type, transaction_type, transaction_status: null }, room.message_content, t, room.name)
}
