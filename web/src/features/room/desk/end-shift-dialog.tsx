import { MAX_REASON } from '@tallyroom/contract/lengths'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, newRequestId } from '../../../api/call.ts'
import { refresh, useCall } from '../../../api/use-call.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { lastMessageText } from '../../../chat/model/message-kinds.ts'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { WaitingTime } from '../../../chat/view/waiting-time.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/control/button.tsx'
import { RadioGroup } from '../../../ui/control/radio.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { ownId } from '../state/filter.ts'
import { ColleagueLine } from './colleague-line.tsx'
import './end-shift.css'

/** More would have to be scrolled by nobody. */
const MAX_ROWS = 100
const QUEUE = 0

/** DESK-08: the own conversations with their last line, to a colleague or to the queue in one act; then the user is away. */
export const EndShiftDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const colleagues = useCall('desk/colleagues', {})
  const lists = [useRooms(1), useRooms(2)]
  const [to, setTo] = useState(QUEUE)
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const own = ownId()
  const mine = lists.flatMap(({ list }) => list).filter(({ owner_id }) => owner_id === own)
  const hasNone = mine.length === 0 && lists.every(({ loading }) => loading === 'ready')
  const isLoading = mine.length === 0 && lists.some(({ loading }) => loading === 'loading')
  const others = (colleagues.data?.data ?? []).filter(({ id }) => id !== own)
  const end = async () => {
    setBusy(true)
    setError(undefined)
    let given = 0
    try {
      for (let after: number | null = 0; after !== null; ) {
        const input = { to: to === QUEUE ? null : to, note, after, request_id: newRequestId() }
        const part: { n: number; next: number | null } = await call('desk/endShift', input)
        given += part.n
        after = part.next
      }
      onClose()
      notify.done(given > 0 ? t('shift.ended', { n: given }) : t('desk.state_away'))
    } catch (failure) {
      // Pressed again it goes on with those that are left.
      setError(failure instanceof Error ? failure.message : String(failure))
      setBusy(false)
    }
    void refresh(cache, ['desk/colleagues'])
    await rooms.catchUp()
  }
  return (
    <Dialog
      title={t('shift.title')}
      onClose={onClose}
      error={error}
      onSubmit={() => void end()}
      buttons={
        <Button main submits disabled={isBusy || isLoading}>
          {t(hasNone ? 'shift.set_away' : 'shift.end')}
        </Button>
      }
    >
      {hasNone && <p className="c-note">{t('shift.none')}</p>}
      {mine.length > 0 && <p className="c-note">{t('shift.what', { n: mine.length })}</p>}
      {mine.length > 0 && (
        <ul className="room-shift" aria-label={t('chat.only_mine')} tabIndex={0}>
          {mine.slice(0, MAX_ROWS).map((room) => (
            <li key={room.code}>
              <bdi>{room.name}</bdi>
              <bdi className="room-shift-last">{lastMessageText(room, t)}</bdi>
              {room.waiting_since && <WaitingTime since={room.waiting_since} />}
            </li>
          ))}
          {mine.length > MAX_ROWS && <li>{t('shift.more', { n: mine.length - MAX_ROWS })}</li>}
        </ul>
      )}
      {!hasNone && !isLoading && (
        <>
          <RadioGroup
            autoFocus
            label={t('desk.hand_to')}
            options={[
              { value: QUEUE, label: t('shift.to_queue') },
              ...others.map((person) => ({ value: person.id, label: <ColleagueLine person={person} /> })),
            ]}
            value={to}
            onChange={setTo}
          />
          <TextField
            label={t('later.note')}
            hint={t('desk.why_hint')}
            dir="auto"
            maxLength={MAX_REASON}
            value={note}
            onChange={setNote}
          />
        </>
      )}
    </Dialog>
  )
}
