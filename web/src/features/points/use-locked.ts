import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'

const ASK_AFTER = 800
const SHOW_AFTER = 1200

/** Checks event mode after 800 ms; the send button disappears 1200 ms after the dialog opened (ENV-05). */
export const useLocked = (memberId: number) => {
  const [locked, setLocked] = useState(false)
  useEffect(() => {
    const opened = performance.now()
    const ask = async () => {
      const member = await call('member/view', { member_id: memberId }).catch(() => undefined)
      if (member?.event_mode !== 1) return
      timers.push(setTimeout(() => setLocked(true), Math.max(0, SHOW_AFTER - (performance.now() - opened))))
    }
    const timers = [setTimeout(() => void ask(), ASK_AFTER)]
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [memberId])
  return locked
}
