/** How loudly a waiting member is shown (CONV-07). */
export type Wait = 'waiting' | 'late' | 'overdue'

/** In minutes: the group's settings, or these. */
export type WaitLimits = { late: number; overdue: number }
const usualLimits: WaitLimits = { late: 2, overdue: 5 }
export const limitsOf = (settings: { late_after: number; overdue_after: number } | undefined): WaitLimits =>
  settings ? { late: settings.late_after, overdue: settings.overdue_after } : usualLimits

/** `waited` in milliseconds. */
export const waitOf = (waited: number, { late, overdue }: WaitLimits): Wait =>
  waited >= overdue * 60_000 ? 'overdue' : waited >= late * 60_000 ? 'late' : 'waiting'
