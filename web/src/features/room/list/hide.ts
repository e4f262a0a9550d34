import { RoomType, RoomStatus } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useNavigate } from '@tanstack/react-router'
import { notify } from '../../../ui/overlay/message.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useChangeStatus } from './change-status.ts'
import { linkTo, nextOf } from './next-room.ts'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import type { Tool } from '../state/tool.ts'

/**
 * Hides the room and opens the next one of the list; on a small screen, or when none is left, the list. "Undo" shows the
 * room in the list again and opens it. A hidden room is shown again.
 */
export const useHide = (room: RoomSummary): Tool[] => {
  const { t } = useWords()
  const navigate = useNavigate()
  const small = useMedia(SMALL)
  const { left, setStatus } = useChangeStatus()
  if (room.type === RoomType.upline || room.status === RoomStatus.ai) return []
  const busy = left > 0
  const show = () => setStatus([room.code], RoomStatus.shown)
  const undo = async () => {
    if (await show()) await navigate(linkTo(room))
  }
  const hide = async () => {
    const done = notify.begin()
    await navigate((small ? undefined : nextOf(room)) ?? { to: '/chat/messaging' })
    if (!(await setStatus([room.code], RoomStatus.hidden))) return
    done(t('chat.done_hide', { n: 1 }), { label: t('action.undo'), run: () => void undo() })
  }
  return room.status === RoomStatus.hidden
    ? [{ icon: 'chat', word: t('chat.show_again'), busy, command: 'hide', press: () => void show() }]
    : [{ icon: 'hidden', word: t('chat.hide'), busy, command: 'hide', press: () => void hide() }]
}
