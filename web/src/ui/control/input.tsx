import type { ComponentProps } from 'react'
import { Count } from './count.tsx'
import './input.css'

type InputProps = ComponentProps<'input'> & { showCount?: boolean }

export const Input = ({ className = '', showCount = false, ...input }: InputProps) => {
  const box = <input {...input} className={`input ui-input ${className}`} />
  if (!showCount) return box
  return (
    <span className="input-counted">
      {box}
      <Count value={input.value} maxLength={input.maxLength} />
    </span>
  )
}

export const TextArea = ({ className = '', ...area }: ComponentProps<'textarea'>) => (
  <textarea {...area} className={`input ui-input ${className}`} />
)
