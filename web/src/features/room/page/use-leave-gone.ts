import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { drafts, outbox, rooms } from '../../../chat/model/chat-session.ts'
import { useRoom } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { notify } from '../../../ui/overlay/message.tsx'

/**
 * Leaves a room that the viewer has not, because the address is wrong or its member was moved to another group: what is
 * typed there would reach nobody. An address that is wrong stays while there are words in its box, which would be lost.
 */
export const useLeaveGone = (code: string) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const { loading, isNotFound, error = '' } = useRoom(code) ?? {}
  const wasRemoved = rooms.wasRemoved(code)
  const isLeft = wasRemoved || (isNotFound && drafts.of(code) === '' && outbox.of(code).length === 0)
  const words = loading === 'failed' && isLeft ? (wasRemoved ? t('chat.gone') : error) : undefined
  useEffect(() => {
    if (words === undefined) return
    notify.refused(words)
    void navigate({ to: '/chat/messaging' })
  }, [words, navigate])
}
