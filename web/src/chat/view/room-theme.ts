import type { CSSProperties } from 'react'
import { useSyncExternalStore } from 'react'
import { mediaSrc } from '../model/media-src.ts'
import { currentRoomTheme, onRoomTheme, type RoomTheme } from '../model/room-theme.ts'

export const useRoomTheme = () => useSyncExternalStore(onRoomTheme, currentRoomTheme)

const channel = (hex: string, at: number) => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const light = (hex: string) => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5)

/** WCAG contrast ratio of two `#rrggbb` colours, 1 to 21. */
export const contrastOf = (one: string, other: string): number => {
  const [high = 0, low = 0] = [light(one), light(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const READABLE = 4.5
const WHITE = '#ffffff'
const BLACK = '#000000'
const readableOn = (ground: string) => (contrastOf(ground, WHITE) >= contrastOf(ground, BLACK) ? WHITE : BLACK)

export type HeaderColours = { ground: string; ink: string; kept: boolean }
/** The header's two colours. A font colour without enough contrast is replaced by black or white. */
export const headerColours = ({
  header_background_color: ground,
  header_font_color: ink,
}: Pick<RoomTheme, 'header_background_color' | 'header_font_color'>): HeaderColours | undefined => {
  if (!ground && !ink) return undefined
  if (!ground) return { ground: readableOn(ink), ink, kept: true }
  if (!ink) return { ground, ink: readableOn(ground), kept: true }
  const kept = contrastOf(ground, ink) >= READABLE
  return { ground, ink: kept ? ink : readableOn(ground), kept }
}

/** Allows only images of the server and newly picked ones in a style: another address could load anything. */
const imageOf = (address: string) => {
  if (/^\/media\/[0-9a-f]{32}$/.test(address)) return mediaSrc(address)
  return /^data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+$/.test(address) ? address : ''
}

/** Style for the element that contains header and room. */
export const roomStyle = (settings: RoomTheme | undefined): { style?: CSSProperties; 'data-theme-parts'?: string } => {
  if (!settings) return {}
  const head = headerColours(settings)
  const image = imageOf(settings.background_image)
  const parts = [...(head ? ['head'] : []), ...(image || settings.background_color ? ['ground'] : [])]
  if (parts.length === 0) return {}
  const style: Record<`--${string}`, string> = {
    ...(head ? { '--room-head': head.ground, '--room-head-ink': head.ink } : {}),
    ...(settings.background_color ? { '--room-ground': settings.background_color } : {}),
    ...(image ? { '--room-image': `url("${image}")` } : {}),
  }
  return { style: style as CSSProperties, 'data-theme-parts': parts.join(' ') }
}
