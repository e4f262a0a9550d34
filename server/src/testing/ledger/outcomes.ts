import { approvalWords } from './plans-approval.ts'
import { cashWords } from './plans-cash.ts'

/** Every outcome that the random orders of the oracle must have had. */
export const everyOutcome = [
  'success',
  'pending',
  'rejected',
  'account.not_found',
  'access.denied',
  'request.id_reused',
  'envelope.not_found',
  'envelope.already_settled',
  'envelope.expired',
  'envelope.member_not_enough',
  'transfer.amount_invalid',
  'transfer.to_yourself',
  'transfer.frozen',
  'transfer.event_mode',
  'transfer.not_enough',
  'transfer.over_credit',
  'transfer.member_not_enough',
  'transfer.one_open_at_a_time',
  'transfer.remark_needed',
  'transfer.flow_limit_open',
  'transfer.not_found',
  'transfer.already_corrected',
  'transfer.not_correctable',
  'bet.not_found',
  'bet.id_reused',
  ...cashWords,
  ...approvalWords,
]
