import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, CallError } from '../../api/call.ts'
import { refresh } from '../../api/use-call.ts'

/** A third of the lease: two renewals may be lost. */
const RENEW_MS = 20_000
/** A payment at the bank happens in another tab. After this long nobody is at work on it. */
const HIDDEN_MS = 5 * 60_000

/** Keeps a request with its taker while it is on screen. A page that stays hidden lets the lease end. */
export const useLease = (id: number, isMine: boolean) => {
  const cache = useQueryClient()
  useEffect(() => {
    if (!isMine) return
    let seenAt = performance.now()
    const renew = () => {
      if (!document.hidden) seenAt = performance.now()
      else if (performance.now() - seenAt > HIDDEN_MS) return
      call('cash/renew', { id }).catch((error: unknown) => {
        if (error instanceof CallError) void refresh(cache, ['cash/list'])
      })
    }
    // A page that is loaded again finds a lease that may end within seconds.
    renew()
    const timer = setInterval(renew, RENEW_MS)
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [id, isMine, cache])
}
