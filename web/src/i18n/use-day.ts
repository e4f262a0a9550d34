import { useSyncExternalStore } from 'react'
import { showMoment } from './time.ts'

const MINUTE = 60_000
const day = () => showMoment(Date.now()).slice(0, 10)

/** Looks at each full minute, because that is when days begin in every zone, and when a sleeping page is seen again. */
const subscribe = (listener: () => void) => {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(look, MINUTE - (Date.now() % MINUTE))
  }
  const look = () => {
    listener()
    wait()
  }
  wait()
  document.addEventListener('visibilitychange', listener)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** Today in the platform's time zone, YYYY-MM-DD. The component renders again when the next day begins. */
export const useDay = (): string => useSyncExternalStore(subscribe, day)
