import type { Answer } from '@tallyroom/contract'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { onConnected, onEvent } from '../../api/live.ts'
import { showMoment, today } from '../../i18n/time.ts'
import { serverNow } from '../../lib/clock.ts'

type Facts = Answer<'room/answerTime'>
type Opening = NonNullable<Facts['opening']>

/** In how many minutes the group usually answers, and when its desk is open; loaded with the component. */
export const useDeskFacts = (): Partial<Facts> => {
  const [facts, setFacts] = useState<Partial<Facts>>({})
  useEffect(() => {
    // Without it the page only says less: an older server does not know the call.
    const load = () => void call('room/answerTime', {}).then(setFacts, () => {})
    load()
    const stops = [onEvent('settings', load), onConnected(load)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  useTick(facts.opening?.changes)
  return facts
}

/** The most that a timer of the browser can wait. */
const LONGEST_MS = 2 ** 31 - 1

/** Draws the page again when the desk opens or closes, without asking the server: all pages would ask at once. */
const useTick = (moments: string[] | undefined) => {
  const [tick, setTick] = useState(0)
  useEffect(() => {
    const next = moments?.find((at) => Date.parse(at) > serverNow())
    if (!next) return
    const timer = setTimeout(() => setTick(tick + 1), Math.min(Date.parse(next) - serverNow(), LONGEST_MS))
    return () => clearTimeout(timer)
  }, [moments, tick])
}

/** When a closed desk opens, as "09:00" or "12-31 09:00"; empty: not known. Undefined while it is open or has no hours. */
export const opensAt = (opening: Opening | null | undefined, now: number): string | undefined => {
  if (!opening) return undefined
  const passed = opening.changes.filter((at) => Date.parse(at) <= now).length
  if (opening.is_open === (passed % 2 === 0)) return undefined
  const next = opening.changes[passed]
  if (!next) return ''
  const shown = showMoment(next)
  return shown.startsWith(today()) ? shown.slice(11, 16) : shown.slice(5, 16)
}
