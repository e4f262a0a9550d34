import { foreignZone, showMoment } from '../../../i18n/time.ts'
import type { Translate } from '../../../i18n/i18n.ts'

/** HH:mm in the platform's time zone. */
export const timeOf = (iso: string) => showMoment(iso).slice(11, 16)
/** MM-DD HH:mm:ss, as the room list shows it. */
export const listTimeOf = (iso: string | null) => (iso ? showMoment(iso).slice(5) : '')
export const dayOf = (iso: string | number) => showMoment(iso).slice(0, 10)

const DAY_MS = 86_400_000
/** A day line of a conversation. It names the zone of the times below while the device has another one (FIRST-04). */
export const dayLine = (day: string, today: string, t: Translate) =>
  [dayLabel(day, today, t), foreignZone()].filter(Boolean).join(' · ')

/** `today` as `useDay` returns it. */
export const dayLabel = (day: string, today: string, t: Translate) => {
  if (day === today) return t('time.today')
  return Date.parse(today) - Date.parse(day) === DAY_MS ? t('time.yesterday') : day
}

const two = (n: number) => String(n).padStart(2, '0')
const secondsOf = (ms: number) => Math.max(0, Math.ceil(ms / 1000))
/** A duration as "23:59:08", or "4:05" below one hour. */
export const showDuration = (ms: number) => {
  const seconds = secondsOf(ms)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
/** Writes a time for a narrow space: from an hour on without seconds, as "23h59". */
export const showShortDuration = (ms: number) => {
  const minutes = Math.floor(secondsOf(ms) / 60)
  return minutes < 60 ? showDuration(ms) : `${Math.floor(minutes / 60)}h${two(minutes % 60)}`
}
