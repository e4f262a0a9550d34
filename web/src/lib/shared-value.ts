import { useSyncExternalStore } from 'react'

/** A value outside of React that components of different trees read and set. */
export const makeSharedValue = <T>(first: T) => {
  let value = first
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => value
  return {
    get,
    set: (to: T) => {
      value = to
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
