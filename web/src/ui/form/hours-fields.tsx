import { useWords } from '../../i18n/i18n.ts'
import './hours-fields.css'
import { TextField } from './text-field.tsx'

/** A span of each day, such as 22:00 to 06:00: an end before the start is on the next day. */
type Hours = { from: string; until: string }
type Props = { hours: Hours; isWrong: boolean; onChange: (hours: Hours | null) => void }

export const HoursFields = ({ hours, isWrong, onChange }: Props) => {
  const { t } = useWords()
  return (
    <div className="hours-fields" role="group" aria-label={t('right.hours')}>
      {(['from', 'until'] as const).map((end) => (
        <TextField
          key={end}
          label={t(`right.${end}`)}
          error={end === 'until' && isWrong ? t('right.hours_same') : undefined}
          hint={end === 'until' && !isWrong && hours.until < hours.from ? t('right.next_day') : undefined}
          type="time"
          className="points"
          value={hours[end]}
          onChange={(text) => onChange({ ...hours, [end]: text.slice(0, 5) })}
        />
      ))}
      <button type="button" className="button" onClick={() => onChange(null)}>
        {t('right.all_day')}
      </button>
    </div>
  )
}
