import { MAX_SPANS } from '@tallyroom/contract/desk/hours-form'
import { type ReactNode, useRef } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { Input } from '../../ui/control/input.tsx'
import { Icon } from '../../ui/icon.tsx'
import { allDay, type DraftSpan, isAllDay } from './hours-draft.ts'

type Props = {
  /** The day, for screen readers. */
  name: string
  spans: DraftSpan[]
  error: string | undefined
  onChange: (spans: DraftSpan[]) => void
  children?: ReactNode
}

/** The hours of a day: up to six spans, none when it is closed. */
export const SpansField = ({ name, spans, error, onChange, children }: Props) => {
  const { t } = useWords()
  const adding = useRef<HTMLSpanElement>(null)
  const setSpan = (at: number, changed: Partial<DraftSpan>) =>
    onChange(spans.map((span, index) => (index === at ? { ...span, ...changed } : span)))
  const remove = (at: number) => {
    onChange(spans.filter((_, index) => index !== at))
    // The pressed button goes away.
    adding.current?.querySelector('button')?.focus()
  }
  const add = () => onChange([...spans.filter((span) => !isAllDay(span)), nextSpan(spans)])
  const isWhole = spans.some(isAllDay)
  return (
    <div className="setting-spans" role="group" aria-label={name}>
      {spans.length === 0 && <span className="setting-closed">{t('desk_hours.closed')}</span>}
      {spans.map((span, at) => (
        <span className="setting-span" key={at}>
          {isAllDay(span) ? (
            <span>{t('right.all_day')}</span>
          ) : (
            (['from', 'until'] as const).map((end) => (
              <Input
                key={end}
                type="time"
                className="points"
                aria-label={`${name}: ${t(`right.${end}`)}`}
                aria-invalid={error !== undefined}
                value={span[end]}
                onChange={({ target }) => setSpan(at, { [end]: target.value.slice(0, 5) })}
              />
            ))
          )}
          <button
            type="button"
            className="icon-button"
            aria-label={t('desk_hours.remove', { what: `${name} ${span.from}–${span.until}` })}
            onClick={() => remove(at)}
          >
            <Icon name="close" size={16} />
          </button>
        </span>
      ))}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <span className="setting-span-buttons" ref={adding}>
        <Button small plain icon="plus" disabled={spans.length >= MAX_SPANS} onClick={add}>
          {t('desk_hours.add_span')}
        </Button>
        {!isWhole && (
          <Button small plain onClick={() => onChange([allDay])}>
            {t('right.all_day')}
          </Button>
        )}
        <span>{children}</span>
      </span>
    </div>
  )
}

/** After a pause of an hour behind the last one, if the day has time left. */
const nextSpan = (spans: DraftSpan[]): DraftSpan => {
  const last = spans.filter((span) => !isAllDay(span)).at(-1)
  if (!last) return { from: '09:00', until: '18:00' }
  const hour = Number(last.until.slice(0, 2)) + 1
  const isLate = last.until <= last.from || hour > 21
  const two = (n: number) => String(n).padStart(2, '0')
  return isLate ? { from: '', until: '' } : { from: `${two(hour)}:00`, until: `${two(hour + 2)}:00` }
}
