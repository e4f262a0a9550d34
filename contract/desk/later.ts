/** DESK-07: what happens later happens at least so long from now, and at most so many days. */
export const MIN_LATER_MS = 60_000
export const MAX_LATER_DAYS = 30
