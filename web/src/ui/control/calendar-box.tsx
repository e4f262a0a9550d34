import { useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from './button.tsx'
import { Calendar } from './calendar.tsx'

type Props = {
  label: string
  /** A day, or a minute: then its hour and minute can be chosen too. */
  value: string
  /** Whether what the field holds can be taken. */
  isUsable: boolean
  /** How often the focus has been asked into the calendar. */
  entries: number
  onChange: (value: string) => void
  /** With a value: that one; else what the field holds. */
  onTake: (value?: string) => void
  onCancel: () => void
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at).padStart(2, '0'))
const hours = numbers(24)
const minutes = numbers(60)

/** What chooses a date: the days of a month, the time, and the buttons that confirm or cancel. */
export const CalendarBox = ({ label, value, isUsable, entries, onChange, onTake, onCancel }: Props) => {
  const { t } = useWords()
  const [day, time] = [value.slice(0, 10), value.slice(11)]
  const [shown, setShown] = useState({ day, of: day })
  // Another day was typed: its month is shown.
  if (shown.of !== day) setShown({ day, of: day })
  const withDay = (chosen: string) => (time ? `${chosen} ${time}` : chosen)
  const [hour = '', minute = ''] = time.split(':')
  return (
    <div className="calendar" role="group" aria-label={`${label}: ${t('calendar.title')}`}>
      <Calendar
        value={day}
        shown={shown.day}
        onShow={(next) => setShown({ day: next, of: day })}
        onChoose={(chosen) => onChange(withDay(chosen))}
        onTake={(chosen) => onTake(withDay(chosen))}
        entries={entries}
      />
      {time && (
        <div className="calendar-time">
          <Numbers
            label={t('calendar.hour')}
            numbers={hours}
            value={hour}
            onChange={(next) => onChange(`${day} ${next}:${minute}`)}
          />
          <Numbers
            label={t('calendar.minute')}
            numbers={minutes}
            value={minute}
            onChange={(next) => onChange(`${day} ${hour}:${next}`)}
          />
        </div>
      )}
      <div className="calendar-buttons">
        <Button small onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button small main disabled={!isUsable} onClick={() => onTake()}>
          {t('action.ok')}
        </Button>
      </div>
    </div>
  )
}

type NumbersProps = { label: string; numbers: readonly string[]; value: string; onChange: (value: string) => void }

const Numbers = ({ label, numbers: all, value, onChange }: NumbersProps) => (
  <select className="select" aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
    {all.map((number) => (
      <option key={number}>{number}</option>
    ))}
  </select>
)
