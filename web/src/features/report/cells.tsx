import { Link } from '@tanstack/react-router'
import { type ReactNode, use } from 'react'
import { cellText, type ReportCell } from '../../domain/report-cell.ts'
import { InButton } from '../../ui/search-table/in-button.ts'

type Props = { cell: ReportCell; time: string; children: ReactNode }

/** An amount of the report, as a link to exactly the transactions that it counts. On a phone the row's details have it. */
export const CellLink = ({ cell, time, children }: Props) => {
  const isInButton = use(InButton)
  if (isInButton) return children
  return (
    <Link
      className="report-cell"
      to="/transaction/list/{-$username}"
      params={{}}
      search={{ cell: cellText(cell), time }}
    >
      {children}
    </Link>
  )
}
