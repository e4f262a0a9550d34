import { isRefused } from '@tallyroom/client'
import { tallyroom } from './tallyroom.ts'

export type Payment = { reference: string; amount: string; bank: string; account_name: string; account_no: string }
/** Pays at your bank. It must not pay the same reference twice. */
export type PayAtBank = (payment: Payment) => Promise<void>

const payOne = async (id: number, payAtBank: PayAtBank) => {
  const reference = `request-${id}`
  await tallyroom.cash.take({ id, minutes: 10, reference })
  // Only now: what it says cannot be taken by anybody else meanwhile.
  const { amount, bank, account_name, account_no, warnings, turnover_due } = await tallyroom.cash.view({ id })
  if (warnings.some((name) => name.startsWith('account_')) || Number(turnover_due) > 0)
    return tallyroom.cash.giveBack({ id })
  await payAtBank({ reference, amount, bank, account_name, account_no })
  return tallyroom.cash.pay({ id, amount, reference }, { idempotencyKey: reference })
}

/** Pays the members' requests for payouts, or leaves them to the office. */
export const payWithdrawals = async (payAtBank: PayAtBank) => {
  const outcomes = []
  for await (const { id, direction, maybe_paid } of tallyroom.cash.list({ states: ['asked'] })) {
    if (direction !== 'out' || maybe_paid) continue
    try {
      outcomes.push(await payOne(id, payAtBank))
    } catch (error) {
      // Somebody else has it by now.
      if (!isRefused(error, 'cash.taken', 'cash.ended', 'cash.maybe_paid')) throw error
    }
  }
  return outcomes
}
