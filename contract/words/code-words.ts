import type { Role, TransferStatus } from '../codes.ts'
import { lookup } from './lookup.ts'

/** The keys of the words for what the wire sends as numbers. No Zod here: the browser imports this file. */
export const roleWords = lookup({
  1: 'role.admin',
  2: 'role.agent',
  3: 'role.customer_service',
  4: 'role.member',
} as const satisfies Record<Role, string>)

export const statusWords = {
  0: 'status.failed',
  1: 'status.success',
  2: 'status.rejected',
  3: 'status.expired',
  4: 'status.pending',
} as const satisfies Record<TransferStatus, string>

/** In the record of red envelopes: there a transfer is something to receive. */
export const envelopeStatusWords = {
  ...statusWords,
  0: 'envelope.not_received',
  1: 'envelope.received',
  4: 'envelope.pending',
} as const satisfies Record<TransferStatus, string>

/** What the record of red envelopes has (`made_as`). */
export const madeAsWords = {
  envelope: 'history.as_envelope',
  direct: 'history.as_direct',
  request: 'cash.request',
  approval: 'history.as_approval',
} as const
