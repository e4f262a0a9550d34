import type { EventKind } from '@tallyroom/contract/api/event-kinds'
import { allCashReasons } from '@tallyroom/contract/cash'
import type { JsonSchema } from '../samples.ts'

/** An object of which all fields are always there. */
export const whole = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** The same with fields that may be missing. */
const withOptional = (properties: Record<string, JsonSchema>, optional: Record<string, JsonSchema>): JsonSchema => ({
  ...whole(properties),
  properties: { ...properties, ...optional },
})

const ownId = { type: ['string', 'null'], description: 'Your own id of that account.' }

const movedPoints = {
  transaction_id: { type: 'string', description: 'The id of the transfer.' },
  type: { type: 'integer', description: 'Its kind, as in `transfer/list`.' },
  wallet: { type: 'integer', description: "The member's wallet. 1: main. 2: game." },
  amount: { type: 'string', description: 'Points, never below zero: the kind says which way they go.' },
  username: { type: 'string', description: 'Whose points moved.' },
  third_party_id: ownId,
  operator: { type: ['string', 'null'], description: 'The account that moved them.' },
  remark: { type: 'string', description: 'The remark.' },
  status: { type: 'integer', description: 'As in `transfer/list`.' },
}
const account = {
  id: { type: 'integer', description: 'Our number of the account.' },
  username: { type: 'string', description: 'Its username.' },
  third_party_id: ownId,
}

/** The data of events by their names in the document. Triggers of the database write it. */
export const eventData = {
  Nothing: whole({}),
  VoidedBet: whole({
    ...movedPoints,
    bet_id: { type: 'string', description: 'Your id of the bet.' },
  }),
  ChangedMember: whole({
    ...account,
    nickname: { type: 'string', description: 'How others see it.' },
    status: { type: 'integer', description: '1: active. 0: frozen.' },
    withdraw_confirm: { type: 'integer', description: '1: it has to accept envelopes and requests for points.' },
    event_mode: { type: 'integer', description: '1: red envelopes can be neither sent nor received.' },
  }),
  MovedMember: whole({
    ...account,
    parent: { type: 'string', description: 'The username of the account above it now.' },
    from: { type: 'string', description: 'That of the one before.' },
  }),
  NewMessage: withOptional(
    {
      id: { type: 'string', description: 'The id of the message.' },
      room: { type: 'string', description: 'The code of the conversation.' },
      seq: { type: 'integer', description: 'Its number in the conversation.' },
      type: { type: 'integer', description: '1: text. 2: image. 14: voice. 15: file. 16: a notice.' },
      username: { type: 'string', description: 'The member whose conversation it is.' },
      third_party_id: ownId,
      from: { enum: ['member', 'office'], description: 'Who wrote it. Of a notice: the office.' },
    },
    { text: { type: ['string', 'null'], description: 'With `with_text`: what was written. Null: it has no words.' } },
  ),
  WaitingRoom: whole({
    room: { type: 'string', description: 'The code of the conversation.' },
    username: { type: 'string', description: 'The member who waits.' },
    third_party_id: ownId,
    since: { type: 'string', description: 'Since when, in UTC.' },
  }),
  ApprovalOfPoints: whole({
    transaction_id: { type: 'string', description: 'The transfer that waits or waited.' },
    amount: { type: 'string', description: 'Points.' },
    username: { type: 'string', description: 'Whose points it is about.' },
    third_party_id: ownId,
    operator: { type: 'string', description: 'The account that asked; that of a key has its name.' },
    state: {
      enum: ['waiting', 'approved', 'refused', 'withdrawn', 'expired', 'failed'],
      description: '`failed`: it was approved, but the points were not there any more.',
    },
    decided_by: { type: ['string', 'null'], description: 'Who decided it.' },
    answer: { type: 'string', description: 'Why it was refused; empty for none.' },
  }),
  ClosedPeriod: whole({
    id: { type: 'integer', description: 'Our number of the period.' },
    username: { type: 'string', description: 'The account whose period it is.' },
    third_party_id: ownId,
    start_date: { type: 'string', description: 'Its first day.' },
    end_date: { type: 'string', description: 'Its last day.' },
    operator: { type: 'string', description: 'The account that closed it.' },
  }),
  EndpointOff: whole({
    id: { type: 'string', description: 'The id of the endpoint.' },
    url: { type: 'string', description: 'Its address.' },
    why: { enum: ['gone', 'failing'], description: '`gone`: it answered 410. `failing`: every attempt has failed.' },
  }),
  MovedPoints: whole(movedPoints),
  NewMember: whole({
    id: { type: 'integer', description: 'Our number of the account.' },
    username: { type: 'string', description: 'Its username.' },
    third_party_id: ownId,
    nickname: { type: 'string', description: 'How others see it.' },
    parent: { type: ['string', 'null'], description: 'The username of the account above it.' },
  }),
  ChangedRequest: whole({
    id: { type: 'integer', description: 'The number of the request.' },
    username: { type: 'string', description: "The member's username." },
    third_party_id: ownId,
    direction: { enum: ['in', 'out'], description: '`in`: after a payment to you. `out`: for a payout.' },
    amount: { type: 'string', description: 'Points.' },
    state: { type: 'string', description: 'As in `cash/list`.' },
    reason: { type: 'string', description: 'Why it was refused, in the words of the office; empty for none.' },
    reason_code: {
      type: ['string', 'null'],
      description: `Why it was refused, if it is one of these: ${allCashReasons.join(', ')}.`,
    },
    maybe_paid: {
      type: 'boolean',
      description: 'A key had it until its time was over, and may have paid it at the bank.',
    },
    operator: {
      type: ['string', 'null'],
      description: 'Who took, paid, refused or cancelled it; of a release, who had taken it. Null: the server.',
    },
    transaction_id: { type: ['string', 'null'], description: 'The transfer that paid it.' },
  }),
}
type EventData = keyof typeof eventData

type Event = [summary: string, data: EventData, values?: Record<string, unknown>]
/** `values`: what the example has. */
export const events: Record<EventKind, Event> = {
  'transfer.settled': ['Points have moved.', 'MovedPoints'],
  'envelope.settled': [
    'An envelope was accepted (status 1) or rejected (2), has expired (3) or failed because the points were not there (0).',
    'MovedPoints',
  ],
  'request.asked': [
    'A member asks for points. This is no order to pay: take the request first.',
    'ChangedRequest',
    { state: 'asked', operator: null, transaction_id: null },
  ],
  'request.taken': [
    '`operator`, a colleague in the office or a key, has taken the request and may be paying it: do not pay it too.',
    'ChangedRequest',
    { state: 'taken', transaction_id: null },
  ],
  'request.released': [
    '`operator` gave the request back or has left it: it may be taken again, by a person only if `maybe_paid` is true.',
    'ChangedRequest',
    { state: 'asked', transaction_id: null },
  ],
  'request.paid': [
    'The request was paid by `operator`; `transaction_id` is its transfer.',
    'ChangedRequest',
    { state: 'paid' },
  ],
  'request.refused': [
    'The request was refused by `operator`, with `reason_code`, `reason` or both.',
    'ChangedRequest',
    { state: 'refused', reason_code: 'no_payment', transaction_id: null },
  ],
  'request.withdrawn': [
    'The member or your platform cancelled the request.',
    'ChangedRequest',
    { state: 'withdrawn', operator: 'ann88', transaction_id: null },
  ],
  'request.expired': [
    'Nobody took the request in time.',
    'ChangedRequest',
    { state: 'expired', operator: null, transaction_id: null },
  ],
  'member.added': ['A member was added.', 'NewMember'],
  'member.changed': ['The nickname, status, own id or abilities of a member have changed.', 'ChangedMember'],
  'member.moved': ['A member has another account above it.', 'MovedMember'],
  'agent.added': ['An agent was added.', 'NewMember'],
  'message.added': [
    'A message was written in the conversation of a member. An endpoint with `with_text` also gets its `text`; null if it has none.',
    'NewMessage',
    { room: '4kq7w0', from: 'member' },
  ],
  'room.waiting': [
    'A member begins to wait for an answer.',
    'WaitingRoom',
    { room: '4kq7w0', since: '2026-11-22T14:03:21.000Z' },
  ],
  'bet.voided': ['A bet was voided: its points were given back.', 'VoidedBet', { bet_id: 'round-5512-ann' }],
  'approval.asked': ['A transfer waits for approval.', 'ApprovalOfPoints', { state: 'waiting', decided_by: null }],
  'approval.ended': [
    'A transfer that waited was decided, withdrawn or has expired.',
    'ApprovalOfPoints',
    { state: 'approved', decided_by: 'dana' },
  ],
  'period.closed': ['A period was closed.', 'ClosedPeriod'],
  'endpoint.off': [
    'We have turned off another endpoint of your platform, because it answered 410 or every attempt of five days failed.',
    'EndpointOff',
  ],
  erased: ['A person was erased. Of each event about it, only the numbers are left.', 'Nothing'],
  ping: ['Somebody sent a test, in the office or by `webhook/ping`. Nothing has happened.', 'Nothing'],
}
