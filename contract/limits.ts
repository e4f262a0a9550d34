/**
 * Limits of what one account moves, and approvals of what is above them and of sensitive changes. No Zod here: pages for
 * cheap phones import this file.
 */

/** Most for one transfer, for an hour, for a day, and for a day with one receiver. Hours and days are the platform's. */
export const limitParts = ['transfer', 'hour', 'day', 'member'] as const
export type LimitPart = (typeof limitParts)[number]

export const approvalStates = ['waiting', 'approved', 'refused', 'withdrawn', 'expired', 'failed'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** Every way in which an approval ends, and who may do it. `failed`: a side was frozen or its request has ended. */
export const approvalMoves = {
  approve: { to: 'approved', by: 'approver' },
  refuse: { to: 'refused', by: 'approver' },
  withdraw: { to: 'withdrawn', by: 'maker' },
  expire: { to: 'expired', by: 'server' },
  fail: { to: 'failed', by: 'server' },
} as const satisfies Record<string, { to: ApprovalState; by: 'approver' | 'maker' | 'server' }>
export type ApprovalMove = keyof typeof approvalMoves

/** The kinds of changes for which a platform can require a second account (CAPS-04). */
export const guardedKinds = ['api_url', 'api_key', 'credit', 'rights', 'correction', 'export', 'receiving'] as const
export type GuardedKind = (typeof guardedKinds)[number]
/** Two always need one. `four_eyes`: that a kind no longer needs a second account. `erase`: that a person is erased. */
export const sensitiveChangeKinds = [...guardedKinds, 'four_eyes', 'erase'] as const
export type SensitiveChangeKind = (typeof sensitiveChangeKinds)[number]

/**
 * The rows of a list that can be asked for by the number of a page: what comes later, a page reaches by a search or a cursor.
 * The database reads all rows before a page to skip them.
 */
export const MAX_PAGED_ROWS = 50_000

/** The last page of `total` rows that can be asked for. */
export const lastPage = (total: number, perPage: number): number =>
  Math.max(1, Math.min(Math.ceil(total / perPage), Math.floor(MAX_PAGED_ROWS / perPage)))
