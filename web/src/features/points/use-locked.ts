import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'

const ASK_AFTER = 800
const SHOW_AFTER = 1200

/** Checks event mode after 800 ms; the send button disappears 1200 ms after the dialog opened (ENV-05); it is of rooms. */
export const useLocked = (memberId: number, isInRoom: boolean) => {
  const [locked, setLocked] = useState(false)
  useEffect(() => {
    if (!isInRoom) return
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
  }, [memberId, isInRoom])
  return locked
}
