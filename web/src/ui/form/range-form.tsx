import { Button } from 'antd'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { DateField } from './date-fields.tsx'
import { Icon } from '../icon.tsx'
import { Presets } from './presets.tsx'
import { DAYS_7, daysOfRange, isBackward, lastRange, type Range, rangeOfDays } from './range.ts'

type Props = {
  /** The page's own fields, before the two times. */
  children: ReactNode
  onSearch: (range: Range) => void
  /** Length in ms, up to now; seven days by default (HIST-02). */
  defaultRange?: number
  /** A range given by a link. */
  from?: Range | undefined
  labels?: { start: string; end: string }
  className?: string
  busy?: boolean
}

/** Search form with the page's own fields, start, end and button. Every search by time uses it. */
export const RangeForm = ({ children, onSearch, defaultRange = DAYS_7, from, labels, className = '', busy }: Props) => {
  const { t } = useWords()
  const [range, setRange] = useState(() => from ?? lastRange(defaultRange))
  const wrong = isBackward(range)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!wrong) onSearch(range)
  }
  return (
    <form className={`search-form search-labelled ${className}`} role="search" onSubmit={submit}>
      {children}
      <Presets
        chosen={daysOfRange(range)}
        onChoose={(days) => {
          const chosen = rangeOfDays(days)
          setRange(chosen)
          onSearch(chosen)
        }}
      />
      <DateField
        label={labels?.start ?? t('history.start')}
        time
        value={range.start}
        onChange={(start) => setRange({ ...range, start })}
      />
      <DateField
        label={labels?.end ?? t('history.end')}
        time
        value={range.end}
        onChange={(end) => setRange({ ...range, end })}
        error={wrong ? t('history.order') : undefined}
      />
      <Button
        type="primary"
        htmlType="submit"
        icon={<Icon name="search" size={16} />}
        {...(busy === undefined ? {} : { loading: busy })}
      >
        {t('action.search')}
      </Button>
    </form>
  )
}
