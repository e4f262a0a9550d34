import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { firstWeekday, monthName, weekdayName } from '../../i18n/calendar-names.ts'
import { useWords } from '../../i18n/i18n.ts'
import { today } from '../../i18n/time.ts'
import { dayAfter } from '../form/range.ts'
import { Icon } from '../icon.tsx'
import { monthAfter, weeksOf } from './calendar-days.ts'
import './calendar.css'

type Props = {
  /** The chosen day, YYYY-MM-DD. */
  value: string
  /** The day that keys move from, and whose month is shown. */
  shown: string
  onShow: (day: string) => void
  onChoose: (day: string) => void
  /** Enter on a day. */
  onTake: (day: string) => void
  /** How often the focus has been asked into it. */
  entries: number
}

const focusShown = (table: HTMLElement | null) => table?.querySelector<HTMLElement>('td[tabindex="0"]')?.focus()

/** The days of a month. Arrow keys go by days and weeks, Page up and down by months, with Shift by years. */
export const Calendar = ({ value, shown, onShow, onChoose, onTake, entries }: Props) => {
  const { t, language } = useWords()
  const id = useId()
  const table = useRef<HTMLTableElement>(null)
  const weeks = weeksOf(shown, firstWeekday(language))
  const now = today()
  const isByKey = useRef(false)
  useEffect(() => {
    // The day may be of another month, whose cells are new.
    if (isByKey.current) focusShown(table.current)
    isByKey.current = false
  })
  useEffect(() => {
    if (entries > 0) focusShown(table.current)
  }, [entries])

  const byKey = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    if (altKey || ctrlKey || metaKey) return
    const weekday = weeks.find((week) => week.includes(shown))?.indexOf(shown) ?? 0
    const steps: Record<string, () => string> = {
      ArrowLeft: () => dayAfter(shown, -1),
      ArrowRight: () => dayAfter(shown, 1),
      ArrowUp: () => dayAfter(shown, -7),
      ArrowDown: () => dayAfter(shown, 7),
      Home: () => dayAfter(shown, -weekday),
      End: () => dayAfter(shown, 6 - weekday),
      PageUp: () => monthAfter(shown, shiftKey ? -12 : -1),
      PageDown: () => monthAfter(shown, shiftKey ? 12 : 1),
    }
    const step = steps[key]
    if (step) {
      isByKey.current = true
      onShow(step())
    } else if (key === 'Enter') onTake(shown)
    else if (key === ' ') onChoose(shown)
    else return
    event.preventDefault()
  }
  const go = (word: 'previous_year' | 'previous_month' | 'next_month' | 'next_year', months: number) => (
    <button
      type="button"
      className="icon-button"
      aria-label={t(`calendar.${word}`)}
      data-tip={t(`calendar.${word}`)}
      onClick={() => onShow(monthAfter(shown, months))}
    >
      <Icon name={months < 0 ? 'chevronLeft' : 'chevronRight'} size={16} />
      {Math.abs(months) === 12 && <Icon name={months < 0 ? 'chevronLeft' : 'chevronRight'} size={16} />}
    </button>
  )
  return (
    <>
      <div className="calendar-head">
        {go('previous_year', -12)}
        {go('previous_month', -1)}
        <span id={id} className="calendar-month" aria-live="polite">
          {monthName(language, shown)}
        </span>
        {go('next_month', 1)}
        {go('next_year', 12)}
      </div>
      <table ref={table} role="grid" className="calendar-days" aria-labelledby={id} onKeyDown={byKey}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={weekdayName(language, day, 'long')}>
                {weekdayName(language, day, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td
                  key={day}
                  role="gridcell"
                  aria-label={`${day} ${weekdayName(language, day, 'long')}`}
                  aria-selected={day === value}
                  aria-current={day === now ? 'date' : undefined}
                  data-other={day.slice(0, 7) !== shown.slice(0, 7) || undefined}
                  tabIndex={day === shown ? 0 : -1}
                  onClick={() => onChoose(day)}
                >
                  <span>{Number(day.slice(8))}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
