import { useState } from 'react'
import { CallError, call, newRequestId, NO_ANSWER } from '../../../api/call.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { applyOrder } from '../state/use-steady-order.ts'

/** Hides rooms (2) or shows them again (1), one by one. Shows a refusal once. @returns whether all succeeded */
export const useChangeStatus = () => {
  const [left, setLeft] = useState(0)
  const setStatus = async (codes: readonly string[], status: 1 | 2): Promise<boolean> => {
    setLeft(codes.length)
    let refused = ''
    for (const code of codes) {
      try {
        await call('room/changeStatus', { code, status, request_id: newRequestId() })
      } catch (error) {
        refused = error instanceof Error ? error.message : String(error)
        // No answer: the next calls would get none either.
        if (error instanceof CallError && error.code === NO_ANSWER) break
      }
      setLeft((n) => n - 1)
    }
    setLeft(0)
    if (refused) notify.refused(refused)
    await rooms.catchUp()
    applyOrder()
    return refused === ''
  }
  return { left, setStatus }
}
