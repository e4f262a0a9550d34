import type { Message } from '@tallyroom/contract/events'
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { makeQuotes, quoteOf } from './quotes.ts'

const message = (fields: Partial<Message>) =>
  ({
    message_id: 'm1',
    seq: 7,
    type: MessageType.text,
    content: 'hello',
    is_self: false,
    nickname: 'Ann',
    bot: 0,
    width: null,
    transaction_type: null,
    ...fields,
  }) as Message
const setUp = () => {
  const kept: { text?: string } = {}
  const make = () => makeQuotes(() => ({ read: () => kept.text, write: (text) => (kept.text = text) }))
  return { kept, make }
}

test('[CONV-09] a quote is short, belongs to its room, outlives a reload, and is used once', () => {
  const { make } = setUp()
  const quotes = make()
  quotes.set('one', quoteOf(message({ content: 'x'.repeat(500) })))
  expect(quotes.of('one')?.content).toHaveLength(120)
  expect(quotes.of('other')).toBeUndefined()
  const later = make()
  expect(later.take('one')).toMatchObject({ message_id: 'm1', seq: 7 })
  expect(later.take('one')).toBeUndefined()
  expect(make().of('one')).toBeUndefined()
})

test('[TEXT-02] a quote ends between letters', () => {
  for (const letter of ['🧧', '🇹🇼', '👨‍👩‍👧', '𠮷', 'e\u0302\u0303'])
    for (const length of [115, 116, 117, 118, 119, 120]) {
      const { content } = quoteOf(message({ content: 'x'.repeat(length) + letter.repeat(9) }))
      expect(content).not.toMatch(/\p{Surrogate}/u)
      expect(content).toMatch(new RegExp(`^x+(${letter})*…$`, 'u'))
    }
})

test('[CONV-10] the words of a quoted message that is taken back leave the quote and the storage', () => {
  const { kept, make } = setUp()
  const quotes = make()
  quotes.set('one', quoteOf(message({ content: 'secret' })))
  quotes.hear('one', [message({ message_id: 'm2', taken_back: 1 })])
  expect(quotes.of('one')?.content).toBe('secret')
  quotes.hear('one', [message({ content: '', taken_back: 1 })])
  expect(quotes.of('one')).toMatchObject({ content: '', taken_back: 1 })
  expect(kept.text).not.toContain('secret')
})

test('[CONV-09] of a photo there are no words, and broken storage is no quote', () => {
  expect(quoteOf(message({ type: MessageType.image, content: '/media/1', width: 30 })).content).toBe('')
  expect(makeQuotes(() => ({ read: () => '{"one":', write: () => {} })).of('one')).toBeUndefined()
})
