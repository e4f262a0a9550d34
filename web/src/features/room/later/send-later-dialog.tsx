import { MAX_TEXT } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useState } from 'react'
import { useSend } from '../../../api/use-call.ts'
import { drafts, quotes } from '../../../chat/model/chat-session.ts'
import { useRoom } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Check } from '../../../ui/form/check.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useTimeChoice } from './time-choice.tsx'
import type { TimedAct } from './timed-act.ts'
import { laterTime } from './times.ts'

type Props = { room: RoomSummary; act?: TimedAct | undefined; onClose: () => void }

/** A text of the box, or of `act`, that is sent at a time. */
export const SendLaterDialog = ({ room: { code, name }, act, onClose }: Props) => {
  const { t } = useWords()
  // Of the moment it was opened: what comes meanwhile has not been read.
  const newest = useRoom(code)?.state?.messages.at(-1)?.seq
  const [{ draft, quote, seen }] = useState(() => ({
    draft: act ? undefined : drafts.versionOf(code),
    quote: act ? (act.quote ?? undefined) : quotes.of(code)?.message_id,
    seen: newest,
  }))
  const [content, setContent] = useState(act?.content ?? drafts.of(code))
  const [anyway, setAnyway] = useState(act?.anyway === 1)
  const time = useTimeChoice({
    before: act?.state === 'waits' ? Date.parse(act.at) : undefined,
    focuses: !isBlank(content),
  })
  const schedule = useSend('message/schedule', { refreshes: ['message/scheduled'] })
  const onSuccess = () => {
    if (!act) {
      drafts.sent(code)
      quotes.take(code)
    }
    onClose()
    notify.done(t('later.scheduled_for', { time: laterTime(time.at) }))
  }
  const input = { code, content, at: time.iso, anyway, quote, replaces: act?.id, draft, seen }
  return (
    <Dialog
      title={t('later.send_later')}
      onClose={onClose}
      error={schedule.error?.message}
      onSubmit={() => schedule.mutate(input, { onSuccess })}
      buttons={
        <Button main submits disabled={schedule.isPending || isBlank(content) || content.length > MAX_TEXT}>
          {t('later.schedule')}
        </Button>
      }
    >
      <TextField
        label={t('later.text')}
        rows={3}
        dir="auto"
        autoFocus={isBlank(content)}
        maxLength={MAX_TEXT}
        value={content}
        onChange={setContent}
      />
      {time.field}
      <Check isOn={anyway} onChange={setAnyway}>
        {t('later.anyway', { name })}
      </Check>
    </Dialog>
  )
}
