/** A conversation is work for so long after its last message. */
export const LOAD_MINUTES = 10

type OwnedRoom = {
  owner_id: number | null
  waiting_since: string | null
  message_time: string | null
  snoozed_until?: string | undefined
}
/**
 * Whether a shown conversation is work for its owner at this time: it waits, or its last message is not older than
 * `LOAD_MINUTES`, and it is not snoozed. The server counts the same (chat/desk/load.ts).
 */
export const isLoad = ({ owner_id, waiting_since, message_time, snoozed_until }: OwnedRoom, now: number): boolean =>
  owner_id !== null &&
  snoozed_until === undefined &&
  (waiting_since !== null || (message_time !== null && Date.parse(message_time) > now - LOAD_MINUTES * 60_000))
