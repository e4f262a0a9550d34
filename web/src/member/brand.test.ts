import { expect, test } from 'vitest'
import { contrastOf } from '../chat/view/room-theme.ts'
import { brandOf } from './brand.ts'

/** Of theme/tokens.css: `text-2` is the weakest text of a bubble. */
const themes = [
  { theme: 'light', suffix: '', grounds: ['#ffffff', '#f6f7f9', '#f0f2f5'], text: ['#171c24', '#505966'] },
  { theme: 'dark', suffix: '-dark', grounds: ['#171b22', '#0f1217', '#1f252e'], text: ['#e8edf5', '#a6afbc'] },
] as const

test('[FIRST-03] any colour of a group gives readable buttons, links and bubbles in both themes', () => {
  const steps = ['00', '40', '80', 'c0', 'ff']
  const colours = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))
  for (const colour of colours) {
    const brand = brandOf({ header_background_color: colour, header_font_color: '' })
    if (!brand) throw new Error(`${colour} gives no brand`)
    for (const ground of [brand['--brand'], brand['--brand-hover']])
      expect(contrastOf(brand['--brand-over'] ?? '', ground ?? '')).toBeGreaterThanOrEqual(4.5)
    for (const { suffix, grounds, text } of themes) {
      const soft = brand[`--brand-soft${suffix}`] ?? ''
      for (const ground of [...grounds, soft])
        expect(contrastOf(brand[`--brand-ink${suffix}`] ?? '', ground)).toBeGreaterThanOrEqual(4.5)
      for (const each of text) expect(contrastOf(each, soft)).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('a group without colours leaves the page its own', () => {
  expect(brandOf(undefined)).toBeUndefined()
  expect(brandOf({ header_background_color: '', header_font_color: '' })).toBeUndefined()
})
