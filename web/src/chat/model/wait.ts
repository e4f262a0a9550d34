import { noSettings, type RoomTheme } from './room-theme.ts'

/** How loudly a waiting member is shown (CONV-07). */
export type Wait = 'waiting' | 'late' | 'overdue'

/** In minutes: the group's own setting. */
type WaitLimits = { late: number; overdue: number }
export const limitsOf = ({
  late_after,
  overdue_after,
}: Pick<RoomTheme, 'late_after' | 'overdue_after'> = noSettings): WaitLimits => ({
  late: late_after,
  overdue: overdue_after,
})

/** `waited` in milliseconds. */
export const waitOf = (waited: number, { late, overdue }: WaitLimits): Wait =>
  waited >= overdue * 60_000 ? 'overdue' : waited >= late * 60_000 ? 'late' : 'waiting'
