import { MAX_REASON } from '@tallyroom/contract/lengths'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type Mention, mentionsIn } from '@tallyroom/contract/text/mentions'
import { useState } from 'react'
import { Button } from '../../../ui/control/button.tsx'
import { RadioGroup } from '../../../ui/control/radio.tsx'
import { MentionField } from '../../../chat/view/mention/mention-field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Alert } from '../../../ui/overlay/message.tsx'
import { useCall, useSend } from '../../../api/use-call.ts'
import { useMay } from '../../../api/use-menu.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { ownId } from '../state/filter.ts'
import { ownerTitle } from '../state/owner-title.ts'
import { ColleagueLine } from './colleague-line.tsx'

/** Take over, hand over or release a room that has an owner. */
export const OwnerDialog = ({ room, onClose }: { room: RoomSummary; onClose: () => void }) => {
  const { t } = useWords()
  const colleagues = useCall('desk/colleagues', {})
  const [to, setTo] = useState<number>()
  const [why, setWhy] = useState('')
  const [chosen, setChosen] = useState<Mention[]>([])
  const take = useSend('desk/take')
  const handOver = useSend('desk/handOver')
  const release = useSend('desk/release')
  const mine = room.owner_id === ownId()
  const [owner] = useState(room.owner_id)
  const error = take.error ?? handOver.error ?? release.error
  const isPending = take.isPending || handOver.isPending || release.isPending
  const done = { onSuccess: onClose }
  const others = (colleagues.data?.data ?? []).filter(({ id }) => id !== room.owner_id)
  const mayGiveAny = useMay('chat.give_any')
  const give = mine || mayGiveAny
  return (
    <Dialog
      title={ownerTitle(room, t)}
      onClose={onClose}
      onSubmit={() =>
        to && handOver.mutate({ code: room.code, to, why, mentions: mentionsIn(why.trim(), chosen) }, done)
      }
      buttons={
        <>
          {give && (
            <Button disabled={isPending} onClick={() => release.mutate({ code: room.code }, done)}>
              {t('desk.release')}
            </Button>
          )}
          {!mine && (
            <Button
              autoFocus
              main={!give}
              disabled={isPending}
              onClick={() => take.mutate({ code: room.code, from: owner }, done)}
            >
              {t('desk.take_over')}
            </Button>
          )}
          {give && (
            <Button main submits disabled={!to || isPending}>
              {t('desk.hand_over')}
            </Button>
          )}
        </>
      }
    >
      {error && <Alert text={error.message} />}
      {!mine && <p>{t('desk.others_whisper', { name: room.owner_name })}</p>}
      {colleagues.isError && <Alert text={colleagues.error.message} />}
      {give && (
        <fieldset className="room-colleagues">
          <legend>{t('desk.hand_to')}</legend>
          {colleagues.isPending && <p role="status">{t('chat.loading')}</p>}
          {colleagues.data && others.length === 0 && <p className="c-note">{t('desk.no_colleagues')}</p>}
          <RadioGroup
            options={others.map((person) => ({ value: person.id, label: <ColleagueLine person={person} /> }))}
            value={to}
            onChange={setTo}
            autoFocus={mine}
          />
        </fieldset>
      )}
      {give && (
        <MentionField
          label={t('desk.why')}
          hint={t('desk.why_hint')}
          maxLength={MAX_REASON}
          value={why}
          onChange={setWhy}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    </Dialog>
  )
}
