import { expect, test } from 'vitest'
import { fold } from '@tallyroom/contract/text/fold'
import { excerptOf, foldedBeside } from './fold.ts'

test.each([
  ['ＡＢＣ１２３', 'abc123'],
  ['ﾊﾝｶｸ', 'ハンカク'],
  ['ПРИВЕТ', 'привет'],
  ['แต้ม\u200Bเข้า\u200Bแล้ว', 'แต้มเข้าแล้ว'],
  ['မင်္ဂလာ\u200Bပါ', 'မင်္ဂလာပါ'],
  ['Cảm ơn ĐỨC', 'cam on duc'],
  ['Cảm ơn'.normalize('NFD'), 'cam on'],
  ['Семён', 'семен'],
  ['০৯১২ ၀၉ ๑๒ ௧ ٣', '0912 09 12 1 3'],
  ['\u202a0912\u2011345\u202c', '0912-345'],
  ['one \n\t two\u3000three', 'one two three'],
])('%j is searched as %j', (text, folded) => {
  expect(fold(text)).toBe(folded)
  expect(foldedBeside(text)).toBe(folded)
  expect(foldedBeside(folded)).toBeNull()
})

test.each([
  ['你好，我的點數到了嗎？', '點數', '你好，我的', '點數', '到了嗎？'],
  ['สวัสดีค่ะ แต้มเข้าแล้วหรือยัง', 'แต้มเข้า', 'สวัสดีค่ะ ', 'แต้มเข้า', 'แล้วหรือยัง'],
  ['မင်္ဂလာ\u200Bပါ ခင်ဗျာ', 'ပါ ခ', 'မင်္ဂလာ\u200B', 'ပါ ခ', 'င်ဗျာ'],
  ['Ｓlip sent', 'slip', '', 'Ｓlip', ' sent'],
  ['a  \n b', 'a b', '', 'a  \n b', ''],
  ['👩‍👩‍👧 family', 'fam', '👩‍👩‍👧 ', 'fam', 'ily'],
])('in %j is %j', (text, wanted, before, hit, after) => {
  expect(excerptOf(text, fold(wanted))).toEqual({ before, hit, after })
})

test('a long text shows the part around the hit', () => {
  const { before, hit, after } = excerptOf(`${'x'.repeat(500)}needle${'y'.repeat(500)}`, 'needle')
  expect([before, hit, after]).toEqual([`…${'x'.repeat(32)}`, 'needle', `${'y'.repeat(96)}…`])
})

const families = '👨‍👩‍👧‍👦🇹🇭น้ำ🧑🏽‍🚀'.repeat(40)
test.each([
  ['before', `${families}needle`, 'needle'],
  ['behind', `needle${families}`, 'needle'],
  ['before and behind', `${families}needle${families}`, 'needle'],
  ['through a letter', `${families}x${families}`, '👩x'],
  ['without a mark', families, 'needle'],
])('[TEXT-02] no letter is cut %s a hit', (_, text, wanted) => {
  const ends = [...new Intl.Segmenter('en').segment(text)].map(({ index, segment }) => index + segment.length)
  for (let shift = 0; shift < 12; shift++) {
    const { before, hit, after } = excerptOf('x'.repeat(shift) + text, fold(wanted))
    const shown = before.replace('…', '')
    const from = ('x'.repeat(shift) + text).indexOf(shown + hit + after.replace('…', '')) - shift
    for (const at of [from, from + shown.length, from + shown.length + hit.length])
      if (at > 0) expect([shift, at, ends.includes(at)]).toEqual([shift, at, true])
  }
})
