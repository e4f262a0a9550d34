import type { ComponentProps } from 'react'
import { Count } from './count.tsx'
import { useTextLimit } from './use-text-limit.ts'
import './input.css'

type Changed<B> = { onChange?: (event: { target: B }) => void }
type InputProps = Omit<ComponentProps<'input'>, 'onChange'> & Changed<HTMLInputElement> & { showCount?: boolean }
type AreaProps = Omit<ComponentProps<'textarea'>, 'onChange'> & Changed<HTMLTextAreaElement>

export const Input = ({ className = '', showCount = false, maxLength, onChange, ...input }: InputProps) => {
  const limited = useTextLimit<HTMLInputElement>({ maxLength, value: input.value, onChange })
  const box = <input {...input} {...limited} className={`input ui-input ${className}`} />
  if (!showCount) return box
  return (
    <span className="input-counted">
      {box}
      <Count value={input.value} maxLength={maxLength} />
    </span>
  )
}

export const TextArea = ({ className = '', maxLength, onChange, ...area }: AreaProps) => {
  const limited = useTextLimit<HTMLTextAreaElement>({ maxLength, value: area.value, onChange })
  return <textarea {...area} {...limited} className={`input ui-input ${className}`} />
}
