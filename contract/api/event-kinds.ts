/** What a platform gets events of. No Zod here: the office imports it. */
export const eventKinds = [
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
  'erased',
  'ping',
] as const
export type EventKind = (typeof eventKinds)[number]
