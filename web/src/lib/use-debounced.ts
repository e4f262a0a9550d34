import { useEffect, useState } from 'react'

/** A search is sent after this many ms without a keystroke. */
export const TYPING_PAUSE_MS = 250

/** The text once typing has paused; '' until then. Without it a search would send one request per letter. */
export const useDebounced = (text: string) => {
  const [debounced, setDebounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced === text ? debounced : ''
}
