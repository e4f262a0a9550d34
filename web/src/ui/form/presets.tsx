import { useWords } from '../../i18n/i18n.ts'
import { type Days, dayPresets } from './range.ts'

type Props = { chosen: Days; onChoose: (days: Days) => void }

/** Today, yesterday, the last seven days and this month: each searches at once. */
export const Presets = ({ chosen, onChoose }: Props) => {
  const { t } = useWords()
  return (
    <div className="presets" role="group" aria-label={t('range.presets')}>
      {dayPresets().map(({ word, days }) => (
        <button
          key={word}
          type="button"
          aria-pressed={days.start === chosen.start && days.end === chosen.end}
          onClick={() => onChoose(days)}
        >
          {t(word)}
        </button>
      ))}
    </div>
  )
}
