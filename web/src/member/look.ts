import type { Answer } from '@tallyroom/contract'
import { useCallback, useEffect, useState } from 'react'
import { call, refusedBy } from '../api/call.ts'
import { getStored, setStored } from '../lib/storage.ts'

type Invitation = Answer<'member/invitation'>
/** Name, picture and colours of a group, and the share code that they came with. */
export type Look = Omit<Invitation, 'nickname'> & { code: string }

/** Kept in this browser after a sign-out too: the sign-in page shows the group, and not the product, from the start. */
export const storedLook = (): Look | undefined => {
  try {
    const look = JSON.parse(getStored('look') ?? 'null') as Look | null
    return look && typeof look.name === 'string' ? look : undefined
  } catch {
    return undefined
  }
}

const rememberLook = (look: Look) => setStored('look', JSON.stringify(look))

/**
 * The group of a member that is signed in. One that came without an invitation sees it at its next sign-in too; the
 * picture comes with invitations only.
 */
export const rememberGroup = (group: Omit<Look, 'picture' | 'code'>) => {
  const stored = storedLook()
  rememberLook(stored?.name === group.name ? { ...stored, ...group } : { ...group, picture: '', code: '' })
}

export type Loaded =
  | { state: 'loading' }
  | { state: 'loaded'; nickname: string }
  | { state: 'refused'; message: string; canRetry: boolean }

/** The invitation of a share code. `look` is known at once where this browser has seen the code before. */
export const useInvitation = (code: string) => {
  const [look, setLook] = useState(() => {
    const stored = storedLook()
    return stored?.code === code ? stored : undefined
  })
  const [invitation, setInvitation] = useState<Loaded>({ state: 'loading' })
  const load = useCallback(async () => {
    if (!code) return
    setInvitation({ state: 'loading' })
    try {
      const { nickname, ...found } = await call('member/invitation', { share_code: code })
      rememberLook({ ...found, code })
      setLook({ ...found, code })
      setInvitation({ state: 'loaded', nickname })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const canRetry = !refusedBy('member/invitation', error, 'signup.unknown_share_code')
      setInvitation({ state: 'refused', message, canRetry })
    }
  }, [code])
  useEffect(() => void load(), [load])
  return { look, invitation, load }
}
