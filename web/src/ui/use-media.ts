import { useCallback, useSyncExternalStore } from 'react'

const queries = new Map<string, MediaQueryList>()
const mediaOf = (query: string): MediaQueryList => {
  const known = queries.get(query) ?? matchMedia(query)
  queries.set(query, known)
  return known
}

/** Whether a media query matches. The component renders again when that changes. */
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
