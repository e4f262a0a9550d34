import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = {
  to: string
  label: string
  more: string
  ready: boolean
  search?: Record<string, unknown>
  /** Highlights a number that needs attention. */
  highlighted?: boolean
  beside?: ReactNode
  children: ReactNode
}

/** A number linked to its list. */
export const Tile = ({ to, label, more, ready, search, highlighted = false, beside, children }: Props) => (
  <Link to={to} className={`tile ${highlighted ? 'tile-lit' : ''}`} {...(search ? { search } : {})}>
    <span className="tile-label">{label}</span>
    <span className="tile-number">
      {ready ? children : <span className="bar" />} {beside}
    </span>
    <span className="tile-more">{more}</span>
  </Link>
)
