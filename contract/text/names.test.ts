import { describe, expect, test } from 'vitest'
import { requiredName, requiredText } from '../fields.ts'
import { visibleName, visibleText } from './names.ts'

const unseen = [
  '\u3164',
  '\u2800',
  '\u200d',
  '\u00ad',
  '\ufe0f',
  '\u200c',
  '\u034f',
  '\u115f',
  '\uffa0',
  '\u2060',
  '\u{e0041}',
  ' \u3000 ',
]

describe('[TEXT-02] a name', () => {
  test.each(unseen)('of %j alone is none', (letter) => {
    expect(visibleName(letter.repeat(3))).toBe('')
    expect(visibleText(`${letter}\n${letter}`)).toBe('')
    expect(requiredName(50).safeParse(letter).success).toBe(false)
    expect(requiredText(50).safeParse(letter).success).toBe(false)
  })

  test.each(['\u0301', '\u20e3', '\u{1d159}', '\u{13441}'])('of %j alone is none: no letter is below it', (sign) => {
    expect(visibleName(sign.repeat(3))).toBe('')
    expect(visibleText(`${sign}\n`)).toBe('')
    expect(visibleName(`a${sign}`)).not.toBe('')
  })

  test('is NFC, and its letters stay in their order', () => {
    expect(visibleName('Nguyễn'.normalize('NFD'))).toBe('Nguyễn')
    expect(visibleName('\u202a0912345\u202c ')).toBe('0912345')
    expect(visibleName('A\u00adnn\u3164 Lee')).toBe('Ann Lee')
    expect(visibleText('one\n\ttwo \u202Egnp.exe')).toBe('one\n\ttwo gnp.exe')
  })

  test.each([
    'Da\u206cna',
    'Da\u200cna',
    'Da\u200dna',
    'Da\ufe0fna',
    'Da\u{e0041}na',
    'Da\u{e0100}na',
    'Da\u{1d173}na',
    'Da\ufff9na',
    'Da\u180bna',
    'Da\ud83ena',
    'Dana\u{e0041}\u{e007f}',
  ])('%j is Dana: nothing in it can be seen that is not in Dana', (spoofed) => {
    expect(visibleName(spoofed)).toBe('Dana')
    expect(visibleText(spoofed)).toBe('Dana')
  })

  test('has single spaces, and its letters are composed after what was between them is gone', () => {
    expect(visibleName('Ann \u00a0\u2003 Lee')).toBe('Ann Lee')
    expect(visibleName('Nguye\u034f\u0302\u200b\u0303n')).toBe('Nguyễn')
    expect(visibleText('Nguye\u034f\u0302\u200b\u0303n')).toBe('Nguyễn')
  })

  test('has at most four marks above and below a letter', () => {
    expect(visibleName(`Z${'\u0351'.repeat(30)}oe`)).toBe(`Z${'\u0351'.repeat(4)}oe`)
    expect(visibleName(`Z${'\u0351\u200d'.repeat(30)}`).match(/\u0351/g)).toHaveLength(4)
  })

  test.each([
    'မြွှေ့ကြောင့်ကျွန်ုပ်တို့',
    'လက်ဖက်ရည်ကြော်ငြာဦးစီးဌာန',
    'ဩဇာသီးကြွေကျ',
    'ก็ที่ปู่ย่าผู้ใหญ่น้ำฝั่งกตัญญู',
    'ஸ்ரீநிவாசன் கிருஷ்ணமூர்த்தி',
    'স্বাস্থ্যসেবা র‍্যাঙ্ক দ্বন্দ্ব উজ্জ্বল',
    'क्षत्रिय ज़िन्दगी र्‍',
    'مُحَمَّدٌ الرَّحْمٰنِ',
    'Nguyễn Thị Hường',
    'שָׁלוֹם בְּרֵאשִׁ֖ית',
    '👨‍👩‍👧 🇹🇼 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '陳𠮷野家',
    'བསྒྲུབས',
  ])('%s is kept', (word) => {
    expect(visibleName(word)).toBe(word.normalize('NFC'))
  })
})
