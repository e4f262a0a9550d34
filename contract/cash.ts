/**
 * A member's request for points, in (it has paid money) or out (it wants money). No Zod here: pages for cheap phones
 * import this file.
 */
export const cashDirections = ['in', 'out'] as const
export type CashDirection = (typeof cashDirections)[number]

export const cashStates = ['asked', 'taken', 'paid', 'refused', 'withdrawn', 'expired'] as const
export type CashState = (typeof cashStates)[number]

/**
 * Every transition and who may make it. `group`: anyone of the room's group; `taker`: the colleague who has taken it,
 * while the lease runs; `server`: a lease or the deadline is over. A taken request whose lease is over counts as asked.
 */
export const cashMoves = {
  take: { from: 'asked', to: 'taken', by: 'group' },
  giveBack: { from: 'taken', to: 'asked', by: 'taker' },
  pay: { from: 'taken', to: 'paid', by: 'taker' },
  refuse: { from: 'taken', to: 'refused', by: 'taker' },
  withdraw: { from: 'asked', to: 'withdrawn', by: 'member' },
  expire: { from: 'asked', to: 'expired', by: 'server' },
  lapse: { from: 'taken', to: 'asked', by: 'server' },
} as const satisfies Record<string, { from: CashState; to: CashState; by: 'group' | 'taker' | 'member' | 'server' }>
export type CashMove = keyof typeof cashMoves

/** It waits for the group; the points of a request out are held. */
export const isOpenCash = (state: CashState): boolean => state === 'asked' || state === 'taken'

/**
 * The usual reasons for refusing a request, stored as codes: everyone reads them in their own language. Any other reason is
 * a text.
 */
export const cashReasons = {
  in: ['no_payment', 'other_amount', 'slip_unclear', 'slip_used', 'other_payer'],
  out: ['account_wrong', 'other_name', 'turnover', 'day_limit', 'bank_closed'],
} as const satisfies Record<CashDirection, readonly string[]>
export type CashReason = (typeof cashReasons)[CashDirection][number]
export const allCashReasons: readonly CashReason[] = [...cashReasons.in, ...cashReasons.out]

/** The minutes for which a key of the member API may take a request. */
export const LEASE_MINUTES = { least: 1, most: 15 } as const

/** How long a taken request stays with its taker unless `cash/renew` is called. */
export const LEASE_SECONDS = 60
