import type { Input } from '@tallyroom/contract'
import { call } from '../../api/call.ts'
import { useOnce } from '../../api/use-once.ts'
import { refreshMe, useSession } from '../session.ts'

/** Changes the member's own account. */
export const useOwnEdit = () => {
  const { accountId } = useSession()
  const once = useOnce()
  return async (edit: Omit<Input<'user/edit'>, 'id' | 'request_id'>) => {
    await once(edit, (request_id) => call('user/edit', { ...edit, id: Number(accountId), request_id }))
    await refreshMe()
  }
}
