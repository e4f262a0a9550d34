import { contrastOf, headerColours } from '../chat/view/room-theme.ts'
import type { Look } from './look.ts'

const WHITE = '#ffffff'
const BLACK = '#000000'
/** WCAG AA asks this of small text. */
const READABLE = 4.5
/** The grounds of theme/tokens.css that text in the accent is shown on, and how its tint for bubbles is made. */
const schemes = {
  light: { grounds: [WHITE, '#f6f7f9', '#f0f2f5'], lightness: 0.94, most: 0.6, end: BLACK },
  dark: { grounds: ['#171b22', '#0f1217', '#1f252e'], lightness: 0.18, most: 0.36, end: WHITE },
} as const

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
const hexOf = (parts: readonly number[]) => `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`
/** `share` of the second colour in the first. */
const mix = (one: string, other: string, share: number): string => {
  const to = channels(other)
  return hexOf(channels(one).map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * share)))
}

/** The colour's hue, as light as that; grey stays grey. `most`: the most saturation, 0 to 1. */
const tint = (colour: string, lightness: number, most: number): string => {
  const parts = channels(colour)
  const [high, low] = [Math.max(...parts), Math.min(...parts)]
  if (high === low) return mix(BLACK, WHITE, lightness)
  const reach = Math.min(lightness, 1 - lightness) * most * 255
  const made = parts.map((value) => Math.round(lightness * 255 + ((2 * (value - low)) / (high - low) - 1) * reach))
  return hexOf(made)
}

/** The colour, darker or lighter until it is readable on all grounds. */
const readableOn = (colour: string, grounds: readonly string[], end: string): string => {
  for (let share = 0; share < 1; share += 0.05) {
    const tried = mix(colour, end, share)
    if (grounds.every((ground) => contrastOf(tried, ground) >= READABLE)) return tried
  }
  return end
}

export type Brand = Record<`--brand${string}`, string>

/**
 * The group's colours for its member's page (brand.css): of main buttons, and made from them those of links, focus and
 * own bubbles in both themes. Undefined where the group has chosen none.
 */
export const brandOf = (
  look: Pick<Look, 'header_background_color' | 'header_font_color'> | undefined,
): Brand | undefined => {
  const head = look && headerColours(look)
  if (!head) return undefined
  const { ground, ink } = head
  const away = contrastOf(ink, WHITE) < contrastOf(ink, BLACK) ? BLACK : WHITE
  const of = ({ grounds, lightness, most, end }: (typeof schemes)['light' | 'dark']) => {
    const soft = tint(ground, lightness, most)
    return { soft, ink: readableOn(ground, [...grounds, soft], end) }
  }
  const light = of(schemes.light)
  const dark = of(schemes.dark)
  return {
    '--brand': ground,
    '--brand-over': ink,
    '--brand-hover': mix(ground, away, 0.12),
    '--brand-ink': light.ink,
    '--brand-soft': light.soft,
    '--brand-ink-dark': dark.ink,
    '--brand-soft-dark': dark.soft,
  }
}
