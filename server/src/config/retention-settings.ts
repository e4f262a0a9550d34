import { readEnv, wholeNumber } from './env.ts'
import type { RetentionSettings } from './setting-types.ts'

/** Clients read that a request can be repeated for 30 days, so no installation keeps outcomes for less. */
const REPEATABLE_DAYS = 30
/** An envelope may be open for 30 days, and its card is a message. */
const OPEN_DAYS = 31
const MOST = 36_500
/** 0: for ever. */
const forEverOr = (least: number) =>
  wholeNumber(0, 0, MOST).refine((days) => days === 0 || days >= least, {
    error: `must be 0 (for ever) or at least ${least}.`,
  })

export const retentionShape = {
  REQUEST_DAYS: wholeNumber(REPEATABLE_DAYS, REPEATABLE_DAYS, MOST).describe(
    'How many days [outcomes of writes](operations/run.md#how-long-data-is-kept) are kept, so that a repeat has its effect once.',
  ),
  SESSION_DAYS: wholeNumber(365, 1, MOST).describe('The same for sessions, counted from their end.'),
  MESSAGE_DAYS: forEverOr(OPEN_DAYS).describe(
    'The same for messages, internal notes in rooms, and their images and files; 31 or more. 0 keeps them for ever.',
  ),
  READING_DAYS: forEverOr(1).describe('The same for entries of the audit log about reading. 0 keeps them for ever.'),
}

export const retentionSettings = (env: NodeJS.ProcessEnv): RetentionSettings => {
  const found = readEnv(env, retentionShape)
  return {
    requestDays: found.REQUEST_DAYS,
    sessionDays: found.SESSION_DAYS,
    messageDays: found.MESSAGE_DAYS,
    readingDays: found.READING_DAYS,
  }
}
