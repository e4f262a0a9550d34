type Counted = {
  last_seq: number
  read_seq: number
  /** Field of a room's summary, see `RoomSummary`. */
  unanswered: number
}

/**
 * Number of a room's messages that are unread for the viewer. On the group's side an answer of any colleague clears them
 * for all; reading clears them for the reader.
 */
export const unreadIn = ({ last_seq, read_seq, unanswered }: Counted): number =>
  Math.max(0, Math.min(unanswered, last_seq - read_seq))
