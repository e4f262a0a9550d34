import type { Mention } from '@tallyroom/contract/text/mentions'
import { useRef } from 'react'
import { Input, TextArea } from '../../../ui/control/input.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { useMentions } from './use-mentions.tsx'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  chosen: readonly Mention[]
  onChoose: (chosen: Mention[]) => void
  maxLength: number
  hint?: string
  required?: boolean
  error?: string | undefined
  /** Several lines. */
  rows?: number
  autoFocus?: boolean
  className?: string
}

/** A field of a dialog in which `@` mentions colleagues. */
export const MentionField = ({ label, hint, required = false, error, onChange, chosen, onChoose, ...rest }: Props) => {
  const { rows, value, maxLength, autoFocus = false, className = '' } = rest
  const box = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const { onSelect, onKey, list, notified } = useMentions({ box, text: value, chosen, onChoose, inline: true })
  const shared = {
    ref: box,
    dir: 'auto' as const,
    value,
    maxLength,
    autoFocus,
    className,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
    onSelect,
    onKeyDown: onKey,
  }
  return (
    <div>
      <Field label={label} required={required} error={error} hint={hint}>
        {(control) =>
          rows === undefined ? <Input {...control} {...shared} /> : <TextArea {...control} {...shared} rows={rows} />
        }
      </Field>
      {list}
      {notified}
    </div>
  )
}
