import { useId, useLayoutEffect, useRef } from 'react'
import { Input } from '../control/input.tsx'
import type { FieldProps } from './field.tsx'
import { useAmountField } from './use-amount-field.ts'

type InputProps = FieldProps & {
  /** See `useAmountField`. */
  value: string
  onChange: (value: string) => void
  disabled?: boolean
  /** Shown, not to be changed; unlike a disabled field it keeps the focus. */
  readOnly?: boolean
  /** What the field holds already is selected: the next digit replaces it. `behind`: the next digit goes on from it. */
  autoFocus?: boolean | 'behind'
  placeholder?: string
}

/** An amount in a form. */
export const AmountInput = ({ value, onChange, autoFocus = false, ...rest }: InputProps) => {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const field = useAmountField(box, { value, onChange })
  useLayoutEffect(() => {
    if (!autoFocus) return
    const input = box.current
    input?.focus()
    input?.setSelectionRange(autoFocus === 'behind' ? input.value.length : 0, input.value.length)
  }, [autoFocus])
  const isChangeable = !rest.disabled && !rest.readOnly
  // The form says it once it has been submitted.
  const why = isChangeable ? field.refused || (rest['aria-invalid'] ? '' : field.problem) : ''
  const invalid = why ? { 'aria-invalid': true } : {}
  const described = [rest['aria-describedby'], why && id].filter(Boolean).join(' ')
  return (
    <>
      <Input
        ref={box}
        className="points amount-input"
        {...field.input}
        {...rest}
        {...invalid}
        {...(described ? { 'aria-describedby': described } : {})}
      />
      {why && (
        <p className="field-error" id={id} role="alert">
          {why}
        </p>
      )}
    </>
  )
}
