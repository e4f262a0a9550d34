import { z } from 'zod'
import { eventKinds } from '../api/event-kinds.ts'
import { perPage } from '../fields.ts'
import { AccountName, noTwoNames } from './account-name.ts'

/** The numbers of an event, in webhooks and in lists. */
export const eventFields = {
  seq: 'Counts the events of your platform, from 1 on without a gap. A missing number is one that you have not got.',
  member_seq: 'Counts the events of the account in `username` in the same way. Null: the event is about no account.',
}

const EventRow = z
  .object({
    id: z.uuid().describe('The same as in the webhook.'),
    event: z.string().describe('What happened. The webhooks of this document list the kinds.'),
    at: z.string().describe('When it happened, in UTC, as in ISO 8601.'),
    data: z.record(z.string(), z.unknown()).describe('The facts of the event, as in its webhook.'),
    seq: z.int().describe(eventFields.seq),
    member_seq: z.int().nullable().describe(eventFields.member_seq),
  })
  .meta({ id: 'Event' })

/** Events to read. */
export const eventCalls = {
  'event/list': {
    part: 'Events',
    right: 'webhooks',
    summary: 'List events',
    description:
      'Returns the events of the last 30 days in the order of their numbers, with the same bodies as your webhooks. Use it ' +
      'to fill a gap, or in place of webhooks.',
    effect: 'read',
    request: z
      .object({
        after_seq: z
          .int()
          .min(0)
          .max(10 ** 15)
          .default(0)
          .describe('The last number that you have: those after it are returned. 0: from the oldest.'),
        kinds: z.array(z.enum(eventKinds)).max(50).default([]).describe('Only these events. Empty: all.'),
        username: AccountName.username.describe(
          'Only events of this account. Without this and `third_party_id`, those of all; give at most one.',
        ),
        third_party_id: AccountName.third_party_id,
        per_page: perPage(500).describe('Events in an answer.'),
      })
      .meta(noTwoNames('username')),
    response: z.object({
      data: z.array(EventRow).describe('In the order of `seq`.'),
      next_seq: z.int().describe('Send it as `after_seq` the next time, also later.'),
      more: z.boolean().describe('True: more follow at once.'),
    }),
    refuses: ['account.not_found'],
  },
} as const
