import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = {
  to: string
  label: string
  more: string
  ready: boolean
  search?: Record<string, unknown>
  /** Something here waits for somebody. */
  lit?: boolean
  beside?: ReactNode
  children: ReactNode
}

/** A number that leads to its list. */
export const Tile = ({ to, label, more, ready, search, lit = false, beside, children }: Props) => (
  <Link to={to} className={`tile ${lit ? 'tile-lit' : ''}`} {...(search ? { search } : {})}>
    <span className="tile-label">{label}</span>
    <span className="tile-number">
      {ready ? children : <span className="bar" />} {beside}
    </span>
    <span className="tile-more">{more}</span>
  </Link>
)
