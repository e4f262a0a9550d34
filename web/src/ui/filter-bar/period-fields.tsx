import { useWords } from '../../i18n/i18n.ts'
import { DateField } from '../control/date-field.tsx'
import { isBackward } from '../form/range.ts'

type Props = {
  start: string
  end: string
  minutes: boolean
  labels: { start: string; end: string }
  onChange: (range: { start: string; end: string }) => void
}

export const PeriodFields = ({ start, end, minutes, labels, onChange }: Props) => {
  const { t } = useWords()
  return (
    <>
      <DateField
        label={labels.start}
        time={minutes}
        value={start}
        onChange={(from) => onChange({ start: from, end })}
      />
      <DateField
        label={labels.end}
        time={minutes}
        value={end}
        onChange={(to) => onChange({ start, end: to })}
        error={isBackward({ start, end }) ? t('history.order') : undefined}
      />
    </>
  )
}
