/** A conversation is work for so long after its last message. */
export const LOAD_MINUTES = 10

type OwnedRoom = { owner_id: number | null; waiting_since: string | null; message_time: string | null }
/**
 * Whether a shown conversation is work for its owner at this time: it waits, or its last message is not older than
 * `LOAD_MINUTES`. The server counts the same (chat/desk/load.ts).
 */
export const isLoad = ({ owner_id, waiting_since, message_time }: OwnedRoom, now: number): boolean =>
  owner_id !== null &&
  (waiting_since !== null || (message_time !== null && Date.parse(message_time) > now - LOAD_MINUTES * 60_000))
