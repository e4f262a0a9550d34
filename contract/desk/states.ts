/** DESK-01. No Zod here: see codes.ts. */
export const colleagueStates = ['on', 'busy', 'away'] as const
export type ColleagueState = (typeof colleagueStates)[number]
