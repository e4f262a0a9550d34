import type { ComponentProps, MouseEvent } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import './button.css'

type Props = Omit<ComponentProps<'button'>, 'type' | 'className'> & {
  icon?: IconName
  /** The main action of a page or dialog. */
  main?: boolean
  danger?: boolean
  /** Without a border. */
  plain?: boolean
  small?: boolean
  submits?: boolean
  /** Shows a spinner and ignores presses. */
  busy?: boolean
}

export const Button = ({
  icon,
  main = false,
  danger = false,
  plain = false,
  small = false,
  submits = false,
  busy = false,
  onClick,
  children,
  ...rest
}: Props) => {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Also prevents a submit by Enter in a field.
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  const kinds = [main && 'button-main', danger && 'button-danger', plain && 'button-plain', small && 'button-small']
  return (
    <button
      {...rest}
      type={submits ? 'submit' : 'button'}
      className={['button', 'ui-button', ...kinds].filter(Boolean).join(' ')}
      aria-busy={busy}
      onClick={press}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size={16} />}
      {/* An element of its own: a translator moves a bare text away, and no spinner could come before it (TEXT-03). */}
      <span className="button-words">{children}</span>
    </button>
  )
}
