import { readFileSync } from 'node:fs'
import { parse } from 'postcss'
import { expect, test } from 'vitest'
import { accents } from './theme.ts'

type Tokens = Record<string, string>
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
/** The tokens of the rules whose selector matches. */
const tokensOf = (sheet: string, isWanted: (selector: string) => boolean): Tokens => {
  const found: Tokens = {}
  parse(sheet).walkRules((rule) => {
    if (!rule.selectors.some(isWanted)) return
    rule.walkDecls(/^--/, ({ prop, value }) => {
      const colour = /^#\w{6}/.exec(value)?.[0]
      if (colour) found[prop.slice(2)] = colour
    })
  })
  return found
}
const tokens = (scheme: 'light' | 'dark', accent: string): Tokens => {
  const dark = scheme === 'dark' ? '[data-theme="dark"]' : ''
  const own = `:root[data-accent="${accent}"]`
  const [base, colours] = [read('tokens.css'), read('accents.css')]
  return {
    ...tokensOf(base, (selector) => selector === ':root'),
    ...tokensOf(base, (selector) => selector === `:root${dark}`),
    ...tokensOf(colours, (selector) => selector === own || selector === `${own}${dark}`),
  }
}

const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string) => {
  const [bright = 0, dim = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (bright + 0.05) / (dim + 0.05)
}

/** Text colours and the backgrounds they appear on. */
const words: [string, string[]][] = [
  ['text', ['ground', 'surface', 'surface-2', 'hover', 'accent-soft', 'bubble']],
  ['text-2', ['ground', 'surface', 'surface-2', 'hover', 'accent-soft', 'off-soft']],
  ['on-accent', ['accent', 'accent-hover']],
  ['accent-ink', ['ground', 'surface', 'accent-soft']],
  ['on-bubble-own', ['bubble-own']],
  ['text-2', ['bubble', 'bubble-own']],
  ['text-off', ['ground', 'surface', 'surface-2']],
  ['note-ink', ['note']],
  ['on-overdue', ['overdue']],
  ['in', ['ground', 'surface', 'in-soft']],
  ['out', ['ground', 'surface', 'out-soft']],
  ['refused', ['ground', 'surface', 'refused-soft']],
  // A button that deletes.
  ['on-refused', ['refused']],
  ['waiting', ['ground', 'surface', 'waiting-soft']],
]
/** Lines and marks and the backgrounds they appear on. */
const lines: [string, string[]][] = [
  ['line-strong', ['surface']],
  ['focus', ['ground', 'surface']],
  ['accent', ['surface']],
]

test('[SHELL-05] nine accents, each with enough contrast in light and dark', () => {
  expect(accents).toHaveLength(9)
  const faint: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    for (const accent of accents) {
      const all = tokens(scheme, accent)
      const least = (pairs: [string, string[]][], ratio: number) => {
        for (const [ink, grounds] of pairs) {
          for (const ground of grounds) {
            const found = contrast(all[ink] ?? '', all[ground] ?? '')
            if (!(found >= ratio)) faint.push(`${scheme} ${accent}: ${ink} on ${ground} is ${found.toFixed(2)}`)
          }
        }
      }
      least(words, 4.5)
      least(lines, 3)
    }
  }
  expect(faint).toEqual([])
})
