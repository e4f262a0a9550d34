import { parsePoints } from '@tallyroom/contract/points'
import { amountIn } from '@tallyroom/contract/text/typed-amount'

/**
 * Points from a command or a setting, as fields of the office read them: "1.000" may be a thousand or one and is none. Nor
 * is "500 600": nobody confirms it, and the space may be between two amounts.
 */
export const typedPoints = (typed: string): bigint | undefined => {
  const amount = /\s/.test(typed.trim()) ? undefined : amountIn(typed)
  return amount === undefined ? undefined : parsePoints(amount)
}
