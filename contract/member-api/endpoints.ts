import { z } from 'zod'
import { chosenKinds, EVENT_DAYS, MAX_ENDPOINTS } from '../api/event-kinds.ts'
import { WaitsForApproval } from '../fields.ts'
import { MAX_API_URL } from '../lengths.ts'
import { Write } from './write.ts'

const EndpointId = z
  .string()
  .regex(/^whe_[0-9a-f]{24}$/)
  .describe('The id of the endpoint.')
  .meta({ examples: ['whe_6f0c1183a2b94e5d7c8f9012'] })
const Kinds = z.array(z.enum(chosenKinds)).min(1).max(chosenKinds.length)
const Url = z.string().trim().min(1).max(MAX_API_URL)
const ordered = z.boolean()
const with_text = z.boolean()

/** What a platform says of an endpoint. */
export const endpointFields = {
  url: Url.describe(
    'Where events are sent: a public `https` address, with port 443 or one from 8000 on. The operator can allow private addresses, `http` and all ports with `WEBHOOKS_INSIDE`.',
  ).meta({
    examples: ['https://platform.example/hooks'],
  }),
  kinds: Kinds.describe('The events that it gets. `erased` and `ping` go to every endpoint.'),
  ordered: ordered
    .default(false)
    .describe(
      'The events of one account go one after the other. A later one waits for an earlier one for at most 15 minutes, then ' +
        'goes with `after_gap: true`.',
    ),
  with_text: with_text.default(false).describe('`message.added` has the text of the message.'),
}
/** The same of a change: what is missing stays. */
export const endpointUpdate = {
  url: endpointFields.url.optional(),
  kinds: endpointFields.kinds.optional(),
  ordered: ordered.optional().describe('As in `endpoint/add`.'),
  with_text: with_text.optional().describe('As in `endpoint/add`.'),
  state: z
    .enum(['on', 'paused'])
    .optional()
    .describe('`paused`: events wait. `on`: they go; also turns one on again that was turned off.'),
}

export const Endpoint = z
  .object({
    id: EndpointId,
    url: z
      .string()
      .describe('Where events are sent. Empty: the address waits for approval, or there is none.')
      .meta({ examples: ['https://platform.example/hooks'] }),
    kinds: z.array(z.string()).describe('The events that it gets.'),
    form: z
      .enum(['standard', 'key'])
      .describe('`standard`: Standard Webhooks, with its own secret. `key`: the older form, signed with a key.'),
    ordered: z.boolean().describe('The events of one account go one after the other.'),
    with_text: z.boolean().describe('`message.added` has the text.'),
    state: z
      .enum(['on', 'paused', 'off'])
      .describe('`paused`: you paused it. `off`: we turned it off. In both states events wait.'),
    why_off: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('`gone`: it answered 410. `failing`: every attempt of five days has failed.'),
    failing_since: z
      .string()
      .nullable()
      .describe('Since when every attempt has failed, in UTC. Null: the last one was taken.'),
    old_until: z.string().nullable().describe('Until when the secret before signs too, in UTC.'),
    created_at: z.string().describe('When it was made, in UTC.'),
    waiting: z.int().describe('Events that wait for it.'),
    given_up: z.int().describe('Events that it has not taken at any attempt. Send them again with `endpoint/resend`.'),
  })
  .meta({ id: 'Endpoint' })

/** Which events are sent again. */
export const resendFields = {
  event: z.uuid().optional().describe('One event. Without it, those of a span of time.'),
  from: z.iso
    .datetime()
    .max(30)
    .optional()
    .describe(`Events from this time on, in UTC; at most ${EVENT_DAYS} days ago.`),
  until: z.iso.datetime().max(30).optional().describe('Events before this time. Without it, up to now.'),
  kinds: z
    .array(z.enum(chosenKinds))
    .max(chosenKinds.length)
    .default([])
    .describe('Only these. Empty: those of the endpoint.'),
  only: z
    .enum(['failed', 'all'])
    .default('failed')
    .describe('`failed`: those that it has not taken, also from before it was made. `all`: also those that it has.'),
}
export const Secret = z.object({
  id: EndpointId,
  secret: z
    .string()
    .describe('Its secret. It is not shown again.')
    .meta({ examples: ['whsec_…'] }),
  approval: WaitsForApproval.describe('1: the address waits for approval.'),
})
export const Resent = z.object({
  count: z.int().describe('How many events are sent again, 1,000 a minute.'),
})
export const Pinged = z.object({
  status: z
    .string()
    .describe('The HTTP status, or the reason why there was none.')
    .meta({ examples: ['204'] }),
  ms: z.int().describe('How long the attempt took, in milliseconds.'),
})
export const spanFields = {
  from: z.iso.datetime().max(30).describe('The beginning, in UTC.'),
  until: z.iso.datetime().max(30).optional().describe('The end, which is not included. Without it, now.'),
}
export const Gaps = z.object({
  sent: z.int().describe('Events of that time for this endpoint.'),
  accepted: z.int().describe('Those that it has taken.'),
  waiting: z.int().describe('Those that are tried again.'),
  given_up: z.int().describe('Those that are not.'),
  first_missing: z.int().nullable().describe('The lowest `seq` that it has not taken.'),
  last_missing: z.int().nullable().describe('The highest.'),
})

/** Addresses that events are sent to. What changes them needs a right of its own: keys of receivers have `webhooks`. */
export const endpointCalls = {
  'endpoint/list': {
    part: 'Events',
    right: 'webhooks',
    summary: 'List endpoints',
    description: 'Returns the addresses that your events are sent to.',
    effect: 'read',
    request: z.object({}),
    response: z.object({ data: z.array(Endpoint).describe('In the order in which they were made.') }),
    refuses: [],
  },
  'endpoint/add': {
    part: 'Events',
    right: 'endpoints',
    summary: 'Add an endpoint',
    description:
      `Adds an address with a secret of its own, at most ${MAX_ENDPOINTS}. If your platform wants a second admin for addresses, ` +
      'nothing is sent until another admin has approved it; `approval` is 1 then.',
    effect: 'write',
    request: Write.extend(endpointFields),
    response: Secret,
    refuses: ['endpoint.too_many', 'setting.url_invalid'],
  },
  'endpoint/set': {
    part: 'Events',
    right: 'endpoints',
    summary: 'Change an endpoint',
    description: 'Changes what you send of an endpoint. Another `url` may wait for approval as in `endpoint/add`.',
    effect: 'write',
    request: Write.extend({ id: EndpointId, ...endpointUpdate }),
    response: z.object({ approval: WaitsForApproval.describe('1: the address waits for approval.') }),
    refuses: ['endpoint.not_found', 'setting.url_invalid', 'change.waits_already'],
  },
  'endpoint/remove': {
    part: 'Events',
    right: 'endpoints',
    summary: 'Remove an endpoint',
    description: 'Removes an endpoint. What waits for it is not sent.',
    effect: 'write',
    request: Write.extend({ id: EndpointId }),
    response: z.object({ id: EndpointId }),
    refuses: ['endpoint.not_found'],
  },
  'endpoint/rotate': {
    part: 'Events',
    right: 'endpoints',
    summary: 'Replace the secret of an endpoint',
    description:
      'Returns a new secret. For 24 hours every event also has a signature with the secret before, and with the one before that if it was replaced within these hours.',
    effect: 'write',
    request: Write.extend({ id: EndpointId }),
    response: Secret.omit({ approval: true }),
    refuses: ['endpoint.not_found', 'endpoint.key_form'],
  },
  'endpoint/ping': {
    part: 'Events',
    right: 'webhooks',
    summary: 'Try an endpoint',
    description:
      'Sends the event `ping` to an endpoint, also while it is paused, and returns its answer, at most 20 seconds later.',
    effect: 'write',
    request: Write.extend({ id: EndpointId }),
    response: Pinged,
    refuses: ['endpoint.not_found'],
  },
  'endpoint/resend': {
    part: 'Events',
    right: 'webhooks',
    summary: 'Send events again',
    description: 'Sends one event or those of a span of time to an endpoint again, with the same ids and numbers.',
    effect: 'write',
    request: Write.extend({ id: EndpointId, ...resendFields }),
    response: Resent,
    refuses: ['endpoint.not_found', 'webhook.not_found'],
  },
  'endpoint/gaps': {
    part: 'Events',
    right: 'webhooks',
    summary: 'Read what an endpoint has missed',
    description: 'Returns how many events of a span of time an endpoint has taken, and which numbers are missing.',
    effect: 'read',
    request: z.object({ id: EndpointId, ...spanFields }),
    response: Gaps,
    refuses: ['endpoint.not_found'],
  },
} as const
