import type { MouseEvent, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  icon: IconName
  children: ReactNode
  main?: boolean
  submits?: boolean
  /** Shows a spinner and ignores presses. */
  busy?: boolean
  disabled?: boolean
  onPress?: () => void
}

/** A button that looks like the component library's, without loading it: lists do not need the library. */
export const Button = ({ icon, children, main, submits, busy = false, disabled, onPress }: Props) => {
  const press = (event: MouseEvent) => {
    // Also prevents a submit by Enter in a field.
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
