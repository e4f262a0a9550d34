import { MAX_REASON } from '@tallyroom/contract/lengths'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useState } from 'react'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/control/button.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useTimeChoice } from './time-choice.tsx'
import { laterTime } from './times.ts'

/** When this user alone is reminded of a conversation, and of what. */
export const RemindDialog = ({ room: { code }, onClose }: { room: RoomSummary; onClose: () => void }) => {
  const { t } = useWords()
  const [note, setNote] = useState('')
  const time = useTimeChoice()
  const remind = useSend('desk/remind', { refreshes: ['message/scheduled'] })
  const onSuccess = () => {
    onClose()
    notify.done(t('later.reminds_at', { time: laterTime(time.at) }))
  }
  return (
    <Dialog
      title={t('later.remind')}
      onClose={onClose}
      error={remind.error?.message}
      onSubmit={() => remind.mutate({ code, at: time.iso, note }, { onSuccess })}
      buttons={
        <Button main submits disabled={remind.isPending}>
          {t('later.remind')}
        </Button>
      }
    >
      <p className="c-note">{t('later.remind_what')}</p>
      {time.field}
      <TextField label={t('later.note')} dir="auto" maxLength={MAX_REASON} value={note} onChange={setNote} />
    </Dialog>
  )
}
