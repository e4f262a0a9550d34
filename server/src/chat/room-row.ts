import type { Sql } from '../data/sql.ts'

/** A message to write. Its id comes from whoever made it, so that a retry finds it again. */
export type NewMessage = {
  roomId: number
  messageId: string
  type: number
  content: string
  /** Nobody: the bot, or the house itself in a line. */
  senderId: number | null
  fromPartner: boolean
  senderUsername: string
  senderNickname: string
  senderIsSub: 0 | 1
  width?: number | undefined
  height?: number | undefined
  transfer?: MessageTransfer | undefined
}

/** What a message shows of its transfer. `type` 1: the member is given points, 2: the member is asked. */
export type MessageTransfer = {
  id: bigint
  transactionId: string
  status: number
  type: 1 | 2
  amount: bigint
  remark: string
  isCorrected: boolean
  expiresAt: Date | null
}

/** A message as it is stored, seen from neither side. */
export type MessageRow = NewMessage & {
  seq: number
  version: number
  createdAt: Date
}

export type RoomRow = {
  id: number
  topId: number
  code: string
  groupId: number
  partnerId: number
  partnerUsername: string
  partnerIsSub: 0 | 1
  partnerNickname: string
  partnerRole: number
  /** What the group calls the partner, instead of the nickname. */
  alias: string
  partnerThumbnail: string | null
  groupName: string
  groupUsername: string
  groupIsSub: 0 | 1
  groupThumbnail: string | null
  status: 1 | 2 | 3
  isThird: 0 | 1
  version: number
  lastSeq: number
  lastType: number | null
  lastContent: string
  lastAt: Date | null
  groupReadSeq: number
  partnerReadSeq: number
  groupDeliveredSeq: number
  partnerDeliveredSeq: number
  /** The group's own (desk.ts). */
  deskVersion: number
  waitingSince: Date | null
  ownerId: number | null
  /** Its username, nickname and is_sub. */
  owner: [string, string, 0 | 1] | null
  asideSeq: number
}

/** The columns of a RoomRow; `r` is the room, `p` its partner's account, `g` its group's. */
export const roomColumns: Sql = {
  text: `r.id, r.top_id as "topId", r.code, r.group_id as "groupId", r.partner_id as "partnerId",
  p.username as "partnerUsername", p.is_sub as "partnerIsSub", p.nickname as "partnerNickname", p.role_id as "partnerRole", r.alias, p.thumbnail_id as "partnerThumbnail",
  coalesce(nullif(g.nickname, ''), g.username) as "groupName", g.username as "groupUsername", g.is_sub as "groupIsSub", g.thumbnail_id as "groupThumbnail",
  r.status, r.is_third as "isThird", r.version::int, r.last_seq as "lastSeq", r.last_message_type as "lastType",
  r.last_message_content as "lastContent", r.last_message_at as "lastAt",
  r.group_read_seq as "groupReadSeq", r.partner_read_seq as "partnerReadSeq",
  r.group_delivered_seq as "groupDeliveredSeq", r.partner_delivered_seq as "partnerDeliveredSeq",
  r.desk_version::int as "deskVersion", r.waiting_since as "waitingSince", r.owner_id as "ownerId", r.aside_seq as "asideSeq",
  (select json_build_array(o.username, o.nickname, o.is_sub) from accounts o where o.id = r.owner_id) as owner`,
  values: [],
}

export const roomTables: Sql = {
  text: `rooms r join accounts p on p.id = r.partner_id join accounts g on g.id = r.group_id`,
  values: [],
}
