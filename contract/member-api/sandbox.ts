import { z } from 'zod'
import { TransferStatusCode } from '../code-fields.ts'
import { MAX_TEXT } from '../lengths.ts'
import { AccountName, oneName } from './account-name.ts'
import { statuses } from './points.ts'
import { Write } from './write.ts'

/** The most hours that pass at once: 30 days. */
const MOST_HOURS = 720

/** Calls of keys of a sandbox alone. */
export const sandboxCalls = {
  'sandbox/act': {
    part: 'Sandbox',
    right: 'sandbox',
    summary: 'Make a member act',
    description:
      'A member of the sandbox writes, sends a photo, or answers what you have offered, as if it had pressed the button. For its requests for points use `cash/ask`.',
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      says: z.string().min(1).max(MAX_TEXT).optional().describe('It writes these words. Give one of these four.'),
      photo: z.literal(true).optional().describe('It sends a photo.'),
      accepts: z.uuid().optional().describe('It accepts the offer with this `transaction_id`.'),
      rejects: z.uuid().optional().describe('It rejects that offer.'),
    }).meta({
      allOf: [oneName, { oneOf: ['says', 'photo', 'accepts', 'rejects'].map((act) => ({ required: [act] })) }],
    }),
    response: z.object({
      message_id: z.string().nullable().describe('The message that it wrote, a UUID. Null: it wrote none.'),
      status: TransferStatusCode.nullable().describe(`Of the offer. ${statuses} Null: it answered none.`),
    }),
    refuses: [
      'api.only_in_sandbox',
      'account.not_found',
      'room.not_found',
      'message.blank',
      'message.too_many_files',
      'envelope.not_found',
      'envelope.already_settled',
      'envelope.expired',
      'envelope.member_not_enough',
      'transfer.event_mode',
      'transfer.frozen',
      'transfer.flow_limit_open',
      'server.busy',
    ],
  },
  'sandbox/passTime': {
    part: 'Sandbox',
    right: 'sandbox',
    summary: 'Let time pass',
    description:
      'Red envelopes, requests for points, the time that a key has for one, and approvals end so many hours earlier. What is over then ends at once, with its events. Nothing else changes: no time that is shown, and no day of the books.',
    effect: 'write',
    request: Write.extend({
      hours: z.int().min(1).max(MOST_HOURS).describe('25 is enough for an envelope of a day.'),
    }),
    response: z.object({ moved: z.int().describe('How many of them were open.') }),
    refuses: ['api.only_in_sandbox'],
  },
} as const
