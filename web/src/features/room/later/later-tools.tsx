import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type ReactNode, Suspense, useState } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { commandTip, runCommand } from '../state/commands.ts'
import { isOwnOrFree } from '../state/neighbour.ts'
import type { Tool } from '../state/tool.ts'

const SendLaterDialog = lazyPart(async () => (await import('./send-later-dialog.tsx')).SendLaterDialog)
const RemindDialog = lazyPart(async () => (await import('./remind-dialog.tsx')).RemindDialog)

/** A text that is sent later, and a reminder for this user alone (DESK-07). */
export const useLater = (room: RoomSummary): { tools: Tool[]; dialog: ReactNode } => {
  const { t } = useWords()
  const [open, setOpen] = useState<'send' | 'remind'>()
  const isDesk = room.type !== RoomType.upline && room.status !== RoomStatus.ai
  const canWrite = isDesk && isOwnOrFree(room)
  if (open && !(open === 'send' ? canWrite : isDesk)) setOpen(undefined)
  if (!isDesk) return { tools: [], dialog: null }
  const onClose = () => setOpen(undefined)
  const remind: Tool = { icon: 'bell', word: t('later.remind'), command: 'remind', press: () => setOpen('remind') }
  const send: Tool = { icon: 'clock', word: t('later.send_later'), command: 'later', press: () => setOpen('send') }
  return {
    tools: [...(canWrite ? [send] : []), remind],
    dialog: (
      <Suspense>
        {open === 'send' && <SendLaterDialog room={room} onClose={onClose} />}
        {open === 'remind' && <RemindDialog room={room} onClose={onClose} />}
      </Suspense>
    ),
  }
}

/** In the composer of a wide screen; on a small one it is in the room's menu. */
export const SendLaterButton = () => {
  const { t } = useWords()
  return (
    <button
      type="button"
      className="c-round"
      aria-label={t('later.send_later')}
      {...commandTip('later', t('later.send_later'))}
      onClick={() => runCommand('later')}
    >
      <Icon name="clock" />
    </button>
  )
}
