import { nextClosing, nextOpening, type OpeningHours, openSeconds } from './hours.ts'

/**
 * DESK-09: the rules of the report of work. A wait lasts from the first message that waits for an answer until a person
 * answers it. No Zod here: the browser imports this file.
 */

/** An answer is late after so many seconds in which the desk is open. */
export const LATE_S = 600
/** A message after so many hours without any begins a conversation: its answer is a first answer. */
export const FIRST_AFTER_HOURS = 12

/** `settled`: marked as needing no answer. `missed`: its request expired. Waits of the bot count nowhere. */
export const waitOutcomes = ['answer', 'settled', 'bot', 'missed'] as const
export type WaitOutcome = (typeof waitOutcomes)[number]

/**
 * The moment (ms) after which an answer to what waits since `from` (ms) is late: ten minutes after the desk is open, or
 * when it closes, if that is earlier; undefined if it never opens. A group without hours is always open.
 */
export const lateAfter = (hours: OpeningHours | undefined, from: number): number | undefined => {
  if (!hours) return from + LATE_S * 1000
  const opens = nextOpening(hours, from)
  return opens === undefined ? undefined : Math.min(opens + LATE_S * 1000, nextClosing(hours, opens) ?? Infinity)
}

/** Whole seconds between two moments (ms), and how many of them the desk was open. */
export const waitBetween = (hours: OpeningHours | undefined, from: number, until: number) => {
  const clock = Math.max(0, Math.floor((until - from) / 1000))
  return { clock, open: hours ? Math.floor(openSeconds(hours, from, until)) : clock }
}

/** A row of the report: a colleague, a group, or an hour of the day. */
export const workLevels = ['person', 'group', 'hour'] as const
export type WorkLevel = (typeof workLevels)[number]

/** The figures of the report that count waits. Each opens exactly those. */
export const workCounts = ['waits', 'first', 'answers', 'settled', 'waiting', 'missed', 'passed'] as const
export type WorkCount = (typeof workCounts)[number]

/** A time as hours, minutes and seconds, on the page and in its file. */
export const lengthText = (seconds: number): string => {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
