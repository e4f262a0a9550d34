import { describe, expect, test } from 'vitest'
import { withSpaces } from '../../chat/view/composer/composer-plugin.ts'
import { fill, shifted, slashAt } from './fill.ts'
import { fuzzyFind } from '../../lib/fuzzy-find.ts'

const reply = (title: string, content = '', memo = '') => ({ title, content, memo })
const found = (titles: string[], typed: string) =>
  fuzzyFind(
    titles.map((title) => reply(title)),
    typed,
  ).map(({ title }) => title)

describe('[ROOM-08] finding a quick reply', () => {
  test('without text: all replies, in the order of use', () => {
    expect(found(['b', 'a'], ' ')).toEqual(['b', 'a'])
  })
  test('ranks titles that begin with it, titles that contain it, texts, near matches; equal ranks keep their order', () => {
    const replies = [
      reply('Other', 'how to deposit'),
      reply('How to depsoit'),
      reply('A deposit'),
      reply('Deposit done'),
      reply('Deposit begun'),
      reply('Farewell'),
    ]
    expect(fuzzyFind(replies, 'DEPOSIT').map(({ title }) => title)).toEqual([
      'Deposit done',
      'Deposit begun',
      'A deposit',
      'Other',
      'How to depsoit',
    ])
  })
  test.each([
    ['您的點數已經到帳，請查收', '點數'],
    ['โอนแต้มเรียบร้อยแล้วค่ะ', 'แต้ม'],
    ['သင့်လက်ကျန်ကို စစ်ပေးပါမည်', 'လက်ကျန်'],
    ['உங்கள் இருப்பு சரியாக உள்ளது', 'இருப்பு'],
    ['আপনার ব্যালেন্স ঠিক আছে', 'ব্যালেন্স'],
    ['Спасибо за ожидание', 'ожидание'],
    ['Cảm ơn bạn', 'cam on'],
    ['Selamat pagi', 'pagi'],
  ])('inside a sentence: %s by %s', (title, typed) => {
    expect(found(['Something else', title], typed)).toEqual([title])
  })
  test.each([
    ['Спасибо за ожидание', 'ожидаине'],
    ['Thank you for waiting', 'wiating'],
    ['Good morning', 'moring'],
  ])('with a typing error: %s by %s', (title, typed) => {
    expect(found(['Something else', title], typed)).toEqual([title])
  })
  test('punctuation or unknown text finds nothing and does not throw', () => {
    for (const typed of ['???', '(', '[', '\\', '👩‍👩‍👧', 'zzzz'])
      expect(found(['Hello', 'Good day'], typed)).toEqual([])
  })
})

describe('[ROOM-08] variables', () => {
  const values = { nickname: 'Ann', balance: '1,200.50', username: 'an***88' }
  test('are filled in wherever they occur', () => {
    expect(fill('{nickname} ({username}): {balance}, {nickname}!', values)).toEqual({
      text: 'Ann (an***88): 1,200.50, Ann!',
      missing: false,
    })
  })
  test('an unknown value stays as a variable and is reported; other braces are left alone', () => {
    expect(fill('{balance} {other} {}', { ...values, balance: undefined })).toEqual({
      text: '{balance} {other} {}',
      missing: true,
    })
  })
  test('a nickname that looks like a variable is not filled in again', () => {
    expect(fill('{nickname} has {balance}', { ...values, nickname: '{balance}$&' }).text).toBe(
      '{balance}$& has 1,200.50',
    )
  })
})

describe('[ROOM-08] the slash', () => {
  test.each([
    ['/', 1, { from: 0, typed: '' }],
    ['/dep', 4, { from: 0, typed: 'dep' }],
    ['hello /點數 there', 9, { from: 6, typed: '點數' }],
    ['line\n/x', 7, { from: 5, typed: 'x' }],
  ])('%j at %i opens', (text, caret, expected) => {
    expect(slashAt(text, caret)).toEqual(expected)
  })
  test.each([
    ['and/or', 6],
    ['https://example', 15],
    ['1/2', 3],
    ['/dep done', 9],
    ['/dep', 0],
    ['//', 2],
  ])('%j at %i does not', (text, caret) => {
    expect(slashAt(text, caret)).toBeUndefined()
  })
  test('inserted text gets spaces where it touches other words', () => {
    expect([withSpaces('x', 'a', 'b'), withSpaces('x', 'a ', ''), withSpaces('x', '', '\nb')]).toEqual([
      ' x ',
      'x',
      'x',
    ])
  })
})

test('[TMPL-02] times are shifted by eight hours', () => {
  expect(shifted('2026-12-31T16:00:05.123Z')).toBe('2027-01-01 00:00:05')
})
