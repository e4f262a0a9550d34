import { type RefObject, useId, useRef } from 'react'
import { useAmountField } from './use-amount-field.ts'

type Props = {
  /** See `useAmountField`. */
  value: string
  onChange: (value: string) => void
  id: string
  className: string
  placeholder?: string
  readOnly?: boolean
  box?: RefObject<HTMLInputElement | null>
  'aria-describedby'?: string
  'aria-invalid'?: boolean
  'aria-required'?: boolean
}

/** The next digit replaces an amount that was refused, in place of going behind it. A field without the focus gets none. */
export const selectRefused = (box: HTMLInputElement | null): void => {
  if (box && document.activeElement === box) box.select()
}

/** An amount, in light pages. */
export const AmountBox = ({ value, onChange, box: known, ...rest }: Props) => {
  const whyId = useId()
  const own = useRef<HTMLInputElement>(null)
  const box = known ?? own
  const field = useAmountField(box, { value, onChange })
  // The form says it once it has been submitted.
  const why = field.refused || (rest['aria-invalid'] ? '' : field.problem)
  const described = [rest['aria-describedby'], why && whyId].filter(Boolean).join(' ')
  return (
    <>
      <input
        ref={box}
        {...field.input}
        {...rest}
        aria-invalid={why !== '' || rest['aria-invalid'] === true}
        {...(described ? { 'aria-describedby': described } : {})}
      />
      {why && (
        <p className="field-error" id={whyId} role="alert">
          {why}
        </p>
      )}
    </>
  )
}
