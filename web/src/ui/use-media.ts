import { useCallback, useSyncExternalStore } from 'react'

const asked = new Map<string, MediaQueryList>()
const mediaOf = (query: string): MediaQueryList => {
  const known = asked.get(query) ?? matchMedia(query)
  asked.set(query, known)
  return known
}

/** Whether a media query holds now; the component is drawn again when that changes. */
export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = mediaOf(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => mediaOf(query).matches)
}
