import { expect, test } from 'vitest'
import { MessageType, type TransferStatus } from './codes.ts'
import { Message } from './events.ts'

const text = {
  message_id: 'a',
  room_id: 1,
  member_id: 2,
  seq: 1,
  version: 1,
  type: MessageType.text,
  content: 'Hello',
  is_self: false,
  created_at: '2026-11-20T10:00:00.000Z',
  nickname: '',
  username: '',
  thumbnail: '',
  user_username: '',
  bot: 0,
  width: null,
  height: null,
  transaction_id: null,
  transaction_status: null,
  transaction_corrected: false,
  transaction_type: null,
  amount: null,
  remark: null,
  expires_at: null,
}

test('a message has the fields of its type, and no points in a text', () => {
  expect(Message.parse(text)).toEqual(text)
  expect(Message.safeParse({ ...text, amount: '30.0000' }).success).toBe(false)
  expect(Message.safeParse({ ...text, type: MessageType.pointsIn }).success).toBe(false)
})

test('the type of a message says which fields it has', () => {
  const statusOf = (message: Message): TransferStatus | null => {
    // @ts-expect-error A text has no amount.
    if (message.type === MessageType.text) void (message.amount satisfies string)
    if (message.cash) return message.transaction_status
    if (message.voice || message.file) return message.transaction_status satisfies null
    return message.type === MessageType.gift ? (message.transaction_status satisfies TransferStatus) : null
  }
  expect(statusOf(Message.parse(text))).toBeNull()
})
