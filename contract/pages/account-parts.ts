/** The parts of the page of one account, in their order. `account/view` names those that the caller may see. */
export const accountParts = [
  'overview',
  'transactions',
  'requests',
  'bank',
  'notes',
  'rights',
  'limits',
  'sessions',
  'audit',
] as const
export type AccountPart = (typeof accountParts)[number]

/** What can be done with an account. `account/view` names what the caller may do. */
export const accountActs = ['chat', 'transaction', 'deposit', 'statement', 'edit', 'move', 'freeze'] as const
export type AccountAct = (typeof accountActs)[number]
