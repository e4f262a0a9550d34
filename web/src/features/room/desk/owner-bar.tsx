import type { RoomSummary } from '@tallyroom/contract/events'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Avatar } from '../../../ui/person.tsx'
import { commandTip } from '../state/commands.ts'
import { useTake } from './owner.tsx'

/** Shown in a colleague's room instead of the composer. It takes no focus: letters typed here reach nobody (CONV-05). */
export const OwnerBar = ({ room, onNote }: { room: RoomSummary; onNote: () => void }) => {
  const { t } = useWords()
  const { press, busy } = useTake(room)
  return (
    <div className="c-composer room-held">
      <Avatar src="" name={room.owner_name} size={24} />
      <span>{t('desk.answers_here', { name: room.owner_name })}</span>
      <button type="button" className="button" {...commandTip('note', t('desk.whisper'))} onClick={onNote}>
        <Icon name="lock" size={16} />
        {t('desk.whisper')}
      </button>
      <button
        type="button"
        className="button button-outline"
        {...commandTip('take', t('desk.take_over'))}
        disabled={busy}
        onClick={() => press?.()}
      >
        {t('desk.take_over')}
      </button>
    </div>
  )
}
