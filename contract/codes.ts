/**
 * Names for the numbers on the wire and in the database. They are the source's own and never change; their order means
 * nothing. No Zod here: pages for cheap phones import this file.
 */

/** `game` is the internal account on the other side of bets and wins; it cannot sign in. */
export const Role = { game: 0, admin: 1, agent: 2, customerService: 3, member: 4 } as const
export type Role = Exclude<(typeof Role)[keyof typeof Role], 0>

/** Admins and agents: they have a downline, wallets of their own and a group of customer service. */
export const isOperator = (role: number): boolean => role === Role.admin || role === Role.agent
/** Everyone who works in the back office; the others are members. */
export const isOffice = (role: number): boolean => isOperator(role) || role === Role.customerService

/** Customer service works with the wallet and the members of its group, and has none of its own. */
export const isCustomerService = (role: number): boolean => role === Role.customerService
/** Whether an account of a role may be directly below one of another: an admin would see more than an agent above it. */
export const fitsBelow = (role: number, upline: number): boolean => {
  if (role === Role.member) return isOffice(upline)
  return role === Role.admin ? upline === Role.admin : isOperator(upline)
}

export const AccountStatus = { frozen: 0, active: 1 } as const
export type AccountStatus = (typeof AccountStatus)[keyof typeof AccountStatus]

export const RoomStatus = { shown: 1, hidden: 2, ai: 3 } as const
export type RoomStatus = (typeof RoomStatus)[keyof typeof RoomStatus]

/** The partner of a room, from the viewer's side. */
export const RoomType = { agent: 0, member: 1, upline: 2 } as const
export type RoomType = (typeof RoomType)[keyof typeof RoomType]

/**
 * `sendMessage` takes `text` and `image`, `message/sendFile` makes `voice` and `file` (a PDF) by what an upload contains,
 * and the server writes the others. `notice` is a text of the group's desk or of a platform, `pointsIn` gives to the member, `pointsOut` takes, `cash` is a member's request for
 * points.
 */
export const MessageType = {
  text: 1,
  image: 2,
  pointsIn: 3,
  pointsOut: 6,
  envelope: 7,
  gift: 8,
  makeUp: 9,
  gameIn: 10,
  gameDeduct: 11,
  event: 12,
  cash: 13,
  voice: 14,
  file: 15,
  notice: 16,
} as const
export type MessageType = (typeof MessageType)[keyof typeof MessageType]
/** Whether the server wrote it as a line: nobody's answer, and not what the list shows of a room. */
export const isLine = (type: number): boolean => type === MessageType.event || type === MessageType.notice
/** The types of messages that show a transfer. */
export type TransferMessageType = (typeof MessageType)[
  | 'pointsIn'
  | 'pointsOut'
  | 'envelope'
  | 'gift'
  | 'makeUp'
  | 'gameIn'
  | 'gameDeduct']

export const TransferKind = {
  send: 1,
  receive: 2,
  gift: 3,
  makeUp: 4,
  gameSend: 5,
  gameDeduct: 6,
  toGame: 7,
  bet: 8,
  win: 9,
  correction: 10,
  betVoid: 11,
} as const
export type TransferKind = (typeof TransferKind)[keyof typeof TransferKind]

export const TransferStatus = { failed: 0, success: 1, rejected: 2, expired: 3, pending: 4 } as const
export type TransferStatus = (typeof TransferStatus)[keyof typeof TransferStatus]

/**
 * The `type` of a row of envelopes. `giving` and `asking` are offers in a room. `cashHold` holds the points that a member
 * asked to be paid out, and only that request settles it. The others wait for approval, in the order that rules depend on: `heldGiving` in the payer's
 * escrow, `heldTaking` in the target's; of `heldAsking` nothing is held, the member will be asked.
 */
export const EnvelopeKind = { giving: 1, asking: 2, cashHold: 3, heldGiving: 4, heldTaking: 5, heldAsking: 6 } as const
export type EnvelopeKind = (typeof EnvelopeKind)[keyof typeof EnvelopeKind]

/** An envelope gives points to the member, or asks the member for points. */
export const EnvelopeType = { give: EnvelopeKind.giving, ask: EnvelopeKind.asking } as const
export type EnvelopeType = (typeof EnvelopeType)[keyof typeof EnvelopeType]

/** `escrow` holds what open envelopes promise; agents and customer service have one. */
export const WalletKind = { main: 1, game: 2, escrow: 3 } as const
export type WalletKind = (typeof WalletKind)[keyof typeof WalletKind]

/** The states of a flow limit; `lifted` when its transfer was corrected. */
export const FlowStatus = { open: 0, filled: 1, lifted: 2 } as const
export type FlowStatus = (typeof FlowStatus)[keyof typeof FlowStatus]

/** The types of quick replies, by who may use them. */
export const TemplateType = { general: 1, agent: 2, customerService: 3, private: 9 } as const
export type TemplateType = (typeof TemplateType)[keyof typeof TemplateType]

/** The states of a note about a member. */
export const NoteStatus = { unfinished: 0, finished: 1 } as const

/** A bank that is no longer offered stays for the accounts that have it. */
export const BankStatus = { withdrawn: 0, offered: 1 } as const

/** The states of a contact: one that was set aside is in a list of its own, and its room still works. */
export const ContactStatus = { setAside: 0, listed: 1 } as const
