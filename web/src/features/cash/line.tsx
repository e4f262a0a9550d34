import type { CashWarning } from '@tallyroom/contract/calls/cash'
import type { ReactNode } from 'react'

/** A line of the facts about a request. */
export const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

export const warningWords = {
  account_changed: 'requests.warn_account_changed',
  account_gone: 'requests.warn_account_gone',
  first_out: 'requests.warn_first_out',
  five_times: 'requests.warn_five_times',
} as const satisfies Record<CashWarning, string>
