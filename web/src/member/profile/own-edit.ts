import type { Input } from '@tallyroom/contract'
import { useRef, useState } from 'react'
import { call, CallError, NO_ANSWER, newRequestId, refusedBy } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { refreshMe, useSession } from '../session.ts'

type Change = Omit<Input<'user/edit'>, 'id' | 'request_id'>
type Outcome = 'saved' | 'wrong_password' | 'refused'

/** Changes the member's own account. `refused` is the message of a change that the server has not made. */
export const useOwnEdit = () => {
  const { accountId } = useSession()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState('')
  // Kept while the outcome is unknown: a repeated change has one effect.
  const request = useRef<{ change: string; id: string }>(undefined)

  const save = async (change: Change): Promise<Outcome> => {
    const content = JSON.stringify(change)
    if (request.current?.change !== content) request.current = { change: content, id: newRequestId() }
    setBusy(true)
    setRefused('')
    try {
      await call('user/edit', { ...change, id: Number(accountId), request_id: request.current.id })
      request.current = undefined
      await refreshMe()
      return 'saved'
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== NO_ANSWER) request.current = undefined
      if (refusedBy('user/edit', error, 'session.wrong_password')) return 'wrong_password'
      setRefused(errorText(error))
      return 'refused'
    } finally {
      setBusy(false)
    }
  }
  return { save, busy, refused, setRefused }
}
