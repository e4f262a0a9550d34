import { describe, expect, test } from 'vitest'
import { cutText, shortText } from './cut-text.ts'

const letters = ['🧧', '🇹🇼', '👨‍👩‍👧', '𠮷', 'ễ'.normalize('NFD'), '👍🏽', 'မြန်', 'நி', 'ক্ষ', 'ที่', '1️⃣']
const lengths = [...Array.from({ length: 11 }, (_, n) => 115 + n), ...Array.from({ length: 11 }, (_, n) => 1995 + n)]
const graphemes = (text: string) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)

describe('[TEXT-02] no text is cut inside of a letter', () => {
  test.each(letters)('%s at every place around the end', (letter) => {
    for (const length of lengths)
      for (const before of [length - 13, length - 7, length - 3, length - 2, length - 1, length]) {
        const text = 'x'.repeat(before) + letter.repeat(9)
        const cut = cutText(text, length)
        expect(cut.isWellFormed() && cut.length <= length && text.startsWith(cut)).toBe(true)
        expect(graphemes(text).slice(0, graphemes(cut).length).join('')).toBe(cut)
        // Nothing that fits is lost.
        expect(text.length - cut.length).toBeGreaterThan(0)
        const next = graphemes(text)[graphemes(cut).length] ?? ''
        expect(cut.length + next.length).toBeGreaterThan(length)
        expect(shortText(text, length)).toMatch(/…$/)
        expect(shortText(text, length).length).toBeLessThanOrEqual(length)
      }
  })

  test('a short text stays as it is', () => {
    expect(cutText('', 5)).toBe('')
    expect(cutText('🧧🧧', 4)).toBe('🧧🧧')
    expect(shortText('abcde', 5)).toBe('abcde')
    expect(shortText('abcdef', 5)).toBe('abcd…')
  })

  test('a letter below more marks than fit is cut between them', () => {
    const stack = `a${'\u0301'.repeat(500)}`
    expect(cutText(stack, 120)).toHaveLength(120)
    expect(cutText(`xyz${stack}`, 120)).toHaveLength(120)
    expect(cutText('🧧', 1)).toBe('')
    expect(cutText('👨‍👩‍👧', 4).isWellFormed()).toBe(true)
  })
})
