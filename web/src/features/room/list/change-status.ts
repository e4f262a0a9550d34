import { useState } from 'react'
import { CallError, call, newRequestId, NO_ANSWER } from '../../../api/call.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { applyOrder } from './use-held-order.ts'

/** Hides rooms (2) or shows them again (1), one after the other; shows the refusal once, answers whether all went well. */
export const useChangeStatus = () => {
  const [left, setLeft] = useState(0)
  const change = async (codes: readonly string[], status: 1 | 2): Promise<boolean> => {
    setLeft(codes.length)
    let refused = ''
    for (const code of codes) {
      try {
        await call('room/changeStatus', { code, status, request_id: newRequestId() })
      } catch (error) {
        refused = error instanceof Error ? error.message : String(error)
        // Without an answer the next ones would not get one either.
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
  return { left, change }
}
