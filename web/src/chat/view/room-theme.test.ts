import { expect, test } from 'vitest'
import { contrastOf, headerColours, roomStyle } from './room-theme.ts'

const plain = {
  name: '',
  background_image: '',
  background_color: '',
  header_background_color: '',
  header_font_color: '',
  late_after: 2,
  overdue_after: 5,
}

test('the contrast of two colours follows WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#123456', '#123456')).toBe(1)
})

test('[SET-04] the header is readable with any two colours', () => {
  const colours = ['', ...['00', '3f', '77', 'a0', 'ff'].flatMap((r) => ['00', '80', 'ff'].map((g) => `#${r}${g}66`))]
  for (const header_background_color of colours) {
    for (const header_font_color of colours) {
      const head = headerColours({ header_background_color, header_font_color })
      if (head) expect(contrastOf(head.ground, head.ink)).toBeGreaterThanOrEqual(4.5)
      else expect([header_background_color, header_font_color]).toEqual(['', ''])
    }
  }
  expect(headerColours({ header_background_color: '#777777', header_font_color: '#787878' })?.kept).toBe(false)
})

test('only images of the server and newly picked ones are allowed in a style', () => {
  expect(roomStyle(undefined)).toEqual({})
  expect(roomStyle({ ...plain, name: 'x' })).toEqual({})
  for (const bad of [
    'https://evil.example/x.png',
    '/media/..',
    '/media/x")',
    'data:image/svg+xml,<svg>',
    'javascript:1',
  ])
    expect(roomStyle({ ...plain, background_image: bad })).toEqual({})
  const address = `/media/${'a'.repeat(32)}`
  expect(roomStyle({ ...plain, background_image: address }).style).toEqual({ '--room-image': `url("${address}")` })
})
