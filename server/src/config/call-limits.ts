import { readEnv, wholeNumber } from './env.ts'
import type { LimitClass } from './setting-types.ts'

/** Calls of one key of the member API in a second: a platform's bets and wins come in hundreds. */
export const CALLS_OF_KEY = 400

/** Calls of a key of a sandbox: enough to try everything. Loads are measured elsewhere. */
export const SANDBOX_PER_SECOND = 20

/** Enough for a person with several tabs, and for an office behind one address. */
export const callLimitShape = {
  READS_PER_SECOND: wholeNumber(40, 1, 1_000_000).describe(
    'How many calls that read one account may make in a second.',
  ),
  WRITES_PER_SECOND: wholeNumber(20, 1, 1_000_000).describe('The same for calls that write.'),
  UPLOADS_PER_SECOND: wholeNumber(2, 1, 1_000_000).describe('The same for images, voice notes and files.'),
  OPEN_CALLS_PER_SECOND: wholeNumber(5, 1, 1_000_000).describe(
    'How many calls without a session, such as sign-ins, one address may make in a second.',
  ),
  CALLS_PER_SECOND_OF_ADDRESS: wholeNumber(400, 1, 1_000_000).describe(
    'How many calls of all kinds one address may make in a second.',
  ),
  CALLS_PER_SECOND_OF_KEY: wholeNumber(CALLS_OF_KEY, 1, 1_000_000).describe(
    'How many calls one key of the member API may make in a second.',
  ),
}

/** Enough for a café, a carrier's shared address and a campaign; too few for probing usernames or flooding a desk. */
export const signUpShape = {
  SIGN_UPS_PER_HOUR_OF_ADDRESS: wholeNumber(undefined, 0, 1_000_000).meta({
    description: 'How many sign-ups are tried in an hour from one address. 0 sets no limit.',
    shownFallback: '60',
  }),
  SIGN_UPS_PER_HOUR_OF_SHARE_CODE: wholeNumber(undefined, 0, 1_000_000).meta({
    description: 'The same with one share code.',
    shownFallback: '600',
  }),
}

export const callLimits = (env: NodeJS.ProcessEnv): Record<LimitClass, number> => {
  const found = readEnv(env, callLimitShape)
  return {
    read: found.READS_PER_SECOND,
    write: found.WRITES_PER_SECOND,
    upload: found.UPLOADS_PER_SECOND,
    open: found.OPEN_CALLS_PER_SECOND,
    address: found.CALLS_PER_SECOND_OF_ADDRESS,
    key: found.CALLS_PER_SECOND_OF_KEY,
  }
}

export const signUpsPerHour = (env: NodeJS.ProcessEnv, isLimited: boolean) => {
  const found = readEnv(env, signUpShape)
  return {
    ofAddress: found.SIGN_UPS_PER_HOUR_OF_ADDRESS ?? (isLimited ? 60 : 0),
    ofShareCode: found.SIGN_UPS_PER_HOUR_OF_SHARE_CODE ?? (isLimited ? 600 : 0),
  }
}
