import { noSettings, type RoomTheme } from './room-theme.ts'

/** How loudly a waiting member is shown (CONV-07). */
export type Wait = 'waiting' | 'late' | 'overdue'

/** In minutes: the group's own setting. */
export type WaitLimits = { late: number; overdue: number }
export const limitsOf = ({
  late_after,
  overdue_after,
}: Pick<RoomTheme, 'late_after' | 'overdue_after'> = noSettings): WaitLimits => ({
  late: late_after,
  overdue: overdue_after,
})

/** What else waits has its own pace: a request is paid at a bank, and an approval ends by itself after a day. */
export const CASH_WAIT: WaitLimits = { late: 10, overdue: 30 }
export const APPROVAL_WAIT: WaitLimits = { late: 60, overdue: 240 }

/** So many of the longest waits are shown louder than the others: when all are red, none is. */
export const LOUDEST = 3
/** Of the times since when something waits, the first ones. */
export const loudestOf = (since: readonly string[]): ReadonlySet<string> => new Set([...since].sort().slice(0, LOUDEST))

/** `waited` in milliseconds. */
export const waitOf = (waited: number, { late, overdue }: WaitLimits): Wait =>
  waited >= overdue * 60_000 ? 'overdue' : waited >= late * 60_000 ? 'late' : 'waiting'
