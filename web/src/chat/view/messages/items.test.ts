import type { Aside, Message, RoomSummary, TransferMessage } from '@tallyroom/contract/events'
import en from '@tallyroom/locales/en'
import { say } from '@tallyroom/locales'
import { MessageType, TransferStatus } from '@tallyroom/contract/codes'
import { describe, expect, it } from 'vitest'
import type { Translate } from '../../../i18n/i18n.ts'
import { pointsMessage } from '../../../testing/message-fixtures.ts'
import { itemsOf } from './items.ts'
import { exactAmount, transferLabel, lastMessageText } from '../../model/message-kinds.ts'
import type { Outgoing } from '../../model/outbox/outgoing.ts'
import { dayLabel, showDuration, showShortDuration, listTimeOf } from './time.ts'

const t: Translate = (key, values) => say(en, 'en', key, values)
const message = (n: number, at: string, more: Partial<Message> = {}) =>
  ({
    message_id: `m${n}`,
    seq: n,
    type: MessageType.text,
    created_at: at,
    is_self: false,
    nickname: 'Ann',
    user_username: 'ann',
    ...more,
  }) as Message
const keys = (items: ReturnType<typeof itemsOf>) => items.map((item) => item.key)

describe('[CAPS-02] a transfer that waits for approval', () => {
  const card = (more: Partial<TransferMessage> = {}) =>
    pointsMessage({
      message_id: 'transfer',
      seq: 0,
      created_at: '2026-01-01T12:01:00',
      approval: 1,
      transaction_status: TransferStatus.pending,
      ...more,
    })
  const note = (seq: number, of: TransferMessage, after_seq = 1) =>
    ({ aside_id: `a${seq}`, seq, after_seq, kind: 'whisper', card: of, created_at: of.created_at }) as Aside
  const messages = [message(1, '2026-01-01T12:00:00'), message(2, '2026-01-01T12:02:00')]
  const shown = (list: Message[], asides: Aside[]) =>
    itemsOf(list, [], false, asides).flatMap((item) =>
      item.kind === 'message'
        ? item.key
        : item.kind === 'aside'
          ? [`${item.key}: ${item.aside.card?.transaction_status} of ${item.aside.card?.created_at}`]
          : [],
    )

  it('stands where it was asked for, and says there that it was refused', () => {
    expect(shown(messages, [note(1, card())])).toEqual(['m1', 'transfer: 4 of 2026-01-01T12:01:00', 'm2'])
    const { approval: _, ...refused } = card({
      transaction_status: TransferStatus.rejected,
      created_at: '2026-01-01T13:00:00',
    })
    const ended = note(2, refused, 2)
    expect(shown(messages, [note(1, card()), ended])).toEqual(['m1', 'transfer: 2 of 2026-01-01T12:01:00', 'm2'])
  })

  it('gives its place to the message that approval writes, whichever arrives first', () => {
    const { approval: _, ...given } = card({ transaction_status: TransferStatus.success })
    const arrived = [...messages, message(3, '2026-01-01T13:00:00', { message_id: 'transfer' })]
    const asked = note(1, card())
    const ended = note(2, given, 2)
    expect(shown(arrived, [asked])).toEqual(['m1', 'm2', 'transfer'])
    expect(shown(messages, [asked, ended])).toEqual(['m1', 'm2'])
    expect(shown(arrived, [asked, ended])).toEqual(['m1', 'm2', 'transfer'])
  })
})

describe('[ROOM-04] rows of a room', () => {
  const old = message(1, '2026-01-01T12:00:00')
  const next = message(2, '2026-01-02T12:00:00')

  it('an older page adds rows above and removes none', () => {
    const messages = [old, next, message(3, '2026-01-02T12:01:00'), message(4, '2026-01-02T12:02:00')]
    const all = itemsOf(messages, [], false)
    expect(keys(all)).toEqual(['day:m1', 'm1', 'day:m2', 'm2', 'm3', 'm4'])
    // The existing rows are unchanged: the message before the oldest of them was loaded already.
    for (const from of [1, 2]) {
      const before = itemsOf(messages.slice(from), [], true)
      expect(all.slice(-before.length)).toEqual(before)
      expect(keys(before)).toEqual(messages.slice(from + 1).map(({ message_id }) => message_id))
    }
  })

  it('an internal note follows its message, and appears only when that is loaded', () => {
    const asides = [0, 1, 2].map((after_seq) => ({
      aside_id: `a${after_seq}`,
      seq: after_seq + 1,
      after_seq,
    })) as Aside[]
    expect(keys(itemsOf([next], [], true, asides))).toEqual(['m2', 'a2'])
    const all = itemsOf([old, next], [], false, asides)
    expect(keys(all)).toEqual(['a0', 'day:m1', 'm1', 'a1', 'day:m2', 'm2', 'a2'])
  })

  it('[CONV-02] the "New" line is above the other side’s first unread message, once that is known', () => {
    const own = message(3, '2026-01-02T12:01:00', { is_self: true })
    const last = message(4, '2026-01-02T12:02:00')
    const messages = [old, next, own, last]
    const after = (readUpTo?: number) => keys(itemsOf(messages, [], false, [], readUpTo))
    expect(after(1)).toEqual(['day:m1', 'm1', 'day:m2', 'new:m2', 'm2', 'm3', 'm4'])
    expect(after(2)).toEqual(['day:m1', 'm1', 'day:m2', 'm2', 'm3', 'new:m4', 'm4'])
    expect(after(0).slice(0, 3)).toEqual(['day:m1', 'new:m1', 'm1'])
    for (const none of [undefined, 4]) expect(after(none)).toEqual(['day:m1', 'm1', 'day:m2', 'm2', 'm3', 'm4'])
    // Messages that are not loaded may be unread too.
    expect(keys(itemsOf([next, own, last], [], true, [], 1))).toEqual(['m3', 'm4'])
    expect(keys(itemsOf([next, own, last], [], true, [], 2))).toEqual(['m3', 'new:m4', 'm4'])
  })

  it('a sent message keeps its row when it arrives', () => {
    const sent = { id: 'm3', at: '' } as Outgoing
    expect(keys(itemsOf([next], [sent], false))).toEqual(['day:m2', 'm2', 'm3'])
    expect(keys(itemsOf([next, message(3, '2026-01-02T12:00:01')], [sent], false))).toEqual(['day:m2', 'm2', 'm3'])
  })

  it('names the author once for a group of messages', () => {
    const items = itemsOf(
      [
        message(1, '2026-01-01T12:00:00'),
        message(2, '2026-01-01T12:01:00'),
        message(3, '2026-01-01T12:01:30', { user_username: 'ben' }),
        message(4, '2026-01-01T13:00:00', { user_username: 'ben' }),
      ],
      [],
      true,
    )
    expect(items.map((item) => item.kind === 'message' && item.first)).toEqual([false, true, true])
  })
})

describe('[ENV-07] [CHAT-02] labels of transfers', () => {
  it.each([
    [3, 1, 1, 'Points in'],
    [6, 2, 1, 'Points out'],
    [6, 2, 4, 'Points out · Red envelope'],
    [6, 2, 2, 'Points out · Red envelope'],
    [6, 2, null, 'Points out'],
    [7, 1, 4, 'Points in · Red envelope'],
    [7, 1, 1, 'Points in'],
    [7, 2, 4, 'Points out · Red envelope'],
    [8, 1, 1, 'Points in · Gift'],
  ])('[CONV-15] type %i/%i, status %i', (type, transaction_type, transaction_status, label) => {
    expect(transferLabel({ type, transaction_type, transaction_status }, t)).toBe(label)
  })

  it.each([
    ['1234.5000', '1,234.50'],
    ['0.1234', '0.1234'],
    ['-1000.0100', '-1,000.01'],
    ['-0.0001', '-0.0001'],
  ])('%s reads as %s', (text, shown) => expect(exactAmount(text)).toBe(shown))

  it('the last message of a room', () => {
    const room = (message_type: number | null, message_content: string) =>
      lastMessageText({ message_type, message_content, name: 'Gina' } as RoomSummary, t)
    expect(room(1, 'hello')).toBe('hello')
    expect(room(2, '')).toBe('Photo')
    expect(room(7, '100.0000')).toBe('Points in · Red envelope +100.00')
    expect(room(null, '')).toBe('')
  })
})

describe('[CHAT-02] times', () => {
  it('MM-DD HH:mm:ss, day labels, remaining time', () => {
    expect(listTimeOf('2026-03-04T05:06:07Z')).toBe('03-04 05:06:07')
    expect(dayLabel('2026-03-01', '2026-03-01', t)).toBe('Today')
    expect(dayLabel('2026-02-28', '2026-03-01', t)).toBe('Yesterday')
    expect(dayLabel('2026-02-27', '2026-03-01', t)).toBe('2026-02-27')
    expect([showDuration(86_399_000), showDuration(61_000), showDuration(-5)]).toEqual(['23:59:59', '1:01', '0:00'])
    const short = [3_540_000, 3_599_900, 3_600_000, 86_399_000, -5].map(showShortDuration)
    expect(short).toEqual(['59:00', '1h00', '1h00', '23h59', '0:00'])
  })
})
