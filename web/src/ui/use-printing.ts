import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useMedia } from './use-media.ts'

/**
 * Whether the page is drawn for paper. True before the browser counts the pages: what is drawn after that is cut off at
 * the last of them.
 */
export const usePrinting = (): boolean => {
  const isPrint = useMedia('print')
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    const start = () => flushSync(() => setAsked(true))
    const end = () => setAsked(false)
    window.addEventListener('beforeprint', start)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', start)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrint || isAsked
}
