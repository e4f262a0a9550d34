import { useEffect, useRef } from 'react'

/** About the time a person needs to notice a new line. */
export const NOTICE_MS = 1000

/**
 * Whether the member's newest message came so recently that the user who is typing has not seen it. `seq` is that message's;
 * undefined while the room is loading.
 */
export const useJustArrived = (seq: number | undefined): (() => boolean) => {
  const before = useRef(seq)
  const arrived = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    // What was there when the room opened has been seen.
    if (seq !== undefined && before.current !== undefined && seq > before.current) arrived.current = performance.now()
    if (seq !== undefined) before.current = seq
  }, [seq])
  return () => performance.now() - arrived.current < NOTICE_MS
}
