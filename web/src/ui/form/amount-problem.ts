import { type AmountReading, readAmount } from '@tallyroom/contract/text/typed-amount'
import type { Translate } from '../../i18n/i18n.ts'
import { amountToSend } from './amount-text.ts'

/** Why a text is no amount, and what to type instead; empty for none. `noMinus`: why just here none is negative. */
export const problemText = (t: Translate, reading: AmountReading, noMinus?: string): string => {
  const { problem } = reading
  if (problem === undefined) return ''
  if (problem === 'no_minus' && noMinus !== undefined) return noMinus
  if (problem !== 'two_readings') return t(`amount.${problem}`)
  const [more = '', less = ''] = reading.meanings ?? []
  return t('amount.two_readings', { more, less })
}

export type MinusRule = {
  /** Allows a leading minus. */
  minus?: boolean
  /** Where it is not allowed: why, if there is more to say than that. */
  noMinus?: string | undefined
}

/** What is wrong with an amount that is needed; undefined if it can be sent. */
export const amountError = (t: Translate, typed: string, { minus = false, noMinus }: MinusRule = {}) =>
  amountToSend(typed, minus)
    ? undefined
    : problemText(t, readAmount(typed, minus), noMinus) || t('transfer.amount_needed')
