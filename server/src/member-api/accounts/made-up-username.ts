import { randomInt } from 'node:crypto'
import { MAX_USERNAME } from '@tallyroom/contract/lengths'
import { Username } from '@tallyroom/contract/fields'

/** Letters that are not easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Enough that two of a million accounts hardly ever meet. */
const RANDOM = 6

/**
 * A username for an account that the platform knows by its own id: that id if it is one, and free; else its first letters
 * with random ones. A part of the id alone would look like the id of another account.
 */
export const madeUpUsername = (thirdPartyId: string, isFirstTry: boolean): string => {
  const whole = Username.safeParse(thirdPartyId)
  if (isFirstTry && whole.success) return whole.data
  const start = thirdPartyId.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, MAX_USERNAME - RANDOM)
  const rest = Array.from({ length: RANDOM }, () => LETTERS[randomInt(LETTERS.length)])
  return `${start}${rest.join('')}`
}
