/** DESK-07: what happens later happens at least so long from now, and at most so many days. */
export const MIN_LATER_MS = 60_000
export const MAX_LATER_DAYS = 30
/** So many texts and reminders of one account may wait. */
export const MAX_TIMED = 200

/**
 * Why a text was not sent: the partner wrote before, a colleague has the room, the bot answers, what it answers is gone,
 * or its account may not write there now.
 */
export const unsentReasons = ['wrote', 'held', 'bot', 'quote', 'right'] as const
export type UnsentReason = (typeof unsentReasons)[number]
