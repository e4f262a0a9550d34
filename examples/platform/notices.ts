import { tallyroom } from './tallyroom.ts'

/** Says in the conversation that a payment has been made, once for each payment. */
export const tellPaid = (player: string, payment: { id: string; amount: string }) =>
  tallyroom.message.send(
    { third_party_id: player, as: 'notice', text: `Your withdrawal of ${payment.amount} was paid.` },
    { idempotencyKey: `paid-${payment.id}` },
  )
