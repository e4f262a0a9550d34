import { useSyncExternalStore } from 'react'
import { onClockSet, serverNow } from '../lib/clock.ts'
import { checkClock } from '../lib/config.ts'
import { today } from './time.ts'

const MINUTE = 60_000

/** Looks at each full minute, because that is when days begin in every zone, and when a sleeping page is seen again. */
const subscribe = (listener: () => void) => {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(look, MINUTE - (serverNow() % MINUTE))
  }
  const look = () => {
    checkClock()
    listener()
    wait()
  }
  const seen = () => {
    checkClock()
    listener()
  }
  wait()
  document.addEventListener('visibilitychange', seen)
  const stop = onClockSet(listener)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
    stop()
  }
}

/** Today in the platform's time zone, YYYY-MM-DD. The component renders again when the next day begins. */
export const useDay = (): string => useSyncExternalStore(subscribe, today)
