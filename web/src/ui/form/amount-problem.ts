import { type AmountReading, readAmount } from '@tallyroom/contract/text/typed-amount'
import type { Translate } from '../../i18n/i18n.ts'
import { amountToSend } from './amount-text.ts'

/** Why a text is no amount, and what to type instead; empty for none. */
export const problemText = (t: Translate, reading: AmountReading): string => {
  const { problem } = reading
  if (problem === undefined) return ''
  if (problem !== 'two_readings') return t(`amount.${problem}`)
  const [more = '', less = ''] = reading.meanings ?? []
  return t('amount.two_readings', { more, less })
}

/** What is wrong with an amount that is needed; undefined if it can be sent. */
export const amountError = (t: Translate, typed: string) =>
  amountToSend(typed) ? undefined : problemText(t, readAmount(typed)) || t('transfer.amount_needed')
