import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { commandTip } from '../state/commands.ts'

type Props = { isNote: boolean; onChange: (isNote: boolean) => void }

/** Chooses who reads what is written in the composer: the member, or colleagues only (CONV-05). */
export const ModeSwitch = ({ isNote, onChange }: Props) => {
  const { t } = useWords()
  return (
    <div className="segment" role="group" aria-label={t('desk.readers')}>
      <button type="button" aria-pressed={!isNote} onClick={() => onChange(false)}>
        {t('desk.reply')}
      </button>
      <button
        type="button"
        aria-label={t('desk.whisper')}
        aria-pressed={isNote}
        {...commandTip('note', t('desk.whisper'))}
        onClick={() => onChange(true)}
      >
        <Icon name="lock" size={14} />
        <span className="segment-word">{t('desk.whisper')}</span>
      </button>
    </div>
  )
}
