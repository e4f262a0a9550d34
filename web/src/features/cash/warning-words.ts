import type { CashWarning } from '@tallyroom/contract/calls/points/cash'

export const warningWords = {
  slip_used: 'requests.warn_slip_used',
  same_amount: 'requests.warn_same_amount',
  account_changed: 'requests.warn_account_changed',
  account_gone: 'requests.warn_account_gone',
  first_out: 'requests.warn_first_out',
  five_times: 'requests.warn_five_times',
  receiving_changed: 'requests.warn_receiving_changed',
} as const satisfies Record<CashWarning, string>
