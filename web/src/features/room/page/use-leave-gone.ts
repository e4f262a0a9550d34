import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { useRoom } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { notify } from '../../../ui/overlay/message.tsx'

/** Leaves a room whose member was moved to another group: what is typed there would reach nobody. */
export const useLeaveGone = (code: string) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const isGone = useRoom(code)?.loading === 'failed' && rooms.wasRemoved(code)
  useEffect(() => {
    if (!isGone) return
    notify.refused(t('chat.gone'))
    void navigate({ to: '/chat/messaging' })
  }, [isGone, navigate, t])
}
