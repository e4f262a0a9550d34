import type { RoomSummary } from '@tallyroom/contract/events'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, newRequestId } from '../../../api/call.ts'
import { useSend } from '../../../api/use-call.ts'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import { useRoom } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { nextOf } from '../list/next-room.ts'
import { useTimeChoice } from './time-choice.tsx'
import { laterTime } from './times.ts'

/** Until when a conversation is put away. Afterwards the next one of the list is opened. */
export const SnoozeDialog = ({ room, onClose }: { room: RoomSummary; onClose: () => void }) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const small = useMedia(SMALL)
  const time = useTimeChoice()
  const snooze = useSend('desk/snooze')
  // What came while the dialog is open has not been read.
  const newest = useRoom(room.code)?.state?.messages.at(-1)?.seq
  const [seen] = useState(newest)
  const { code } = room
  // The dialog is gone by then.
  const undo = () =>
    call('desk/snooze', { code, until: null, request_id: newRequestId() }).catch((error: unknown) =>
      notify.refused(error instanceof Error ? error.message : String(error)),
    )
  const onSuccess = () => {
    const next = small ? undefined : nextOf(room)
    onClose()
    notify.done(t('later.snoozed_until', { time: laterTime(time.at) }), {
      label: t('action.undo'),
      run: () => void undo(),
    })
    void navigate(next ?? { to: '/chat/messaging' })
  }
  return (
    <Dialog
      title={t('later.snooze_title')}
      onClose={onClose}
      error={snooze.error?.message}
      onSubmit={() => snooze.mutate({ code, until: time.iso, seen }, { onSuccess })}
      buttons={
        <Button main submits disabled={snooze.isPending}>
          {t('later.snooze')}
        </Button>
      }
    >
      <p className="c-note">{t('later.snooze_what', { name: room.name })}</p>
      {time.field}
    </Dialog>
  )
}
