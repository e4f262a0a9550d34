import { TransferStatus } from '@tallyroom/contract/codes'
import type { PointsMessage } from '@tallyroom/contract/events'
import { viewOfMessage } from '@tallyroom/contract/transfer-kinds'
import type { Translate } from '../../../i18n/i18n.ts'
import type { Face } from '../../../lib/storage.ts'
import { cashChip } from '../../../domain/cash-status.tsx'
import { type ChipProps, envelopeChip, statusChip } from '../../../domain/status.tsx'
import { exactAmount, transferLabel } from '../../model/message-kinds.ts'

const cashRequests = {
  member: { in: 'cash.you_asked_in', out: 'cash.you_asked_out' },
  office: { in: 'cash.asks_in', out: 'cash.asks_out' },
} as const

/** Title of the card of a transfer or a request. */
export const cardTitle = (message: PointsMessage, face: Face, t: Translate): string =>
  message.cash ? t(cashRequests[face][message.cash.direction]) : transferLabel(message, t)

/** Status of the card of a transfer or a request. */
export const cardChip = (message: PointsMessage, face: Face): ChipProps => {
  const { cash, transaction_corrected: corrected } = message
  if (cash) return cashChip({ state: cash.state, corrected, approval: cash.approval })
  // A newer server may send a type without a status, which this page shows as a card.
  const value: TransferStatus = message.transaction_status ?? TransferStatus.success
  if (message.approval) return { tone: 'waiting', icon: 'hourglass', word: 'approval.waits' }
  return value === TransferStatus.pending && face !== 'member' ? envelopeChip(value) : statusChip(value, corrected)
}

/** The amount of a card with its sign, from the member's side (CONV-15). */
export const cardAmount = (message: PointsMessage): string =>
  viewOfMessage(message).sign + exactAmount(message.amount ?? message.content)

/** A card in one line for screen readers: "Points in · Red envelope +15.00, Pending". */
export const cardText = (message: PointsMessage, face: Face, t: Translate): string => {
  const line = t('message.kind_points', { kind: cardTitle(message, face, t), amount: cardAmount(message) })
  return `${line}, ${t(cardChip(message, face).word)}`
}
