import type { MouseEvent, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  icon: IconName
  children: ReactNode
  main?: boolean
  submits?: boolean
  /** It turns, and does nothing meanwhile. */
  busy?: boolean
  disabled?: boolean
  onPress?: () => void
}

/** A button beside a list: the component library's look without the library, which a list does not begin with. */
export const Button = ({ icon, children, main, submits, busy = false, disabled, onPress }: Props) => {
  const press = (event: MouseEvent) => {
    // Also when Enter in a field presses it.
    if (busy) event.preventDefault()
    else onPress?.()
  }
  return (
    <button
      type={submits ? 'submit' : 'button'}
      className={`button bar-button ${main ? 'button-main' : ''}`}
      aria-busy={busy}
      disabled={disabled}
      onClick={press}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}
