import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { useRoom } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { notify } from '../../../ui/overlay/message.tsx'

/**
 * Leaves a room that the viewer has not, because the address is wrong or its member was moved to another group: what is
 * typed there would reach nobody.
 */
export const useLeaveGone = (code: string) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const { loading, isNotFound, error = '' } = useRoom(code) ?? {}
  const wasRemoved = rooms.wasRemoved(code)
  const words = loading !== 'failed' ? undefined : wasRemoved ? t('chat.gone') : isNotFound ? error : undefined
  useEffect(() => {
    if (words === undefined) return
    notify.refused(words)
    void navigate({ to: '/chat/messaging' })
  }, [words, navigate])
}
