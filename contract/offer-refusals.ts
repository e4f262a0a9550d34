import type { ErrorName } from './errors.ts'

/** Refusals of a transfer in a room that are known before its amount. No Zod here. */
export const offerRefusals = [
  'transfer.frozen',
  'transfer.event_mode',
  'transfer.flow_limit_open',
  'transfer.one_open_at_a_time',
  'transfer.member_not_enough',
  'transfer.not_enough',
  'transfer.over_credit',
  'transfer.over_day_cap',
  'transfer.over_envelope_cap',
  'transfer.amount_invalid',
] as const satisfies readonly ErrorName[]
export type OfferRefusal = (typeof offerRefusals)[number]
