import type { CashDirection, CashReason, CashState } from '@tallyroom/contract/cash'
import type {
  EnvelopeType,
  MessageType,
  Role,
  RoomStatus,
  TransferKind,
  TransferStatus,
} from '@tallyroom/contract/codes'
import type { FileFacts, Voice } from '@tallyroom/contract/events'
import type { Sql } from '../data/sql.ts'

/** The facts of a voice note or file that are stored beside its address, or of a notice. */
export type Attachment = Voice | FileFacts | NoticeFacts
/** When the desk opens, beside an away text. */
type NoticeFacts = { opens: string }
/** The texts of a notice by language, and the group's language. */
export type Notice = { texts: Record<string, string>; language: string }

/** A message to write. The sender makes its id, so a retry finds it again. */
export type NewMessage = {
  roomId: number
  messageId: string
  type: MessageType
  content: string
  /** Null for the bot, and for event lines of the server. */
  senderId: number | null
  fromPartner: boolean
  senderUsername: string
  senderNickname: string
  senderIsSub: 0 | 1
  /** A key of the member API sent it. */
  senderIsKey?: boolean | undefined
  width?: number | undefined
  height?: number | undefined
  attachment?: Attachment | null | undefined
  transfer?: MessageTransfer | undefined
  quote?: QuotedMessage | undefined
  /** The card of a request for points. */
  cash?: MessageCash | undefined
  /** The texts of a notice of the desk; its content is their id in `desk_texts`. That of a key is its own text. */
  notice?: Notice | undefined
  /** Its transfer, where `transfer` is not shown with the new message. */
  transferId?: bigint | null
  /** The newest `seq` that its sender had on the screen; undefined: all of the room. */
  seen?: number | undefined
  /** It appears when somebody approves it: its sender is not there, and reads nothing by it. */
  isApproved?: true
}

/** The request for points that a card shows. `taker`: username, nickname and is_sub of who has taken it. */
export type MessageCash = {
  id: number
  direction: CashDirection
  state: CashState
  bank: string
  accountNo: string
  slip: string
  reason: string
  reasonCode?: CashReason | null
  takenBy: number | null
  taker: [string, string, 0 | 1] | null
  expiresAt: string
  endedAt: string | null
  /** Its payment waits for approval. */
  isInApproval?: boolean
  /** The key that may have paid it: its id, username and nickname, and the reference that it gave. */
  maybePaid?: [number, string, string, string] | null
}

/** The message that another one answers, cut short. Who may read the names in it is decided when it is shown. */
export type QuotedMessage = {
  seq: number
  messageId: string
  type: MessageType
  excerpt: string
  fromPartner: boolean
  senderId: number | null
  senderUsername: string
  senderNickname: string
  senderIsSub: 0 | 1
  senderIsKey?: boolean | undefined
  isTakenBack: boolean
  transferType: EnvelopeType | null
}

/** The transfer that a message shows. `type` 1 gives points to the member, 2 asks the member for points. */
export type MessageTransfer = {
  id: bigint
  transactionId: string
  status: TransferStatus
  type: EnvelopeType
  amount: bigint
  remark: string
  isCorrected: boolean
  /** It waits for approval. */
  isHeld?: boolean | null
  expiresAt: Date | null
  transferKind: TransferKind
}

/** A stored message, not yet rendered for a side. */
export type MessageRow = NewMessage & {
  seq: number
  version: number
  createdAt: Date
  /** Its sender took it back: its row has no words any more. */
  isTakenBack?: boolean
  /** It ends the wait that began with this message (`RoomRow.askedSeq`). */
  answersSeq?: number | null
}

/** A message of the partner that may need an answer. */
export type Question = { seq: number; at: Date }

export type RoomRow = {
  id: number
  topId: number
  code: string
  groupId: number
  partnerId: number
  partnerUsername: string
  partnerIsSub: 0 | 1
  partnerNickname: string
  partnerRole: Role
  /** The group's own name for the partner, in place of the nickname. */
  alias: string
  partnerThumbnail: string | null
  groupName: string
  groupUsername: string
  groupIsSub: 0 | 1
  groupThumbnail: string | null
  status: RoomStatus
  isThird: 0 | 1
  version: number
  lastSeq: number
  lastType: MessageType | null
  lastContent: string
  lastAt: Date | null
  groupReadSeq: number
  partnerReadSeq: number
  groupDeliveredSeq: number
  partnerDeliveredSeq: number
  /** Seen by the group only (desk.ts). */
  deskVersion: number
  waitingSince: Date | null
  /** The partner's messages since anyone's last answer. */
  unanswered: number
  /** The first of them: a wait of the report of work begins with it (desk/waits.ts). */
  askedSeq: number | null
  /** Those of them that a sender had not seen, in the order of `seq` (unseen.ts). */
  questions?: Question[]
  ownerId: number | null
  /** When the server gave it to its owner. */
  assignedAt: Date | null
  /** Until when the group has put it away. */
  snoozedUntil: Date | null
  snoozedBy: number | null
  /** The owner's username, nickname and is_sub. */
  owner: [string, string, 0 | 1] | null
  /** When the away text was last written into it. */
  awayToldAt: Date | null
  /** The version of the group's opening hours; null without hours. Read with the lock. */
  hoursVersion?: number | null
  /** Who answers owns it if nobody does (own-room.ts). Read with the lock. */
  isOwnedByAnswer?: boolean
  asideSeq: number
}

/** The columns of a RoomRow; `r` is the room, `p` the partner's account, `g` the group's account. */
export const roomColumns: Sql = {
  text: `r.id, r.top_id as "topId", r.code, r.group_id as "groupId", r.partner_id as "partnerId",
  p.username as "partnerUsername", p.is_sub as "partnerIsSub", p.nickname as "partnerNickname", p.role_id as "partnerRole", r.alias, p.thumbnail_id as "partnerThumbnail",
  coalesce(nullif(g.nickname, ''), g.username) as "groupName", g.username as "groupUsername", g.is_sub as "groupIsSub", g.thumbnail_id as "groupThumbnail",
  r.status, r.is_third as "isThird", r.version::int, r.last_seq as "lastSeq", r.last_message_type as "lastType",
  r.last_message_content as "lastContent", r.last_message_at as "lastAt",
  r.group_read_seq as "groupReadSeq", r.partner_read_seq as "partnerReadSeq",
  r.group_delivered_seq as "groupDeliveredSeq", r.partner_delivered_seq as "partnerDeliveredSeq",
  r.desk_version::int as "deskVersion", r.waiting_since as "waitingSince", r.unanswered, case when r.waiting_since is not null then r.asked_seq end as "askedSeq", r.owner_id as "ownerId", r.assigned_at as "assignedAt", r.snoozed_until as "snoozedUntil", r.snoozed_by as "snoozedBy", r.away_told_at as "awayToldAt", r.aside_seq as "asideSeq",
  (select json_build_array(o.username, o.nickname, o.is_sub) from accounts o where o.id = r.owner_id) as owner`,
  values: [],
}

export const roomTables: Sql = {
  text: `rooms r join accounts p on p.id = r.partner_id join accounts g on g.id = r.group_id`,
  values: [],
}
