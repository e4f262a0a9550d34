import { useEffect, useRef, useState } from 'react'

/** As long as a double click may take: browsers protect their own questions for as long. */
export const protection = { ms: 500 }

/**
 * Whether a press may be the second half of a double click, or of Enter pressed twice, whose first half opened the
 * question: then it was not read. `again` starts the time again: a user who goes on pressing has not read it either.
 */
export const useProtection = (isOn: boolean) => {
  const [isOver, setOver] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const again = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOver(true), protection.ms)
  }
  useEffect(() => {
    if (!isOn) return
    again()
    return () => {
      clearTimeout(timer.current)
      setOver(false)
    }
  }, [isOn])
  return { isProtected: isOn && !isOver && protection.ms > 0, again }
}
