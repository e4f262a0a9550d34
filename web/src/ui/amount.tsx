import { formatPoints, type Points, showPoints } from '@tallyroom/contract/points'
import { Input, type InputRef } from 'antd'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { useWords } from '../words.ts'
import { caretAfter, cleanAmount, groupAmount, hasExponent } from './amount-text.ts'
import type { FieldProps } from './field.tsx'
import { pointsOf } from './points-of.ts'

type InputProps = FieldProps & {
  /** As `cleanAmount` keeps it. */
  value: string
  onChange: (clean: string) => void
  /** A leading minus may stand there. */
  minus?: boolean
  disabled?: boolean
  autoFocus?: boolean
}

/** Groups the digits while they are typed; the caret stays where it was. */
export const AmountInput = ({ value, onChange, minus = false, ...rest }: InputProps) => {
  const box = useRef<InputRef>(null)
  const caret = useRef<number>(undefined)
  const shown = groupAmount(value)

  useLayoutEffect(() => {
    const input = box.current?.input
    if (caret.current === undefined || !input) return
    const at = caretAfter(shown, caret.current)
    caret.current = undefined
    input.setSelectionRange(at, at)
  })

  const take = (input: HTMLInputElement) => {
    // What stood there stays.
    if (hasExponent(input.value)) return
    const left = input.value.slice(0, input.selectionStart ?? input.value.length)
    caret.current = cleanAmount(left, minus).length
    onChange(cleanAmount(input.value, minus))
  }
  /** A comma is not there to be deleted: the key goes on to the digit behind it. */
  const stepOverComma = (event: KeyboardEvent<HTMLInputElement>) => {
    const { selectionStart: at, selectionEnd: end, value: text } = event.currentTarget
    if (at === null || at !== end) return
    if (event.key === 'Backspace' && text[at - 1] === ',') event.currentTarget.setSelectionRange(at - 1, at - 1)
    if (event.key === 'Delete' && text[at] === ',') event.currentTarget.setSelectionRange(at + 1, at + 1)
  }
  return (
    <Input
      ref={box}
      className="points amount-input"
      inputMode={minus ? 'text' : 'decimal'}
      autoComplete="off"
      value={shown}
      onChange={(event) => take(event.target)}
      onKeyDown={stepOverComma}
      {...rest}
    />
  )
}

type AmountProps = {
  value: string | Points
  unlimited?: boolean
  /** Says with sign and colour which way the points went. */
  way?: 'in' | 'out'
  /** What somebody agrees to is never shown as less than it is. */
  exact?: boolean
}

/** An amount to be read: two decimals, rounded down; all four when it is pointed at or focused. */
export const Amount = ({ value, unlimited, way, exact = false }: AmountProps) => {
  const { t } = useWords()
  if (unlimited) return <span className="points">{t('points.unlimited')}</span>
  const points = typeof value === 'string' ? pointsOf(value) : value
  const whole = groupAmount(formatPoints(points))
  const more = points % 100n !== 0n
  // Nothing has no way.
  const gone = points === 0n ? undefined : way
  const sign = gone === 'in' ? '+' : gone === 'out' ? '−' : ''
  return (
    <span
      className={`points ${gone ? `points-${gone}` : ''}`}
      {...(more && !exact ? { 'data-tip': whole, tabIndex: 0 } : {})}
    >
      {sign}
      {more && exact ? whole : showPoints(points)}
    </span>
  )
}

/** What an account can spend: its credit is part of it. */
export const available = (row: { limit_of_credit: string; used_credit: string }): Points =>
  pointsOf(row.limit_of_credit) - pointsOf(row.used_credit)
