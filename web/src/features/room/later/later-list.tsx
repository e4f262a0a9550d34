import type { RoomSummary } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { onConnected, onEvent } from '../../../api/live.ts'
import { refresh, useCall, useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { ownId } from '../state/filter.ts'
import type { TimedAct } from './timed-act.ts'
import { laterTime } from './times.ts'

const SendLaterDialog = lazyPart(async () => (await import('./send-later-dialog.tsx')).SendLaterDialog)

/** What is to come in a room, live. */
const useTimedActs = (code: string): readonly TimedAct[] => {
  const cache = useQueryClient()
  const answer = useCall('message/scheduled', { code }, { meta: { optional: true } })
  useEffect(() => {
    const again = () => void refresh(cache, ['message/scheduled'])
    const stops = [
      onEvent('desk', ({ code: changed, later }) => {
        if (later && changed === code) again()
      }),
      onEvent('later', ({ code: changed }) => {
        if (changed === code) again()
      }),
      onConnected(again),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache, code])
  return answer.data?.data ?? []
}

/** Above the composer: texts that are sent later or could not be sent, and the user's reminders. */
export const LaterList = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const acts = useTimedActs(room.code)
  const [edited, setEdited] = useState<TimedAct>()
  if (acts.length === 0) return null
  return (
    <>
      <ul className="room-later-list" aria-label={t('later.list')}>
        {acts.map((act) => (
          <LaterAct key={act.id} room={room} act={act} onEdit={() => setEdited(act)} />
        ))}
      </ul>
      <Suspense>{edited && <SendLaterDialog room={room} act={edited} onClose={() => setEdited(undefined)} />}</Suspense>
    </>
  )
}

const LaterAct = ({ room, act, onEdit }: { room: RoomSummary; act: TimedAct; onEdit: () => void }) => {
  const { t } = useWords()
  const remove = useSend('message/unschedule', { refreshes: ['message/scheduled'] })
  const { kind, state, reason, name, content } = act
  const time = laterTime(act.at)
  const isDue = state === 'due'
  const said =
    reason !== null
      ? t(`later.unsent_${reason}`, { name })
      : kind === 'send'
        ? t('later.sends_at', { time, name })
        : isDue
          ? t('later.reminder')
          : t('later.reminds_at', { time })
  const press = () =>
    remove.mutate({ code: room.code, id: act.id }, { onError: (error) => notify.refused(error.message) })
  return (
    <li className="room-later" data-alert={state !== 'waits' || undefined}>
      <Icon name={reason !== null ? 'alert' : kind === 'send' ? 'clock' : 'bell'} size={14} />
      <span>
        <b>{said}</b> <bdi className="long">{content}</bdi>
      </span>
      {kind === 'send' && act.account_id === ownId() && (
        <button type="button" className="button" onClick={onEdit}>
          {t('action.edit')}
        </button>
      )}
      <button type="button" className="button" disabled={remove.isPending} onClick={press}>
        {t(isDue ? 'desk.done' : 'later.remove')}
      </button>
    </li>
  )
}
