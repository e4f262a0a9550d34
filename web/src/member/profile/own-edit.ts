import type { Input } from '@tallyroom/contract'
import { call } from '../../api/call.ts'
import { useOnce } from '../../api/use-once.ts'
import { refreshMe, useSession } from '../session.ts'

/** Changes the member's own account. */
export const useOwnEdit = () => {
  const { accountId } = useSession()
  const once = useOnce()
  return async (change: Omit<Input<'user/edit'>, 'id' | 'request_id'>) => {
    await once(change, (request_id) => call('user/edit', { ...change, id: Number(accountId), request_id }))
    await refreshMe()
  }
}
