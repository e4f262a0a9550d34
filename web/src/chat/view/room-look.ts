import type { CSSProperties } from 'react'
import { useSyncExternalStore } from 'react'
import { mediaSrc } from '../model/media-src.ts'
import { currentRoomLook, onRoomLook, type RoomLook } from '../model/room-look.ts'

export const useRoomLook = () => useSyncExternalStore(onRoomLook, currentRoomLook)

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
const clearerOn = (ground: string) => (contrastOf(ground, WHITE) >= contrastOf(ground, BLACK) ? WHITE : BLACK)

export type Head = { ground: string; ink: string; kept: boolean }
/** The header's two colours. A font colour without enough contrast is replaced by black or white. */
export const headOf = ({
  header_background_color: ground,
  header_font_color: ink,
}: Pick<RoomLook, 'header_background_color' | 'header_font_color'>): Head | undefined => {
  if (!ground && !ink) return undefined
  if (!ground) return { ground: clearerOn(ink), ink, kept: true }
  if (!ink) return { ground, ink: clearerOn(ground), kept: true }
  const kept = contrastOf(ground, ink) >= READABLE
  return { ground, ink: kept ? ink : clearerOn(ground), kept }
}

/** Only images of the server and ones just picked may get into a style. */
const imageOf = (address: string) => {
  if (/^\/media\/[0-9a-f]{32}$/.test(address)) return mediaSrc(address)
  return /^data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+$/.test(address) ? address : ''
}

/** Style for the element that contains header and room. */
export const roomStyle = (settings: RoomLook | undefined): { style?: CSSProperties; 'data-look'?: string } => {
  if (!settings) return {}
  const head = headOf(settings)
  const image = imageOf(settings.background_image)
  const parts = [...(head ? ['head'] : []), ...(image || settings.background_color ? ['ground'] : [])]
  if (parts.length === 0) return {}
  const style: Record<`--${string}`, string> = {
    ...(head ? { '--room-head': head.ground, '--room-head-ink': head.ink } : {}),
    ...(settings.background_color ? { '--room-ground': settings.background_color } : {}),
    ...(image ? { '--room-image': `url("${image}")` } : {}),
  }
  return { style: style as CSSProperties, 'data-look': parts.join(' ') }
}
