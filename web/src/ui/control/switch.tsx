import type { ComponentProps } from 'react'
import './switch.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'role' | 'className' | 'onChange'> & {
  checked: boolean
  onChange: (isOn: boolean) => void
}

/** On or off, at once; a `Check` takes effect with its form. */
export const Switch = ({ onChange, ...input }: Props) => (
  <input
    {...input}
    type="checkbox"
    role="switch"
    className="switch"
    onChange={({ target }) => onChange(target.checked)}
  />
)
