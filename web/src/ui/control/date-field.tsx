import { typedKey } from '@tallyroom/contract/text/typed-key'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from '../form/field.tsx'
import { isDay, isMinute } from '../form/range.ts'
import { Icon } from '../icon.tsx'
import { CalendarBox } from './calendar-box.tsx'
import { Input } from './input.tsx'
import './date-field.css'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  time?: boolean
}

/** The patterns that are typed. The same in every language, like the dates that pages show. */
const DAY_PATTERN = 'YYYY-MM-DD'
const MINUTE_PATTERN = 'YYYY-MM-DD HH:mm'
/** With what comes with a copy: marks that cannot be seen, and the seconds of a list. */
const LONGEST = 40
/** What a time that was copied from a list has behind the day or the minute. */
const TOO_EXACT = { day: /^(\S{10}) \d\d:\d\d(?::\d\d)?$/, minute: /^(\S{10} \d\d:\d\d):\d\d$/ }

/**
 * A day (YYYY-MM-DD) or a minute (YYYY-MM-DD HH:mm) in the platform's time zone, typed or chosen. It is kept as text: as a
 * time of the browser's zone, the hour that this zone skips once a year could neither be shown nor chosen. It takes effect
 * when it is confirmed or the field is left; "Cancel" and Esc keep the previous value.
 */
export const DateField = ({ label, value, onChange, error, time = false }: Props) => {
  const { t } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState<string>()
  const [open, setOpen] = useState(false)
  const [entries, setEntries] = useState(0)
  const isRight = time ? isMinute : isDay
  const pattern = time ? MINUTE_PATTERN : DAY_PATTERN
  // Digits of other scripts, and marks that come with a copy.
  const text = typedKey(draft ?? value).replace(TOO_EXACT[time ? 'minute' : 'day'], '$1')
  const isUsable = isRight(text)

  const end = () => {
    setDraft(undefined)
    setOpen(false)
    setEntries(0)
  }
  const take = (chosen = text) => {
    end()
    if (isRight(chosen) && chosen !== value) onChange(chosen)
  }
  const thenBack = (done: () => void) => {
    done()
    input.current?.focus()
  }
  const enter = () => {
    setOpen(true)
    setEntries((before) => before + 1)
  }

  useEffect(() => {
    if (open) box.current?.scrollIntoView?.({ block: 'nearest' })
  }, [open])
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  // A press elsewhere leaves the field also where it moves no focus.
  useEffect(() => {
    if (!open) return
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) latest.current()
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  const left = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !box.current?.contains(relatedTarget)) take()
  }
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || (!open && draft === undefined)) return
    event.preventDefault()
    // What is around the field stays open.
    event.stopPropagation()
    thenBack(end)
  }
  const inField = (event: KeyboardEvent) => {
    // A second Enter sends the form, which has the new value by then.
    const takes = event.key === 'Enter' && (open || draft !== undefined)
    if (!takes && event.key !== 'ArrowDown') return
    event.preventDefault()
    if (takes) take()
    else enter()
  }
  return (
    <Field label={label} error={error}>
      {(control) => (
        <div ref={box} className="date-field" onKeyDown={byKey} onBlur={left}>
          <span className="date-box">
            <Input
              {...control}
              ref={input}
              className="points"
              aria-invalid={error !== undefined || !isUsable}
              placeholder={pattern}
              maxLength={LONGEST}
              autoComplete="off"
              spellCheck={false}
              value={draft ?? value}
              onChange={({ target }) => setDraft(target.value)}
              onClick={() => setOpen(true)}
              onKeyDown={inField}
            />
            <button
              type="button"
              className="icon-button"
              aria-label={`${t('calendar.open')}: ${label}`}
              aria-expanded={open}
              onClick={() => (open ? end() : enter())}
            >
              <Icon name="calendar" size={16} />
            </button>
          </span>
          {open && (
            <CalendarBox
              label={label}
              value={isUsable ? text : value}
              isUsable={isUsable}
              entries={entries}
              onChange={setDraft}
              onTake={(chosen) => thenBack(() => take(chosen))}
              onCancel={() => thenBack(end)}
            />
          )}
        </div>
      )}
    </Field>
  )
}
