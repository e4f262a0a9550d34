/** Those that a platform gets at its API URL. No Zod here: the office imports it. */
export const kindsFromBefore = [
  'transfer.settled',
  'envelope.settled',
  'request.asked',
  'request.taken',
  'request.released',
  'request.paid',
  'request.refused',
  'request.withdrawn',
  'request.expired',
  'member.added',
] as const
/** The kinds of events that an endpoint may choose. */
export const chosenKinds = [
  ...kindsFromBefore,
  'member.changed',
  'member.moved',
  'agent.added',
  'message.added',
  'room.waiting',
  'bet.voided',
  'approval.asked',
  'approval.ended',
  'period.closed',
  'endpoint.off',
] as const
export type ChosenKind = (typeof chosenKinds)[number]

/** All kinds of events. The last two go to every endpoint. */
export const eventKinds = [...chosenKinds, 'erased', 'ping'] as const
export type EventKind = (typeof eventKinds)[number]

export const MAX_ENDPOINTS = 10
/** Events, and what was sent of them, are kept for so long. */
export const EVENT_DAYS = 30
