import { EnvelopeType, MessageType, TransferStatus } from '@tallyroom/contract/codes'
import type {
  CashCard,
  CashMessage,
  EventMessage,
  NoticeMessage,
  TextMessage,
  TransferMessage,
} from '@tallyroom/contract/events'

const common = {
  message_id: '1',
  room_id: 5,
  member_id: 20,
  seq: 1,
  version: 1,
  is_self: false,
  created_at: '2026-11-20T10:00:00.000Z',
  nickname: 'Mia',
  username: 'mia01',
  thumbnail: '',
  user_username: 'mia01',
  bot: 0,
  width: null,
  height: null,
} as const
const noTransfer = {
  transaction_id: null,
  transaction_status: null,
  transaction_corrected: false,
  transaction_type: null,
  amount: null,
  remark: null,
  expires_at: null,
} as const

/** A member's text in its room, as the group sees it. */
export const message = (fields: Partial<TextMessage> = {}): TextMessage => ({
  ...common,
  ...noTransfer,
  type: MessageType.text,
  content: 'Hello',
  ...fields,
})

/** "From here a person answers." */
export const eventMessage = (fields: Partial<EventMessage> = {}): EventMessage => ({
  ...common,
  ...noTransfer,
  type: MessageType.event,
  content: 'people_answer',
  ...fields,
})

/** An away text of a group whose language is Thai. */
export const noticeMessage = (fields: Partial<NoticeMessage> = {}): NoticeMessage => ({
  ...common,
  ...noTransfer,
  type: MessageType.notice,
  content: 'เปิด {opens}',
  texts: { en: 'We open {opens}.', th: 'เปิด {opens}' },
  language: 'th',
  opens: '2026-11-30T09:00:00.000Z',
  nickname: '',
  username: '',
  user_username: '',
  ...fields,
})

/** The card of 30 points that were given in the room. */
export const pointsMessage = (fields: Partial<TransferMessage> = {}): TransferMessage => ({
  ...common,
  type: MessageType.pointsIn,
  content: '30.0000',
  is_self: true,
  nickname: 'Ann',
  username: 'ann01',
  user_username: 'ann01',
  transaction_id: '7b0f6f0e-0000-4000-8000-000000000001',
  transaction_status: TransferStatus.success,
  transaction_corrected: false,
  transaction_type: EnvelopeType.give,
  amount: '30.0000',
  remark: '',
  expires_at: null,
  ...fields,
})

/** The card of a member's request for 30 points. */
export const cashMessage = (fields: Partial<CashMessage> = {}): CashMessage => ({
  ...common,
  ...noTransfer,
  type: MessageType.cash,
  content: '30.0000',
  cash: cashCard(),
  ...fields,
})

/** A member's request for points, which nobody has taken. */
export const cashCard = (fields: Partial<CashCard> = {}): CashCard => ({
  id: 7,
  direction: 'in',
  state: 'asked',
  bank: '',
  account_no: '',
  slip: '',
  reason: '',
  taken_by: null,
  taken_name: '',
  expires_at: '2026-11-21T10:00:00.000Z',
  ended_at: null,
  ...fields,
})
