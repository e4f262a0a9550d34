import { readEnv, wholeNumber } from './env.ts'
import type { LimitClass } from './setting-types.ts'

/** Calls of one key of the member API in a second: a platform's bets and wins come in hundreds. */
export const CALLS_OF_KEY = 400
/** Enough for a person with several tabs, and for an office behind one address. */
export const callLimits = (env: NodeJS.ProcessEnv): Record<LimitClass, number> => {
  const found = readEnv(env, {
    READS_PER_SECOND: wholeNumber(40, 1, 1_000_000),
    WRITES_PER_SECOND: wholeNumber(20, 1, 1_000_000),
    UPLOADS_PER_SECOND: wholeNumber(2, 1, 1_000_000),
    OPEN_CALLS_PER_SECOND: wholeNumber(5, 1, 1_000_000),
    CALLS_PER_SECOND_OF_ADDRESS: wholeNumber(400, 1, 1_000_000),
    CALLS_PER_SECOND_OF_KEY: wholeNumber(CALLS_OF_KEY, 1, 1_000_000),
  })
  return {
    read: found.READS_PER_SECOND,
    write: found.WRITES_PER_SECOND,
    upload: found.UPLOADS_PER_SECOND,
    open: found.OPEN_CALLS_PER_SECOND,
    address: found.CALLS_PER_SECOND_OF_ADDRESS,
    key: found.CALLS_PER_SECOND_OF_KEY,
  }
}

/** Enough for a café, a carrier's shared address and a campaign; too few for probing usernames or flooding a desk. */
export const signUpsPerHour = (env: NodeJS.ProcessEnv, isLimited: boolean) => {
  const found = readEnv(env, {
    SIGN_UPS_PER_HOUR_OF_ADDRESS: wholeNumber(isLimited ? 60 : 0, 0, 1_000_000),
    SIGN_UPS_PER_HOUR_OF_SHARE_CODE: wholeNumber(isLimited ? 600 : 0, 0, 1_000_000),
  })
  return { ofAddress: found.SIGN_UPS_PER_HOUR_OF_ADDRESS, ofShareCode: found.SIGN_UPS_PER_HOUR_OF_SHARE_CODE }
}
