import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '../../api/call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { chatLinkOf } from '../../domain/chat-link.tsx'
import type { FriendSearch } from './search.ts'

/** /chat/friend?username=… or ?friend_id=… */
export const FriendPage = () => <FriendRedirect {...useSearch({ from: '/chat/chat/friend' })} />

/** Redirects to that contact's chat (CONT-03), or to the contacts. */
export const FriendRedirect = ({ username, friend_id }: FriendSearch) => {
  const { t } = useWords()
  const navigate = useNavigate()

  useEffect(() => {
    let isMounted = true
    const find = async () => {
      if (friend_id) return call('friend/view', { member_id: friend_id })
      if (!username) return undefined
      const exact = await call('friend/list', { username, per_page: 1 })
      return exact.data[0] ?? (await call('friend/list', { username, fuzzy: 1, per_page: 1 })).data[0]
    }
    const go = (found: Awaited<ReturnType<typeof find>>) => {
      if (!isMounted) return
      if (!found) void navigate({ to: '/chat/contact', search: username ? { username } : {}, replace: true })
      else void navigate({ ...chatLinkOf(found), replace: true })
    }
    find().then(go, () => go(undefined))
    return () => {
      isMounted = false
    }
  }, [username, friend_id, navigate])

  return (
    <p className="c-middle" role="status">
      {t('chat.loading')}
    </p>
  )
}
