import { useEffect, useState } from 'react'

/** Milliseconds without a keystroke after which a search is sent. */
export const TYPING_PAUSE_MS = 250

/** The text, once typing has paused; '' until then. A search by it sends one request instead of one for each letter. */
export const useSettled = (text: string) => {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled === text ? settled : ''
}
