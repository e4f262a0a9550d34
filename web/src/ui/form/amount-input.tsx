import { Input, type InputRef } from 'antd'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { caretAfter, cleanAmount, groupAmount, hasExponent } from './amount-text.ts'
import type { FieldProps } from './field.tsx'

type InputProps = FieldProps & {
  /** As returned by `cleanAmount`. */
  value: string
  onChange: (clean: string) => void
  /** Allows a leading minus. */
  minus?: boolean
  disabled?: boolean
  /** Shown, not to be changed; unlike a disabled field it keeps the focus. */
  readOnly?: boolean
  autoFocus?: boolean
  placeholder?: string
}

/** Groups the digits while the user types; the caret keeps its place among them. */
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
    // Ignore the input and keep the previous amount.
    if (hasExponent(input.value)) return
    const left = input.value.slice(0, input.selectionStart ?? input.value.length)
    caret.current = cleanAmount(left, minus).length
    onChange(cleanAmount(input.value, minus))
  }
  /** Commas cannot be deleted: Backspace and Delete skip to the next digit. */
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
