import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type ReactNode, Suspense, useState } from 'react'
import { useSend } from '../../../api/use-call.ts'
import { useMay } from '../../../api/use-menu.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { isOwnOrFree } from '../state/neighbour.ts'
import type { Tool } from '../state/tool.ts'
import { laterTime } from './times.ts'
import './later.css'

const SnoozeDialog = lazyPart(async () => (await import('./snooze-dialog.tsx')).SnoozeDialog)

/** Puts a conversation away until a time or the member's next message (DESK-07). */
export const useSnooze = (room: RoomSummary): { tools: Tool[]; dialog: ReactNode } => {
  const { t } = useWords()
  const mayGiveAny = useMay('chat.give_any')
  const [open, setOpen] = useState(false)
  const canSnooze = room.type !== RoomType.upline && room.status !== RoomStatus.ai && (isOwnOrFree(room) || mayGiveAny)
  if (!canSnooze && open) setOpen(false)
  if (!canSnooze) return { tools: [], dialog: null }
  return {
    tools: [{ icon: 'moon', word: t('later.snooze'), command: 'snooze', inHeader: true, press: () => setOpen(true) }],
    dialog: <Suspense>{open && <SnoozeDialog room={room} onClose={() => setOpen(false)} />}</Suspense>,
  }
}

/** Above the composer of a snoozed conversation: until when, and the button that ends it. */
export const SnoozedNotice = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const snooze = useSend('desk/snooze')
  if (room.snoozed_until === undefined) return null
  const wake = () =>
    snooze.mutate({ code: room.code, until: null }, { onError: (error) => notify.refused(error.message) })
  return (
    <p className="room-later">
      <Icon name="moon" size={14} />
      <span>{t('later.snoozed_until', { time: laterTime(room.snoozed_until) })}</span>
      <button type="button" className="button" disabled={snooze.isPending} onClick={wake}>
        {t('later.wake')}
      </button>
    </p>
  )
}
