// Written by `npm run reference` from contract/member-api.ts.

import type { CallOptions, List, WriteOptions } from './options.ts'

/** The form by date that the client speaks. */
export const VERSION = '2026-12-01'

/** Exactly one of these fields. */
export type OneOf<T> = {
  [K in keyof T]: { [P in K]: T[P] } & { [P in Exclude<keyof T, K>]?: undefined }
}[keyof T]
/** At least one of these fields. */
export type SomeOf<T> = {
  [K in keyof T]: { [P in K]: T[P] } & { [P in Exclude<keyof T, K>]?: T[P] | undefined }
}[keyof T]

export type Nothing = Record<string, unknown>

export type VoidedBet = {
  /** The id of the transfer. */
  transaction_id: string
  /** Its kind, as in `transfer/list`. */
  type: number
  /** The member's wallet. 1: main. 2: game. */
  wallet: number
  /** Points, never below zero: the kind says which way they go. */
  amount: string
  /** Whose points moved. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** The account that moved them. */
  operator: string | null
  /** The remark. */
  remark: string
  /** As in `transfer/list`. */
  status: number
  /** Your id of the bet. */
  bet_id: string
}

export type ChangedMember = {
  /** Our number of the account. */
  id: number
  /** Its username. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** How others see it. */
  nickname: string
  /** 1: active. 0: frozen. */
  status: number
  /** 1: it has to accept envelopes and requests for points. */
  withdraw_confirm: number
  /** 1: red envelopes can be neither sent nor received. */
  event_mode: number
}

export type MovedMember = {
  /** Our number of the account. */
  id: number
  /** Its username. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** The username of the account above it now. */
  parent: string
  /** That of the one before. */
  from: string
}

export type NewMessage = {
  /** The id of the message. */
  id: string
  /** The code of the conversation. */
  room: string
  /** Its number in the conversation. */
  seq: number
  /** 1: text. 2: image. 14: voice. 15: file. 16: a notice. */
  type: number
  /** The member whose conversation it is. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** Who wrote it. Of a notice: the office. */
  from: 'member' | 'office'
  /** With `with_text`: what was written. Null: it has no words. */
  text?: string | null
}

export type WaitingRoom = {
  /** The code of the conversation. */
  room: string
  /** The member who waits. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** Since when, in UTC. */
  since: string
}

export type ApprovalOfPoints = {
  /** The transfer that waits or waited. */
  transaction_id: string
  /** Points. */
  amount: string
  /** Whose points it is about. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** The account that asked; that of a key has its name. */
  operator: string
  /** `failed`: it was approved, but the points were not there any more. */
  state: 'waiting' | 'approved' | 'refused' | 'withdrawn' | 'expired' | 'failed'
  /** Who decided it. */
  decided_by: string | null
  /** Why it was refused; empty for none. */
  answer: string
}

export type ClosedPeriod = {
  /** Our number of the period. */
  id: number
  /** The account whose period it is. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** Its first day. */
  start_date: string
  /** Its last day. */
  end_date: string
  /** The account that closed it. */
  operator: string
}

export type EndpointOff = {
  /** The id of the endpoint. */
  id: string
  /** Its address. */
  url: string
  /** `gone`: it answered 410. `failing`: every attempt has failed. */
  why: 'gone' | 'failing'
}

export type MovedPoints = {
  /** The id of the transfer. */
  transaction_id: string
  /** Its kind, as in `transfer/list`. */
  type: number
  /** The member's wallet. 1: main. 2: game. */
  wallet: number
  /** Points, never below zero: the kind says which way they go. */
  amount: string
  /** Whose points moved. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** The account that moved them. */
  operator: string | null
  /** The remark. */
  remark: string
  /** As in `transfer/list`. */
  status: number
}

export type NewMember = {
  /** Our number of the account. */
  id: number
  /** Its username. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** How others see it. */
  nickname: string
  /** The username of the account above it. */
  parent: string | null
}

export type ChangedRequest = {
  /** The number of the request. */
  id: number
  /** The member's username. */
  username: string
  /** Your own id of that account. */
  third_party_id: string | null
  /** `in`: after a payment to you. `out`: for a payout. */
  direction: 'in' | 'out'
  /** Points. */
  amount: string
  /** As in `cash/list`. */
  state: string
  /** Why it was refused, in the words of the office; empty for none. */
  reason: string
  /**
   * Why it was refused, if it is one of these: no_payment, other_amount, slip_unclear, slip_used, other_payer,
   * account_wrong, other_name, turnover, day_limit, bank_closed.
   */
  reason_code: string | null
  /** A key had it until its time was over, and may have paid it at the bank. */
  maybe_paid: boolean
  /** Who took, paid, refused or cancelled it; of a release, who had taken it. Null: the server. */
  operator: string | null
  /** The transfer that paid it. */
  transaction_id: string | null
}

export type MemberAddRequest = SomeOf<{
  /**
   * 4 to 10 letters, digits, or . _ -, unique in the whole installation, whatever their case. Without one, we make
   * one up from `third_party_id`, which is needed then.
   */
  username: string
  /** Your own id for the account. Later calls accept it. */
  third_party_id: string
}> & {
  /** How others see the account. */
  nickname?: string | undefined
  /** Without one, the account signs in only through `sign-in/token`. */
  password?: string | undefined
  /** The username of the agent above it. Without one, your top account. */
  parent?: string | undefined
  /** The same, by your own id of the agent. Give one of the two. */
  parent_third_party_id?: string | undefined
}

export type MemberAddAnswer = {
  /** Our number of the account. Calls take its names; only `transfer/list` takes that of an agent. */
  id: number
  /** Its username. */
  username: string
  /** Invites members below it: `/Signup/` and this code is the address to send them. */
  share_code: string
}

export type AgentAddRequest = SomeOf<{
  /**
   * 4 to 10 letters, digits, or . _ -, unique in the whole installation, whatever their case. Without one, we make
   * one up from `third_party_id`, which is needed then.
   */
  username: string
  /** Your own id for the account. Later calls accept it. */
  third_party_id: string
}> & {
  /** How others see the account. */
  nickname?: string | undefined
  /** Without one, the account signs in only through `sign-in/token`. */
  password?: string | undefined
  /** The username of the agent above it. Without one, your top account. */
  parent?: string | undefined
  /** The same, by your own id of the agent. Give one of the two. */
  parent_third_party_id?: string | undefined
  /** How far below zero the balance may go. */
  limit_of_credit?: string | undefined
}

export type AgentAddAnswer = {
  /** Our number of the account. Calls take its names; only `transfer/list` takes that of an agent. */
  id: number
  /** Its username. */
  username: string
  /** Invites members below it: `/Signup/` and this code is the address to send them. */
  share_code: string
  /** 1: the credit waits for approval. */
  approval?: 0 | 1
}

export type MemberSetRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** The fields to change. */
  set: {
    /** How others see the member. */
    nickname?: string | undefined
    /** 1: active. 0: frozen. */
    status?: 0 | 1 | undefined
    /** 1: the member has to accept envelopes and requests for points. */
    withdraw_confirm?: 0 | 1 | undefined
    /** 1: red envelopes can be neither sent nor received. */
    event_mode?: 0 | 1 | undefined
    /** Your own id for the member; null takes it away. */
    third_party_id?: string | null | undefined
  }
}

export type Member = {
  /** Its username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  /** How others see the member. */
  nickname: string
  /** 1: active. 0: frozen. */
  status: 0 | 1
  /** 1: the member has to accept envelopes and requests for points. */
  withdraw_confirm: 0 | 1
  /** 1: red envelopes can be neither sent nor received. */
  event_mode: 0 | 1
}

export type MemberSetAnswer = Member

export type SignInTokenRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /**
   * `agent`: the back office, without logout. `landing`: an ordinary session, also for members. `widget`: a member,
   * in the widget of your own page (`data-sign-in`).
   */
  kind: 'agent' | 'landing' | 'widget'
}

export type SignInTokenAnswer = {
  /** It is in `url` too, but with `widget`. */
  token: string
  /** Send the browser here. Without `PUBLIC_URL` it begins at the path. Empty with `widget`. */
  url: string
  /** Seconds. */
  expires_in: number
}

export type EventModeSetRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** 1: on. 0: off. */
  event_mode: 0 | 1
}

export type EventModeSetAnswer = {
  /** Its username. */
  username: string
  /** 1: on. 0: off. */
  event_mode: 0 | 1
}

export type AccountViewRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}>

export type Abilities = {
  /** Its username is never masked. */
  is_sub: 0 | 1
  /** A game wallet. It can be removed only when it is empty. */
  is_multiple_wallet: 0 | 1
  /** Chooses the member's wallet in a conversation. */
  transaction_all: 0 | 1
  /** Activity mode: red envelopes can be neither sent nor received. */
  event_mode: 0 | 1
  /** Moves points in a conversation. Without it the next four have no effect. */
  red_envelope_button_visible: 0 | 1
  /** Gives points there. */
  send_red_envelope_button_visible: 0 | 1
  /** Collects points there. */
  receive_red_envelope_button_visible: 0 | 1
  /** Gives gifts there. */
  gift_red_envelope_button_visible: 0 | 1
  /** Gives compensations and points of the game wallet there. */
  point_button_visible: 0 | 1
  /** Takes points from the game wallet. */
  deduct_point_button_visible: 0 | 1
  /** Sees the turnover of members. */
  cs_flow_limit_button_visible: 0 | 1
  /** Lets the bot answer. */
  chat_ai_bot_visible: 0 | 1
  /** Has the QR code of its share link. */
  customized_has_qrcode_show: 0 | 1
  /** Lowers the turnover that a member must reach. */
  flow_limit_modify_permission: 0 | 1
  /** Decides transfers of others that are above their limits. */
  may_approve: 0 | 1
  /** Sees the usernames of others only in part, and so does its customer service. */
  masks_usernames: 0 | 1
  /** How many times given points must be turned over; 0 for none. */
  transfer_member_flow_limit_multiple: number
}

export type Limit = {
  /**
   * 1: points to the member. 2: points from the member. 3: gift. 4: compensation. 5: points into the game wallet.
   * 6: points from the game wallet. 7: from the main to the game wallet. 8: bet. 9: win. 10: correction. 11: voided
   * bet.
   */
  type: 1 | 2 | 3 | 4 | 5 | 6
  /** For one transfer. Null: none of its own. */
  transfer: string | null
  /** For an hour. Null: none of its own. */
  hour: string | null
  /** For a day. Null: none of its own. */
  day: string | null
  /** For a day with one receiver. Null: none of its own. */
  member: string | null
}

export type AccountViewAnswer = {
  /** Its username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  /** How others see it. */
  nickname: string
  /** 1: admin. 2: agent. 3: customer service. 4: member. */
  role_id: 1 | 2 | 3 | 4
  /** The username of the account directly above it. */
  parent: string
  /** 1: active. 0: frozen. */
  status: 0 | 1
  /** Points in the main wallet, without its credit; `-1` if `unlimited` is true. */
  balance: string
  /** Points in the game wallet. */
  game_wallet: string
  /** The balance may go below zero without a limit. */
  unlimited: boolean
  /** How far below zero the balance may go; `-1` if `unlimited` is true. */
  limit_of_credit: string
  /** How far below zero it is; with a minus while it is above. */
  used_credit: string
  /** When it was made, in UTC as in ISO 8601. */
  created_at: string
  /** When it was last seen. Null: never. */
  last_seen_at: string | null
  /** The username of the head of its group; its own for an agent. */
  group: string
  /** 1: a member has to accept envelopes and requests for points. */
  withdraw_confirm: 0 | 1
  /** 1: red envelopes can be neither sent nor received. */
  event_mode: 0 | 1
  /** Invites members below it. */
  share_code: string
  /** What it sees and may do. Null: of a member or your top account. */
  abilities: Abilities | null
  /** What it moves above these waits for approval. Null: of a member or your top account. */
  limits: Limit[] | null
}

export type AccountListRequest = {
  /** Only accounts below this one. Without it and `third_party_id`: all. */
  username?: string | undefined
  /** The same, by your own id of it. */
  third_party_id?: string | undefined
  /** Only these. 1: admin. 2: agent. 3: customer service. 4: member. */
  role_id?: 1 | 2 | 3 | 4 | undefined
  /** Only those directly below. Default: false. */
  direct?: boolean | undefined
  /** `next` of the answer before. */
  after?: string | undefined
  /** Rows in an answer. Default: 500. */
  per_page?: number | undefined
}

export type Account = {
  /** Its username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  /** How others see it. */
  nickname: string
  /** 1: admin. 2: agent. 3: customer service. 4: member. */
  role_id: 1 | 2 | 3 | 4
  /** The username of the account directly above it. */
  parent: string
  /** 1: active. 0: frozen. */
  status: 0 | 1
  /** Points in the main wallet, without its credit; `-1` if `unlimited` is true. */
  balance: string
  /** Points in the game wallet. */
  game_wallet: string
  /** The balance may go below zero without a limit. */
  unlimited: boolean
  /** How far below zero the balance may go; `-1` if `unlimited` is true. */
  limit_of_credit: string
  /** How far below zero it is; with a minus while it is above. */
  used_credit: string
  /** When it was made, in UTC as in ISO 8601. */
  created_at: string
  /** When it was last seen. Null: never. */
  last_seen_at: string | null
}

export type AccountListAnswer = {
  /** In the order in which they were made. */
  data: Account[]
  /** Send it as `after` to get the rows that follow. Null: there are none. */
  next: string | null
}

export type AgentSetRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** The fields to change. */
  set: {
    /** How others see the agent. */
    nickname?: string | undefined
    /** 1: active. 0: frozen. A frozen account is signed out, and nothing can be moved. */
    status?: 0 | 1 | undefined
    /** How far below zero the balance may go. */
    limit_of_credit?: string | undefined
    /** What it sees and may do. 1: yes. 0: no. */
    abilities?: {
      /** Its username is never masked. */
      is_sub?: 0 | 1 | undefined
      /** A game wallet. It can be removed only when it is empty. */
      is_multiple_wallet?: 0 | 1 | undefined
      /** Chooses the member's wallet in a conversation. */
      transaction_all?: 0 | 1 | undefined
      /** Activity mode: red envelopes can be neither sent nor received. */
      event_mode?: 0 | 1 | undefined
      /** Moves points in a conversation. Without it the next four have no effect. */
      red_envelope_button_visible?: 0 | 1 | undefined
      /** Gives points there. */
      send_red_envelope_button_visible?: 0 | 1 | undefined
      /** Collects points there. */
      receive_red_envelope_button_visible?: 0 | 1 | undefined
      /** Gives gifts there. */
      gift_red_envelope_button_visible?: 0 | 1 | undefined
      /** Gives compensations and points of the game wallet there. */
      point_button_visible?: 0 | 1 | undefined
      /** Takes points from the game wallet. */
      deduct_point_button_visible?: 0 | 1 | undefined
      /** Sees the turnover of members. */
      cs_flow_limit_button_visible?: 0 | 1 | undefined
      /** Lets the bot answer. */
      chat_ai_bot_visible?: 0 | 1 | undefined
      /** Has the QR code of its share link. */
      customized_has_qrcode_show?: 0 | 1 | undefined
      /** Lowers the turnover that a member must reach. */
      flow_limit_modify_permission?: 0 | 1 | undefined
      /** Decides transfers of others that are above their limits. */
      may_approve?: 0 | 1 | undefined
      /** Sees the usernames of others only in part, and so does its customer service. */
      masks_usernames?: 0 | 1 | undefined
      /** How many times given points must be turned over; 0 for none. */
      transfer_member_flow_limit_multiple?: number | undefined
    } | undefined
    /** What it moves above these waits for approval. Kinds that you leave out stay as they are. */
    limits?: ({
      /**
       * 1: points to the member. 2: points from the member. 3: gift. 4: compensation. 5: points into the game
       * wallet. 6: points from the game wallet. 7: from the main to the game wallet. 8: bet. 9: win. 10:
       * correction. 11: voided bet.
       */
      type: 1 | 2 | 3 | 4 | 5 | 6
      /** For one transfer. Null takes it away. */
      transfer: string | null
      /** For an hour. Null takes it away. */
      hour: string | null
      /** For a day. Null takes it away. */
      day: string | null
      /** For a day with one receiver. Null takes it away. */
      member: string | null
    })[] | undefined
  }
}

export type AgentSetAnswer = {
  /** Its username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  /** How others see it. */
  nickname: string
  /** 1: admin. 2: agent. 3: customer service. 4: member. */
  role_id: 1 | 2 | 3 | 4
  /** The username of the account directly above it. */
  parent: string
  /** 1: active. 0: frozen. */
  status: 0 | 1
  /** Points in the main wallet, without its credit; `-1` if `unlimited` is true. */
  balance: string
  /** Points in the game wallet. */
  game_wallet: string
  /** The balance may go below zero without a limit. */
  unlimited: boolean
  /** How far below zero the balance may go; `-1` if `unlimited` is true. */
  limit_of_credit: string
  /** How far below zero it is; with a minus while it is above. */
  used_credit: string
  /** When it was made, in UTC as in ISO 8601. */
  created_at: string
  /** When it was last seen. Null: never. */
  last_seen_at: string | null
  /** What it sees and may do. */
  abilities: Abilities
  /** What it moves above these waits for approval. Limits of accounts above hold, too. */
  limits: Limit[]
  /** 1: a part of it waits for approval, and is not in this answer. */
  approval?: 0 | 1
}

export type AccountMoveRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & OneOf<{
  /** The username of the agent, or your top account, to be above it. */
  to: string
  /** The same, by your own id of the agent. Give one of the two. */
  to_third_party_id: string
}>

export type AccountMoveAnswer = {
  /** Its username. */
  username: string
  /** The account that is directly above it now. */
  parent: string
  /** 1: it waits for approval and has not moved. */
  approval?: 0 | 1
}

export type SessionEndRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}>

export type SessionEndAnswer = {
  /** How many sessions. */
  ended: number
}

export type BalanceListRequest = {
  /** Their usernames. Give these, your own ids, or both. */
  usernames?: string[] | undefined
  /** Your own ids of them. */
  third_party_ids?: string[] | undefined
}

export type Balance = {
  /** Its username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  /** 1: admin. 2: agent. 3: customer service. 4: member. */
  role_id: 1 | 2 | 3 | 4
  /** 1: active. 0: frozen; nothing can be moved. */
  status: 0 | 1
  /** Points in the main wallet, without its credit; `-1` if `unlimited` is true. */
  balance: string
  /** Points in the game wallet. */
  game_wallet: string
  /** The balance may go below zero without a limit. */
  unlimited: boolean
}

export type BalanceListAnswer = {
  /** In the order in which the accounts were made. */
  data: Balance[]
}

export type BetReportRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** Your id of the bet. It makes the call repeatable. */
  bet_id: string
  /** Points, with up to 4 decimals. */
  amount: string
  /** What counts as turnover. Without it, the whole amount. */
  valid?: string | undefined
}

export type BetReportAnswer = {
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /** Points of the wallet after it. */
  balance: string
}

export type WinReportRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** Your id of the bet. It makes the call repeatable. */
  bet_id: string
  /** Points, with up to 4 decimals. */
  amount: string
}

export type WinReportAnswer = {
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /** Points of the wallet after it. */
  balance: string
}

export type BetReportManyRequest = {
  /** Up to 200, carried out in this order. */
  rows: (OneOf<{
    /** The username. Give this or `third_party_id`, not both. */
    username: string
    /** Your own id of the account. Compared exactly, including case. */
    third_party_id: string
  }> & {
    /** Your id of the bet. It makes the call repeatable. */
    bet_id: string
    /** Points, with up to 4 decimals. */
    amount: string
    /** Not needed here. */
    request_id?: string | undefined
    /** What counts as turnover. Without it, the whole amount. */
    valid?: string | undefined
  })[]
}

export type BetReportManyAnswer = {
  /** One for each row, in the same order. */
  rows: ({
    /** As in its row. Null: the row has none. */
    bet_id: string | null
    /** 1000, or the code of its refusal. */
    code: number
    /** In words. */
    message: string
    /** Why it was refused: a name that the call about one has. Null: success. */
    refusal: string | null
    /** As of the call about one; of `request.invalid` the invalid fields. */
    data: {
      /** The id of the transfer, a UUID. */
      transaction_id: string
      /** Points of the wallet after it. */
      balance: string
    } | {
      /** The first invalid field. */
      field: string
      /** All fields of the row that are not as the document says. */
      errors: {
        /** Where it is in the row: a JSON pointer such as `/amount`. */
        pointer: string
        /** What is wrong with it, in English. */
        reason: string
      }[]
    } | null
  })[]
}

export type WinReportManyRequest = {
  /** Up to 200, carried out in this order. */
  rows: (OneOf<{
    /** The username. Give this or `third_party_id`, not both. */
    username: string
    /** Your own id of the account. Compared exactly, including case. */
    third_party_id: string
  }> & {
    /** Your id of the bet. It makes the call repeatable. */
    bet_id: string
    /** Points, with up to 4 decimals. */
    amount: string
    /** Not needed here. */
    request_id?: string | undefined
  })[]
}

export type WinReportManyAnswer = {
  /** One for each row, in the same order. */
  rows: ({
    /** As in its row. Null: the row has none. */
    bet_id: string | null
    /** 1000, or the code of its refusal. */
    code: number
    /** In words. */
    message: string
    /** Why it was refused: a name that the call about one has. Null: success. */
    refusal: string | null
    /** As of the call about one; of `request.invalid` the invalid fields. */
    data: {
      /** The id of the transfer, a UUID. */
      transaction_id: string
      /** Points of the wallet after it. */
      balance: string
    } | {
      /** The first invalid field. */
      field: string
      /** All fields of the row that are not as the document says. */
      errors: {
        /** Where it is in the row: a JSON pointer such as `/amount`. */
        pointer: string
        /** What is wrong with it, in English. */
        reason: string
      }[]
    } | null
  })[]
}

export type BetVoidRequest = {
  /** Your id of the bet. It makes the call repeatable. */
  bet_id: string
}

export type BetVoidAnswer = {
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /** Points of the wallet after it. */
  balance: string
}

export type PointsGiveRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** Points, with up to 4 decimals. */
  amount: string
  /** What it is for. The member reads it. */
  remark?: string | undefined
  /** To the approver, if it is above a limit of the key. */
  reason?: string | undefined
}

export type PointsGiveAnswer = {
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /** 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. */
  status: 0 | 1 | 2 | 3 | 4
  /** Points of the member's main wallet after it. */
  balance: string
  /** 1: it waits for approval and has moved nothing. */
  approval?: 0 | 1
}

export type PointsTakeRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** Points, with up to 4 decimals. */
  amount: string
  /** What it is for. The member reads it. */
  remark?: string | undefined
  /** To the approver, if it is above a limit of the key. */
  reason?: string | undefined
}

export type PointsTakeAnswer = {
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /** 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. */
  status: 0 | 1 | 2 | 3 | 4
  /** Points of the member's main wallet after it. */
  balance: string
  /** 1: it waits for approval and has moved nothing. */
  approval?: 0 | 1
}

export type PointsOfferRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** Points, with up to 4 decimals. */
  amount: string
  /** What it is for. The member reads it. */
  remark?: string | undefined
  /** To the approver, if it is above a limit of the key. */
  reason?: string | undefined
  /** `make_up` is a compensation and needs a remark. Default: send. */
  kind?: 'send' | 'gift' | 'make_up' | undefined
}

export type PointsOfferAnswer = {
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /** 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. */
  status: 0 | 1 | 2 | 3 | 4
  /** Points of the member's main wallet after it. */
  balance: string
  /** 1: it waits for approval and has moved nothing. */
  approval?: 0 | 1
}

export type PointsCorrectRequest = {
  /** The id of the transfer that is taken back. */
  transaction_id: string
  /** Why. The member reads it. */
  remark: string
}

export type PointsCorrectAnswer = {
  /** The id of the correction; of the transfer while it waits. */
  transaction_id: string
  /** 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. */
  status: 0 | 1 | 2 | 3 | 4
  /** Points of the member's main wallet after it. */
  balance: string
  /** 1: it waits for approval and has moved nothing. */
  approval?: 0 | 1
}

export type PointsViewRequest = {
  /** Its id, from an answer or an event. */
  transaction_id: string
}

export type PointsViewAnswer = {
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /** The member's username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  /** Its kind, as in `transfer/list`. */
  type: number
  /** The member's wallet. 1: main. 2: game. */
  wallet: number
  /** Points, never below zero: the kind says which way they go. */
  amount: string
  /** 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. */
  status: 0 | 1 | 2 | 3 | 4
  /** Null: it needed none. */
  approval: 'waiting' | 'approved' | 'refused' | 'withdrawn' | 'expired' | 'failed' | null
  /** The remark. */
  remark: string
  /** The account that moved the points. Null: bets, wins and voids. */
  operator: string | null
  /** In UTC, as in ISO 8601. */
  created_at: string
  /** A correction has taken it back. */
  corrected: boolean
}

export type CashDirection = 'in' | 'out'

export type CashAskRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  direction: CashDirection
  /** Points, with up to 4 decimals. */
  amount: string
}

export type CashState = 'asked' | 'taken' | 'paid' | 'refused' | 'withdrawn' | 'expired'

export type CashAskAnswer = {
  /** The number of the request. */
  id: number
  state: CashState
  /** Points of the wallet after it. */
  balance: string
}

export type CashWithdrawRequest = {
  /** The number of the request. */
  id: number
}

export type CashWithdrawAnswer = {
  /** The number of the request. */
  id: number
  state: CashState
}

export type CashListRequest = {
  /** The username. Give this or `third_party_id`, not both. */
  username?: string | undefined
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id?: string | undefined
  /** Empty: all states. */
  states?: CashState[] | undefined
  /** Asked at this time or later. In UTC, as in ISO 8601. */
  since?: string | undefined
  /** Asked before this time. In UTC, as in ISO 8601. */
  until?: string | undefined
  /** Changed at this time or later: a time, or `cursor` of an answer. */
  changed_since?: string | undefined
  /** Rows in an answer. Default: 100. */
  per_page?: number | undefined
  /** `next` of the answer before. */
  after?: string | undefined
}

export type CashRequest = {
  /** The number of the request. */
  id: number
  /** The member's username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  direction: CashDirection
  /** Points. */
  amount: string
  state: CashState
  /** Why it was refused, in the words of the office; empty for none. */
  reason: string
  /** Why it was refused, if it is one of these reasons. The member reads it in its own language. */
  reason_code: 'no_payment' | 'other_amount' | 'slip_unclear' | 'slip_used' | 'other_payer' | 'account_wrong' | 'other_name' | 'turnover' | 'day_limit' | 'bank_closed' | null
  /** In UTC, as in ISO 8601. */
  asked_at: string
  /** The same. Null while it is open. */
  ended_at: string | null
  /** The same: when it was asked, taken, released or ended last. */
  changed_at: string
  /** A key had it until its time was over, and may have paid it at the bank. Only a person goes on with it. */
  maybe_paid: boolean
  /** The transfer that paid it. */
  transaction_id: string | null
}

export type CashListAnswer = {
  /** Newest first. */
  data: CashRequest[]
  /** Send it as `after` to get the rows that follow. Null: there are none. */
  next: string | null
  /** Send it as `changed_since` the next time. Null with `before`, and while nobody has asked for points. */
  cursor: string | null
}

export type CashViewRequest = {
  /** The number of the request. */
  id: number
}

export type CashViewAnswer = {
  /** The number of the request. */
  id: number
  /** The member's username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  direction: CashDirection
  /** Points. */
  amount: string
  state: CashState
  /** Why it was refused, in the words of the office; empty for none. */
  reason: string
  /** Why it was refused, if it is one of these reasons. The member reads it in its own language. */
  reason_code: 'no_payment' | 'other_amount' | 'slip_unclear' | 'slip_used' | 'other_payer' | 'account_wrong' | 'other_name' | 'turnover' | 'day_limit' | 'bank_closed' | null
  /** In UTC, as in ISO 8601. */
  asked_at: string
  /** The same. Null while it is open. */
  ended_at: string | null
  /** The same: when it was asked, taken, released or ended last. */
  changed_at: string
  /** A key had it until its time was over, and may have paid it at the bank. Only a person goes on with it. */
  maybe_paid: boolean
  /** The transfer that paid it. */
  transaction_id: string | null
  /** Who has taken it. Null: nobody. */
  operator: string | null
  /** Seconds until it is open again, unless `cash/renew` is called. */
  lease: number | null
  /** The bank of the member's account; empty for none. */
  bank: string
  /** Whose account it is. */
  account_name: string
  /** Its number, masked or whole. A bank code comes before it with two underscores, such as `062000__12345678`. */
  account_no: string
  /** The photo of the slip: an address that anybody may open for 5 minutes. Without `PUBLIC_URL` a path. */
  slip: string | null
  /** Points in: your account that the member was shown to pay to; empty for none. */
  pay_to: string
  /** Points out: turnover that is missing. While there is some, it cannot be paid. */
  turnover_due: string
  /**
   * `account_changed`: in the last 24 hours. `account_gone`: the member has removed it; it cannot be paid.
   * `first_out`: nothing was paid out before. `five_times`: at least five times the usual amount.
   * `receiving_changed`: your account in `pay_to` has changed or is off. `slip_used`: another request has the same
   * slip or a picture of it. `same_amount`: another member asked for the same amount within five minutes.
   */
  warnings: ('slip_used' | 'same_amount' | 'account_changed' | 'account_gone' | 'first_out' | 'five_times' | 'receiving_changed')[]
}

export type CashTakeRequest = {
  /** The number of the request. */
  id: number
  /** How long you have it. Take more than the bank needs. Default: 5. */
  minutes?: number | undefined
  /** The bank's or your own reference of the payment. The office finds it by this. */
  reference?: string | undefined
}

export type CashTakeAnswer = {
  /** The number of the request. */
  id: number
  state: CashState
  /** Seconds that you have it from now, unless `cash/renew` is called. */
  lease: number
}

export type CashRenewRequest = {
  /** The number of the request. */
  id: number
  /** How long you have it. Take more than the bank needs. Default: 5. */
  minutes?: number | undefined
  /** The bank's or your own reference of the payment. The office finds it by this. */
  reference?: string | undefined
}

export type CashRenewAnswer = {
  /** The number of the request. */
  id: number
  state: CashState
  /** Seconds that you have it from now, unless `cash/renew` is called. */
  lease: number
}

export type CashGiveBackRequest = {
  /** The number of the request. */
  id: number
}

export type CashGiveBackAnswer = {
  /** The number of the request. */
  id: number
  state: CashState
}

export type CashPayRequest = {
  /** The number of the request. */
  id: number
  /** The amount of the request. Another one is refused. */
  amount: string
  /** The bank's or your own reference of the payment. The office finds it by this. */
  reference?: string | undefined
  /** What it is for. The member reads it. */
  remark?: string | undefined
  /** To the approver, if it is above a limit of the key. */
  reason?: string | undefined
}

export type CashPayAnswer = {
  /** The number of the request. */
  id: number
  state: CashState
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /** 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. */
  status: 0 | 1 | 2 | 3 | 4
  /** Points of the member's main wallet after it. */
  balance: string
  /** 1: it waits for approval and has moved nothing. */
  approval?: 0 | 1
}

export type CashRefuseRequest = SomeOf<{
  /** Why, in your own words. The member reads it as it is. */
  reason: string
  /** One of the usual reasons. The member reads it in its own language. Give this, `reason` or both. */
  reason_code: 'no_payment' | 'other_amount' | 'slip_unclear' | 'slip_used' | 'other_payer' | 'account_wrong' | 'other_name' | 'turnover' | 'day_limit' | 'bank_closed'
}> & {
  /** The number of the request. */
  id: number
}

export type CashRefuseAnswer = {
  /** The number of the request. */
  id: number
  state: CashState
}

export type BankListRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}>

export type BankListAnswer = {
  /** The first one is used for requests for points. */
  data: ({
    /** Our number of the bank account. */
    id: number
    /** The name of the bank. */
    bank: string
    /** Whose account it is. */
    account_name: string
    /**
     * Its number. `bank/list` has it whole for a key with `cash:fulfil`, and the log names each time; else the last
     * digits.
     */
    account_no: string
    /** Until then its bank or number counts as just changed, and `cash/view` warns of it. Null: it does not. */
    changed_until: string | null
  })[]
  /** The banks that your platform offers. */
  banks: string[]
}

export type BankSetRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** The bank accounts to change or add. */
  accounts: ({
    /** One that the member has. Without it, a new one. */
    id?: number | undefined
    /** The name of a bank that your platform offers. */
    bank: string
    /** Whose account it is. A new first one needs it; later ones have the same, unless your settings allow others. */
    account_name?: string | undefined
    /** Its number. A new one needs it. With a branch code: the code, two underscores, the number. */
    account_no?: string | undefined
  })[]
}

export type BankSetAnswer = {
  /** The first one is used for requests for points. */
  data: ({
    /** Our number of the bank account. */
    id: number
    /** The name of the bank. */
    bank: string
    /** Whose account it is. */
    account_name: string
    /**
     * Its number. `bank/list` has it whole for a key with `cash:fulfil`, and the log names each time; else the last
     * digits.
     */
    account_no: string
    /** Until then its bank or number counts as just changed, and `cash/view` warns of it. Null: it does not. */
    changed_until: string | null
  })[]
  /** The banks that your platform offers. */
  banks: string[]
}

export type MessageSendRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & OneOf<{
  /** The words. Give this or `image`. */
  text: string
  /** Of an answer: a picture as `data:image/…;base64,…`, about 180 kB. */
  image: string
}> & {
  /** `notice`: says something. `answer`: answers the member. */
  as: 'notice' | 'answer'
  /** Of an answer: the `message_id` that it answers. */
  quote?: string | undefined
  /**
   * Of an answer: the newest `seq` that you know. What the member has written after it still waits. Without it, all
   * is answered.
   */
  seen?: number | undefined
}

export type MessageSendAnswer = {
  /** The id of the message, a UUID. */
  message_id: string
  /** Its number in the conversation. */
  seq: number
  /** When, in UTC as in ISO 8601. */
  at: string
}

export type MessageListRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** Only messages after this one. 0: from the beginning. Default: 0. */
  after_seq?: number | undefined
  /** Messages in an answer. Default: 200. */
  per_page?: number | undefined
}

export type Message = {
  /** Its number in the conversation, from 1 on without gaps. */
  seq: number
  /** The id of the message, a UUID. */
  message_id: string
  /** When, in UTC as in ISO 8601. */
  at: string
  /**
   * `points`: a card of a transfer. `request`: a card of a request for points. `notice`: of a platform, or the
   * greeting or away text of the desk. `line`: who answers from here on, such as `took_over`; it is in `text`.
   */
  kind: 'text' | 'image' | 'voice' | 'file' | 'points' | 'request' | 'notice' | 'line'
  /** Who wrote it. `platform`: a key. `server`: lines, greetings and away texts. */
  by: 'member' | 'office' | 'platform' | 'bot' | 'server'
  /** The colleague or key that wrote it. Null: the member, the bot or the server. */
  operator: string | null
  /** What was written; of cards the amount. */
  text: string | null
  /** The image, voice note or file: an address that anybody may open for 5 minutes. Without `PUBLIC_URL` a path. */
  url: string | null
  /** The name of the file. */
  file_name: string | null
  /** The id of the message that it answers. */
  quote: string | null
  /** Its sender took it back: it is a `text` without words then. */
  taken_back: boolean
  /** The transfer of the card. */
  transaction_id: string | null
  /** The `id` of the request for points of the card. */
  cash_id: number | null
}

export type MessageListAnswer = {
  /** Oldest first. Old ones may have been deleted. */
  data: Message[]
  /** The number of the newest message of the conversation. */
  last_seq: number
  /** Send it as `after_seq` to get those that follow. Null: there are none yet. */
  next: number | null
}

export type MessageReadRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & {
  /** Up to this message. */
  seq: number
}

export type MessageReadAnswer = {
  /** Up to here the office has read. */
  office_read_seq: number
}

export type RoomListRequest = {
  /** Only those in which the member waits for an answer. Default: true. */
  waiting?: boolean | undefined
  /** `next` of the answer before. */
  after?: string | undefined
  /** Rows in an answer. Default: 200. */
  per_page?: number | undefined
}

export type Conversation = {
  /** The member's username. */
  username: string
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  /** How others see the member. */
  nickname: string
  /** The username of the head of the group that answers it. */
  group: string
  /** Since when the member waits for an answer. Null: it does not wait. */
  waiting_since: string | null
  /** The member's messages since the last answer. */
  unanswered: number
  /**
   * Why it waits. `queue`: nobody has it. `owner`: `owner` has it. `bot`: the bot answers. `snoozed`: put away
   * until `snoozed_until`. `hidden`: taken off the list. Null: it does not wait.
   */
  why: 'queue' | 'owner' | 'bot' | 'snoozed' | 'hidden' | null
  /** The colleague who has it. Null: nobody. */
  owner: string | null
  /** What the owner is now. Null: there is no owner. */
  owner_state: 'on' | 'busy' | 'away' | null
  /** Until when it is put away. */
  snoozed_until: string | null
  /** The bot answers: an answer of yours is refused, a notice is not. */
  bot: boolean
  /** The office has taken it off its list. */
  hidden: boolean
  /** The number of its newest message; 0: there is none. */
  last_seq: number
  /** When somebody last wrote. Notices do not count. */
  last_message_at: string | null
  /** Up to here the member has read. */
  member_read_seq: number
  /** Up to here the office has read, as the member sees it. */
  office_read_seq: number
}

export type RoomListAnswer = {
  /** Longest waiting first. */
  data: Conversation[]
  /** Send it as `after` to get the rows that follow. Null: there are none. */
  next: string | null
}

export type RoomViewRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}>

export type RoomViewAnswer = Conversation

export type TransferListRequest = {
  /** At least this amount. */
  min_amount?: string | undefined
  /** At most this amount. */
  max_amount?: string | undefined
  /**
   * Only these kinds; empty: all. 1: points to the member. 2: points from the member. 3: gift. 4: compensation. 5:
   * points into the game wallet. 6: points from the game wallet. 7: from the main to the game wallet. 8: bet. 9:
   * win. 10: correction. 11: voided bet.
   */
  types?: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11)[] | undefined
  /** Only these; empty: all. 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. */
  statuses?: (0 | 1 | 2 | 3 | 4)[] | undefined
  /** What the remark contains, from the beginning of a word on. */
  remark?: string | undefined
  /** One transfer, by its `transaction_id` or its number. */
  id?: string | undefined
  /** Only transfers that were made in this conversation, by the code in its address in the office. */
  room?: string | undefined
  /** A part of the member's username, or of the username of the account that moved the points. */
  username?: string | undefined
  /** From this time on. In UTC, as in ISO 8601, to the second. */
  start_time: string
  /**
   * Up to this time, at most a year later; midnight is the end of the day before. In UTC, as in ISO 8601, to the
   * second.
   */
  end_time: string
  /** Rows in an answer. Default: 1000. */
  per_page?: number | undefined
  /**
   * Only what the SR02 report counts for the account with this number, the `id` of `agent/add`. Both times are then
   * those of settling.
   */
  operator_id?: number | string | undefined
  /** With `operator_id`: only what one figure of the report counts, by whom, for whom and in which direction. */
  cell?: {
    /** The view of the report. */
    by: 'operator' | 'branch' | 'person' | 'member'
    /** The account of the row. */
    id: number | string
    /** The account below which the report was opened. */
    under?: number | string | undefined
    /** The column: given or taken. Without it, both. */
    way?: 'in' | 'out' | undefined
    /** Points of the office, or bets and wins. Default: points. */
    what?: 'points' | 'bets' | undefined
  } | undefined
  /** Only the transfers of this account: its whole username. */
  member?: string | undefined
  /** The same, by your own id of it. Give one of the two. */
  third_party_id?: string | undefined
  /** `next` of the answer before. Unlike a page it neither repeats nor leaves out rows while transfers are made. */
  after?: string | undefined
}

export type Transfer = {
  /** The number of the transfer. */
  id: string
  /** Its id, a UUID, as in webhooks. */
  transaction_id: string
  /** In UTC, as in ISO 8601, to the second. */
  created_at: string
  /** When the points moved. Null while they are held. In UTC, as in ISO 8601, to the second. */
  settled_at: string | null
  /**
   * 1: points to the member. 2: points from the member. 3: gift. 4: compensation. 5: points into the game wallet.
   * 6: points from the game wallet. 7: from the main to the game wallet. 8: bet. 9: win. 10: correction. 11: voided
   * bet.
   */
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
  /** The member's wallet. 1: main. 2: game. */
  wallet: 1 | 2
  /** 1: a red envelope, which the member accepts or rejects. */
  envelope: 0 | 1
  /** The member, or the agent below, whose points moved. */
  member_username: string
  /** Its nickname. */
  member_nickname: string
  /** Points, never below zero: the kind says which way they go. */
  amount: string
  /** Points of that wallet after it. Null while they are held. */
  balance: string | null
  /** What the member has to bet before a payout because of it. */
  audit_amount: string
  /** 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. */
  status: 0 | 1 | 2 | 3 | 4
  /** The account that moved the points; empty for bets, wins and voids. */
  user_username: string
  /** The remark. */
  remark: string
  /** The remark was changed later. */
  remark_edited: boolean
  /** Of a correction: the kind of the transfer that it takes back. */
  corrects_type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | null
  /** A correction has taken it back. */
  corrected: boolean
  /** Never sent: a transfer that waits for approval, or did not get it, is not listed. */
  approval?: 0 | 1
  /** The state of the request for points that holds these points or has held them. */
  request?: 'asked' | 'taken' | 'paid' | 'refused' | 'withdrawn' | 'expired'
  /** 1: the member has moved away since. */
  past?: 0 | 1
  /** Your own id of the account, if you gave one. */
  third_party_id: string | null
  /** Your id of the bet, of bets, wins and voids. */
  bet_id: string | null
}

export type TransferListAnswer = {
  /** Newest first. */
  data: Transfer[]
  /** How many there are in all. Counting stops at 1,001 past the start of the page. */
  total: number
  /** Send it as `after` to get the rows that follow. Null: there are none. */
  next: string | null
}

export type StatementViewRequest = {
  /** The username. Without this and `third_party_id` it is your top account; give at most one. */
  username?: string | undefined
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id?: string | undefined
  /**
   * `own`: its own wallets. `direct`: of the accounts directly below it. `branch`: its own and all below it.
   * Default: own.
   */
  scope?: 'own' | 'direct' | 'branch' | undefined
  /** 0: main and game wallet. 1: main. 2: game. 3: what is held for requests and offers. Default: 0. */
  wallet?: 0 | 1 | 2 | 3 | undefined
  /** The first day, `YYYY-MM-DD`. */
  start_date: string
  /** The last day, which is included; at most a year later. */
  end_date: string
  /** Only what this account moved: its whole username. Empty: everybody. */
  by?: string | undefined
}

export type StatementViewAnswer = {
  /** Whose statement it is. */
  account: {
    /** Its username. */
    username: string
    /** Your own id of the account, if you gave one. */
    third_party_id: string | null
    /** Its nickname. */
    nickname: string
    /** As in `balance/list`. */
    role_id: 1 | 2 | 3 | 4
  }
  /** The account directly above; its names are empty for your top account. */
  upline: {
    /** Its username. */
    username: string
    /** Your own id of the account, if you gave one. */
    third_party_id: string | null
    /** Its nickname. */
    nickname: string
  }
  /** How many accounts have a wallet in it. */
  accounts: number
  /** The last day of the closed periods that the account was in. */
  closed_until: string | null
  /** Now. In UTC, as in ISO 8601, to the second. */
  drawn_up: string
  /** The zone of its days and times. */
  time_zone: string
  /** Points at the beginning of the first day. */
  opening: string
  /** Points that came. */
  in: string
  /** Points that went. */
  out: string
  /** With `by`: what others moved. Else zero. */
  others: string
  /** Points at the end of the last day. */
  closing: string
  /** Held at the end, beside the closing. Zero for `wallet` 2 and 3. */
  held: string
  /** How many movements `statement/lines` lists. */
  lines: number
  /** What is held at the end. */
  held_lines: ({
    /** In UTC, as in ISO 8601, to the second. */
    at: string
    /** The id of the transfer, a UUID. */
    transaction_id: string
    /** `envelope`: a red envelope. `request`: a request for points. `approval`: it waits for approval. */
    reason: 'envelope' | 'request' | 'approval'
    /** Whose points are held. */
    account: {
      /** Its username. */
      username: string
      /** Your own id of the account, if you gave one. */
      third_party_id: string | null
      /** Its nickname. */
      nickname: string
    }
    /** The member that it is about. */
    member: {
      /** Its username. */
      username: string
      /** Your own id of the account, if you gave one. */
      third_party_id: string | null
      /** Its nickname. */
      nickname: string
    }
    /** The remark. */
    remark: string
    /** Points. */
    amount: string
  })[]
  /** More is held than is listed. */
  held_cut: boolean
}

export type StatementLinesRequest = {
  /** The username. Without this and `third_party_id` it is your top account; give at most one. */
  username?: string | undefined
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id?: string | undefined
  /**
   * `own`: its own wallets. `direct`: of the accounts directly below it. `branch`: its own and all below it.
   * Default: own.
   */
  scope?: 'own' | 'direct' | 'branch' | undefined
  /** 0: main and game wallet. 1: main. 2: game. 3: what is held for requests and offers. Default: 0. */
  wallet?: 0 | 1 | 2 | 3 | undefined
  /** The first day, `YYYY-MM-DD`. */
  start_date: string
  /** The last day, which is included; at most a year later. */
  end_date: string
  /** Only what this account moved: its whole username. Empty: everybody. */
  by?: string | undefined
  /** `next` of the answer before. */
  after?: string | undefined
  /** Rows in an answer. Default: 500. */
  per_page?: number | undefined
}

export type StatementLine = {
  /** Names the movement: the same in every answer. */
  id: string
  /** In UTC, as in ISO 8601, to the second. */
  at: string
  /** The id of the transfer, a UUID. */
  transaction_id: string
  /**
   * 1: points to the member. 2: points from the member. 3: gift. 4: compensation. 5: points into the game wallet.
   * 6: points from the game wallet. 7: from the main to the game wallet. 8: bet. 9: win. 10: correction. 11: voided
   * bet.
   */
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
  /** Of a correction: the kind of the transfer that it takes back. */
  corrects_type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | null
  /** Whose wallet it is. */
  account: {
    /** Its username. */
    username: string
    /** Your own id of the account, if you gave one. */
    third_party_id: string | null
    /** Its nickname. */
    nickname: string
  }
  /** 1: main. 2: game. 3: held. */
  wallet: 1 | 2 | 3
  /** The other side. */
  other: {
    /** Its username. */
    username: string
    /** Your own id of the account, if you gave one. */
    third_party_id: string | null
    /** Its nickname. */
    nickname: string
    /** 0: the games, which have no name. Others as in `balance/list`. */
    role_id: 0 | 1 | 2 | 3 | 4
    /** 1: main. 2: game. 3: held. */
    wallet: 1 | 2 | 3
  }
  /** The account that moved the points; empty for bets, wins and voids. */
  by: string
  /** The remark. */
  remark: string
  /** Points, with a minus when they leave the wallet. */
  amount: string
  /** Points of all wallets of the statement together after it. Null with `by`. */
  balance: string | null
}

export type StatementLinesAnswer = {
  /** Oldest first. */
  data: StatementLine[]
  /** Send it as `after` to get the rows that follow. Null: there are none. */
  next: string | null
}

export type Sr02ViewRequest = {
  /** The username. Without this and `third_party_id` it is your top account; give at most one. */
  username?: string | undefined
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id?: string | undefined
  /** The first day, `YYYY-MM-DD`. */
  start_date: string
  /** The last day, which is included; at most a year later. */
  end_date: string
  /**
   * A row for each paying account (`operator`), for each account directly below with all below it (`branch`), for
   * each person who moved points, of customer service (`service`) or anyone (`person`), or for each member.
   * Default: operator.
   */
  by?: 'operator' | 'branch' | 'service' | 'person' | 'member' | undefined
  /** `points`: between the office and members. `bets`: by branch, paying account or member. Default: points. */
  what?: 'points' | 'bets' | undefined
  /** `next` of the answer before. */
  after?: string | undefined
  /** Rows in an answer. Default: 500. */
  per_page?: number | undefined
}

export type Sr02ViewAnswer = {
  /** Of all rows, also those that are left out. */
  total: {
    /** Points that members got; of `bets`: what they won. */
    total_in: string
    /** Points that members gave; of `bets`: what they bet. */
    total_out: string
  }
  /** In the order in which the accounts were made. */
  data: ({
    /** Its username. */
    username: string
    /** Your own id of the account, if you gave one. */
    third_party_id: string | null
    /** Points that members got; of `bets`: what they won. */
    total_in: string
    /** Points that members gave; of `bets`: what they bet. */
    total_out: string
    /** Its nickname; may be missing by `operator`. */
    nickname?: string
    /** As in `balance/list`; may be missing by `operator`. */
    role_id?: 1 | 2 | 3 | 4
    /** 1: by `branch`, the account itself without those below it. */
    own?: 0 | 1
    /** Of `bets`: what counts as turnover. */
    valid?: string
  })[]
  /** There are more than 5,000 persons or members: those that moved least are left out. */
  cut: boolean
  /** Only days on which points moved. */
  days: {
    /** The day. */
    day: string
    /** Points that members got; of `bets`: what they won. */
    total_in: string
    /** Points that members gave; of `bets`: what they bet. */
    total_out: string
  }[]
  /** Send it as `after` to get the rows that follow. Null: there are none. */
  next: string | null
}

export type PeriodListRequest = {
  /** `next` of the answer before. */
  after?: string | undefined
  /** Rows in an answer. Default: 500. */
  per_page?: number | undefined
}

export type PeriodListAnswer = {
  /** Newest first. */
  data: {
    /** Our number of the period. */
    id: number
    /** Its first day. */
    start_date: string
    /** Its last day. */
    end_date: string
    /** In UTC, as in ISO 8601, to the second. */
    closed_at: string
    /** The account that closed it. */
    closed_by: string
    /** How many accounts it was closed with. */
    accounts: number
    /** Points of all at its beginning. */
    opening: string
    /** Points that came. */
    in: string
    /** Points that went. */
    out: string
    /** Points of all at its end. */
    closing: string
    /** Held at its end, beside the closing. */
    held: string
  }[]
  /** Send it as `after` to get the rows that follow. Null: there are none. */
  next: string | null
}

export type SettlementListRequest = {
  /** `next` of the answer before. */
  after?: string | undefined
  /** Rows in an answer. Default: 500. */
  per_page?: number | undefined
}

export type SettlementListAnswer = {
  /** Newest first. */
  data: ({
    /** Our number of the settlement. */
    id: number
    /** The first day of its period. */
    start_date: string
    /** The last day of its period. */
    end_date: string
    /** The agent. */
    downline: {
      /** Its username. */
      username: string
      /** Your own id of the account, if you gave one. */
      third_party_id: string | null
      /** Its nickname. */
      nickname: string
    }
    /** Points that the agent owes, with a minus when it is owed them. */
    amount: string
    /** `settled`: the office says that it is paid. */
    state: 'open' | 'settled'
    /** Null while it is open. In UTC, as in ISO 8601, to the second. */
    settled_at: string | null
    /** What was written when it was settled. */
    remark: string
  })[]
  /** Send it as `after` to get the rows that follow. Null: there are none. */
  next: string | null
}

export type SettlementSettleRequest = {
  /** Our number of the settlement, from `settlement/list`. */
  id: number
  /** Such as the reference of the payment. The agent reads it. */
  remark?: string | undefined
}

export type SettlementSettleAnswer = {
  /** Our number of the settlement. */
  id: number
  /** `settled`. */
  state: 'settled'
}

export type EventListRequest = {
  /** The last number that you have: those after it are returned. 0: from the oldest. Default: 0. */
  after_seq?: number | undefined
  /** Only these events. Empty: all. */
  kinds?: ('transfer.settled' | 'envelope.settled' | 'request.asked' | 'request.taken' | 'request.released' | 'request.paid' | 'request.refused' | 'request.withdrawn' | 'request.expired' | 'member.added' | 'member.changed' | 'member.moved' | 'agent.added' | 'message.added' | 'room.waiting' | 'bet.voided' | 'approval.asked' | 'approval.ended' | 'period.closed' | 'endpoint.off' | 'erased' | 'ping')[] | undefined
  /** Only events of this account. Without this and `third_party_id`, those of all; give at most one. */
  username?: string | undefined
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id?: string | undefined
  /** Events in an answer. Default: 500. */
  per_page?: number | undefined
}

export type Event = {
  /** The same as in the webhook. */
  id: string
  /** What happened. The webhooks of this document list the kinds. */
  event: string
  /** When it happened, in UTC, as in ISO 8601. */
  at: string
  /** The facts of the event, as in its webhook. */
  data: Record<string, unknown>
  /** Counts the events of your platform, from 1 on without a gap. A missing number is one that you have not got. */
  seq: number
  /** Counts the events of the account in `username` in the same way. Null: the event is about no account. */
  member_seq: number | null
}

export type EventListAnswer = {
  /** In the order of `seq`. */
  data: Event[]
  /** Send it as `after_seq` the next time, also later. */
  next_seq: number
  /** True: more follow at once. */
  more: boolean
}

export type EndpointListRequest = Record<never, never>

export type Endpoint = {
  /** The id of the endpoint. */
  id: string
  /** Where events are sent. Empty: the address waits for approval, or there is none. */
  url: string
  /** The events that it gets. */
  kinds: string[]
  /** `standard`: Standard Webhooks, with its own secret. `key`: the older form, signed with a key. */
  form: 'standard' | 'key'
  /** The events of one account go one after the other. */
  ordered: boolean
  /** `message.added` has the text. */
  with_text: boolean
  /** `paused`: you paused it. `off`: we turned it off. In both states events wait. */
  state: 'on' | 'paused' | 'off'
  /** `gone`: it answered 410. `failing`: every attempt of five days has failed. */
  why_off: 'gone' | 'failing' | null
  /** Since when every attempt has failed, in UTC. Null: the last one was taken. */
  failing_since: string | null
  /** Until when the secret before signs too, in UTC. */
  old_until: string | null
  /** When it was made, in UTC. */
  created_at: string
  /** Events that wait for it. */
  waiting: number
  /** Events that it has not taken at any attempt. Send them again with `endpoint/resend`. */
  given_up: number
}

export type EndpointListAnswer = {
  /** In the order in which they were made. */
  data: Endpoint[]
}

export type EndpointAddRequest = {
  /**
   * Where events are sent: a public `https` address, with port 443 or one from 8000 on. The operator can allow
   * private addresses, `http` and all ports with `WEBHOOKS_INSIDE`.
   */
  url: string
  /** The events that it gets. `erased` and `ping` go to every endpoint. */
  kinds: ('transfer.settled' | 'envelope.settled' | 'request.asked' | 'request.taken' | 'request.released' | 'request.paid' | 'request.refused' | 'request.withdrawn' | 'request.expired' | 'member.added' | 'member.changed' | 'member.moved' | 'agent.added' | 'message.added' | 'room.waiting' | 'bet.voided' | 'approval.asked' | 'approval.ended' | 'period.closed' | 'endpoint.off')[]
  /**
   * The events of one account go one after the other. A later one waits for an earlier one for at most 15 minutes,
   * then goes with `after_gap: true`. Default: false.
   */
  ordered?: boolean | undefined
  /** `message.added` has the text of the message. Default: false. */
  with_text?: boolean | undefined
}

export type EndpointAddAnswer = {
  /** The id of the endpoint. */
  id: string
  /** Its secret. It is not shown again. */
  secret: string
  /** 1: the address waits for approval. */
  approval?: 0 | 1
}

export type EndpointSetRequest = {
  /** The id of the endpoint. */
  id: string
  /**
   * Where events are sent: a public `https` address, with port 443 or one from 8000 on. The operator can allow
   * private addresses, `http` and all ports with `WEBHOOKS_INSIDE`.
   */
  url?: string | undefined
  /** The events that it gets. `erased` and `ping` go to every endpoint. */
  kinds?: ('transfer.settled' | 'envelope.settled' | 'request.asked' | 'request.taken' | 'request.released' | 'request.paid' | 'request.refused' | 'request.withdrawn' | 'request.expired' | 'member.added' | 'member.changed' | 'member.moved' | 'agent.added' | 'message.added' | 'room.waiting' | 'bet.voided' | 'approval.asked' | 'approval.ended' | 'period.closed' | 'endpoint.off')[] | undefined
  /** As in `endpoint/add`. */
  ordered?: boolean | undefined
  /** As in `endpoint/add`. */
  with_text?: boolean | undefined
  /** `paused`: events wait. `on`: they go; also turns one on again that was turned off. */
  state?: 'on' | 'paused' | undefined
}

export type EndpointSetAnswer = {
  /** 1: the address waits for approval. */
  approval?: 0 | 1
}

export type EndpointRemoveRequest = {
  /** The id of the endpoint. */
  id: string
}

export type EndpointRemoveAnswer = {
  /** The id of the endpoint. */
  id: string
}

export type EndpointRotateRequest = {
  /** The id of the endpoint. */
  id: string
}

export type EndpointRotateAnswer = {
  /** The id of the endpoint. */
  id: string
  /** Its secret. It is not shown again. */
  secret: string
}

export type EndpointPingRequest = {
  /** The id of the endpoint. */
  id: string
}

export type EndpointPingAnswer = {
  /** The HTTP status, or the reason why there was none. */
  status: string
  /** How long the attempt took, in milliseconds. */
  ms: number
}

export type EndpointResendRequest = {
  /** The id of the endpoint. */
  id: string
  /** One event. Without it, those of a span of time. */
  event?: string | undefined
  /** Events from this time on, in UTC; at most 30 days ago. */
  from?: string | undefined
  /** Events before this time. Without it, up to now. */
  until?: string | undefined
  /** Only these. Empty: those of the endpoint. */
  kinds?: ('transfer.settled' | 'envelope.settled' | 'request.asked' | 'request.taken' | 'request.released' | 'request.paid' | 'request.refused' | 'request.withdrawn' | 'request.expired' | 'member.added' | 'member.changed' | 'member.moved' | 'agent.added' | 'message.added' | 'room.waiting' | 'bet.voided' | 'approval.asked' | 'approval.ended' | 'period.closed' | 'endpoint.off')[] | undefined
  /**
   * `failed`: those that it has not taken, also from before it was made. `all`: also those that it has. Default:
   * failed.
   */
  only?: 'failed' | 'all' | undefined
}

export type EndpointResendAnswer = {
  /** How many events are sent again, 1,000 a minute. */
  count: number
}

export type EndpointGapsRequest = {
  /** The id of the endpoint. */
  id: string
  /** The beginning, in UTC. */
  from: string
  /** The end, which is not included. Without it, now. */
  until?: string | undefined
}

export type EndpointGapsAnswer = {
  /** Events of that time for this endpoint. */
  sent: number
  /** Those that it has taken. */
  accepted: number
  /** Those that are tried again. */
  waiting: number
  /** Those that are not. */
  given_up: number
  /** The lowest `seq` that it has not taken. */
  first_missing: number | null
  /** The highest. */
  last_missing: number | null
}

export type WebhookPingRequest = Record<never, never>

export type WebhookPingAnswer = {
  /** The id of the event. */
  id: string
}

export type PlatformViewRequest = Record<never, never>

export type PlatformViewAnswer = {
  /** The zone of the days and of the times that do not end in `Z`, such as `Asia/Kuala_Lumpur`. */
  time_zone: string
  /** The time of the server in UTC, as in ISO 8601: compare your clock with it. */
  now: string
  /** The version of Tallyroom that answers. */
  version: string
  /** The most points; null: no limit. */
  caps: {
    /** For one red envelope or request for points. */
    per_envelope: string | null
    /** For what an agent or your top account gives its members in a day. */
    per_day: string | null
  }
  /** The languages of `Accept-Language` that messages are written in. */
  languages: string[]
}

export type SandboxActRequest = OneOf<{
  /** The username. Give this or `third_party_id`, not both. */
  username: string
  /** Your own id of the account. Compared exactly, including case. */
  third_party_id: string
}> & OneOf<{
  /** It writes these words. Give one of these four. */
  says: string
  /** It sends a photo. */
  photo: true
  /** It accepts the offer with this `transaction_id`. */
  accepts: string
  /** It rejects that offer. */
  rejects: string
}>

export type SandboxActAnswer = {
  /** The message that it wrote, a UUID. Null: it wrote none. */
  message_id: string | null
  /** Of the offer. 0: failed. 1: success. 2: rejected. 3: expired. 4: pending. Null: it answered none. */
  status: 0 | 1 | 2 | 3 | 4 | null
}

export type SandboxPassTimeRequest = {
  /** 25 is enough for an envelope of a day. */
  hours: number
}

export type SandboxPassTimeAnswer = {
  /** How many of them were open. */
  moved: number
}

/** The calls in groups, as they are named. */
export type Calls = {
  member: {
    /**
     * Create a member. Creates a member and its conversation with the group above it. Usernames are short and
     * unique in the whole installation: leave it out if yours do not fit, and name the account by `third_party_id`.
     * The key needs the right `accounts:write`.
     * Refused with `account.not_found`, `account.username_taken`, `account.third_party_id_taken`, `server.busy`.
     */
    add: (input: MemberAddRequest, options?: WriteOptions) => Promise<MemberAddAnswer>
    /**
     * Change a member. Changes what `set` names of a member, and nothing else. A frozen member is signed out, and
     * nothing can be moved. Name a member who signed up by a share link by its username, and give it your own id.
     * The key needs the right `accounts:write`.
     * Refused with `account.not_found`, `account.third_party_id_taken`.
     */
    set: (input: MemberSetRequest, options?: WriteOptions) => Promise<MemberSetAnswer>
  }
  agent: {
    /**
     * Create an agent. Creates an agent, who has its own members, customer service and points. If your platform
     * wants a second admin for raised credit limits, the agent has no credit until another admin has approved it;
     * `approval` is 1 then. The key needs the right `accounts:write`.
     * Refused with `account.not_found`, `account.username_taken`, `account.third_party_id_taken`, `server.busy`.
     */
    add: (input: AgentAddRequest, options?: WriteOptions) => Promise<AgentAddAnswer>
    /**
     * Change an agent. Changes what `set` names of an agent, and nothing else. What you take from an agent,
     * everybody below it loses. If your platform wants a second admin for raised credit, for rights or for raised
     * limits, these wait for one; `approval` is 1 then, and all else is changed. A limit of credit takes the place
     * of an unlimited balance. The key needs the right `accounts:write`.
     * Refused with `account.not_found`, `change.waits_already`, `account.upline_has_not`, `account.below_credit`,
     * `account.game_wallet_in_use`.
     */
    set: (input: AgentSetRequest, options?: WriteOptions) => Promise<AgentSetAnswer>
  }
  signIn: {
    /**
     * Create a sign-in link, or a token for the widget. Returns a token for one sign-in and the address to send the
     * browser to. The first browser that opens it is signed in, so redirect to it at once and keep it out of logs:
     * a proxy logs paths, and with `agent` the token is in the query. With `widget` there is no address: the page
     * around the widget hands the token over. The key needs the right `signin`.
     * Refused with `account.not_found`.
     */
    token: (input: SignInTokenRequest, options?: CallOptions) => Promise<SignInTokenAnswer>
  }
  eventMode: {
    /**
     * Turn activity mode on or off. While it is on, red envelopes can be neither sent nor received. For an agent it
     * applies to its whole group. The key needs the right `accounts:write`.
     * Refused with `account.not_found`.
     */
    set: (input: EventModeSetRequest, options?: WriteOptions) => Promise<EventModeSetAnswer>
  }
  account: {
    /**
     * Look up an account. Returns a member, an agent, or a person of customer service, also your top account. The
     * key needs the right `accounts:read`.
     * Refused with `account.not_found`.
     */
    view: (input: AccountViewRequest, options?: CallOptions) => Promise<AccountViewAnswer>
    /**
     * List accounts. Returns the accounts below your top account, or below one of them, in the order in which they
     * were made. `parent` makes the tree of them: an account is made after the one above it, unless that was moved.
     * The key needs the right `accounts:read`.
     * Refused with `account.not_found`.
     */
    list: (input?: AccountListRequest, options?: CallOptions) => List<AccountListAnswer>
    /**
     * Move an account. Moves a member or an agent, with everybody below it, below another account. Nothing is moved
     * when it is refused. If it leaves a limit or gets a right back by it, and your platform wants a second admin
     * for that, it waits; `approval` is 1 then. The key needs the right `accounts:write`.
     * Refused with `account.not_found`, `change.waits_already`, `account.wrong_place`, `tree.under_itself`,
     * `tree.stays_with_group`, `tree.same_place`, `tree.upline_frozen`, `tree.too_large`, `tree.in_flight`.
     */
    move: (input: AccountMoveRequest, options?: WriteOptions) => Promise<AccountMoveAnswer>
  }
  session: {
    /**
     * Sign an account out. Ends all sessions of a member, an agent, or a person of customer service. It may sign in
     * again. The key needs the right `accounts:write`.
     * Refused with `account.not_found`.
     */
    end: (input: SessionEndRequest, options?: WriteOptions) => Promise<SessionEndAnswer>
  }
  balance: {
    /**
     * List balances. Returns the balances of up to 500 accounts. Unknown names are left out. The key needs the
     * right `accounts:read`.
     */
    list: (input?: BalanceListRequest, options?: CallOptions) => Promise<BalanceListAnswer>
  }
  bet: {
    /**
     * Report a bet. Takes the points of a bet from the game wallet, or from the main wallet of a member without
     * one. The same bet again gets the same answer; other details for the same `bet_id` are refused with 1409. The
     * key needs the right `bets`.
     * Refused with `account.not_found`, `bet.id_reused`, `bet.voided`, `transfer.amount_invalid`,
     * `transfer.frozen`, `transfer.member_not_enough`, `server.busy`.
     */
    report: (input: BetReportRequest, options?: CallOptions) => Promise<BetReportAnswer>
    /**
     * Report a list of bets. Reports up to 200 bets like `bet/report`, in one call. Each row has its own result:
     * none stops the others, and a row that is not as the document says is refused alone. Sending the list again is
     * safe, also in parts. With another HTTP status than 200 send it all again. The key needs the right `bets`.
     */
    reportMany: (input: BetReportManyRequest, options?: CallOptions) => Promise<BetReportManyAnswer>
    /**
     * Void a bet. Gives the points of a bet without a win back, and what it filled of the turnover is due again.
     * Repeatable by its `bet_id`. After it, the bet and its win are refused. If no answer to `bet/report` has
     * arrived, repeat that first: a bet that we do not know cannot be voided, and would be taken later. The key
     * needs the right `bets`.
     * Refused with `bet.not_found`, `bet.has_win`, `transfer.amount_invalid`, `server.busy`.
     */
    void: (input: BetVoidRequest, options?: CallOptions) => Promise<BetVoidAnswer>
  }
  win: {
    /**
     * Report a win. Adds the win of a bet. Each `bet_id` has one win, repeatable like the bet itself. The key needs
     * the right `bets`.
     * Refused with `account.not_found`, `bet.not_found`, `bet.id_reused`, `bet.voided`, `transfer.amount_invalid`,
     * `server.busy`.
     */
    report: (input: WinReportRequest, options?: CallOptions) => Promise<WinReportAnswer>
    /**
     * Report a list of wins. Reports up to 200 wins like `win/report`, in one call. Each row has its own result:
     * none stops the others, and a row that is not as the document says is refused alone. Sending the list again is
     * safe, also in parts. With another HTTP status than 200 send it all again. The key needs the right `bets`.
     */
    reportMany: (input: WinReportManyRequest, options?: CallOptions) => Promise<WinReportManyAnswer>
  }
  points: {
    /**
     * Give points. Moves points from your top account to a member's main wallet at once. The member has to bet the
     * amount before a payout. The conversation does not show it; `points/offer` does. The key needs the right
     * `points:give`.
     * Refused with `account.not_found`, `transfer.amount_invalid`, `transfer.frozen`, `transfer.not_enough`,
     * `transfer.over_credit`, `transfer.over_day_cap`.
     */
    give: (input: PointsGiveRequest, options?: WriteOptions) => Promise<PointsGiveAnswer>
    /**
     * Take points. Moves points from a member's main wallet to your top account at once, never below zero. The key
     * needs the right `points:take`.
     * Refused with `account.not_found`, `transfer.amount_invalid`, `transfer.frozen`, `transfer.member_not_enough`.
     */
    take: (input: PointsTakeRequest, options?: WriteOptions) => Promise<PointsTakeAnswer>
    /**
     * Offer points in the conversation. Gives points as the office does in a conversation. With `withdraw_confirm`
     * it is a red envelope, which the member accepts or rejects: `status` is 4 then, and the event
     * `envelope.settled` says what became of it. The key needs the right `points:give`.
     * Refused with `account.not_found`, `transfer.amount_invalid`, `transfer.frozen`, `transfer.not_enough`,
     * `transfer.over_credit`, `transfer.over_day_cap`, `transfer.event_mode`, `transfer.remark_needed`,
     * `transfer.over_envelope_cap`, `room.not_found`.
     */
    offer: (input: PointsOfferRequest, options?: WriteOptions) => Promise<PointsOfferAnswer>
    /**
     * Correct a transfer. Takes a transfer back, once: one that was paid from or to the wallet of your top account,
     * by a key or in the office. If your platform wants a second admin for corrections, it waits for one;
     * `approval` is 1 then. The key needs the right `points:correct`.
     * Refused with `transfer.amount_invalid`, `transfer.not_found`, `transfer.already_corrected`,
     * `transfer.not_correctable`, `transfer.member_not_enough`, `transfer.not_enough`, `transfer.over_credit`,
     * `transfer.frozen`, `change.waits_already`.
     */
    correct: (input: PointsCorrectRequest, options?: WriteOptions) => Promise<PointsCorrectAnswer>
    /**
     * Look up a transfer. Returns one transfer, also while it waits for approval. The key needs the right
     * `statements`.
     * Refused with `transfer.not_found`.
     */
    view: (input: PointsViewRequest, options?: CallOptions) => Promise<PointsViewAnswer>
  }
  cash: {
    /**
     * Ask for points. Asks for points in a member's name. The office or a key with `cash:fulfil` pays it. Points
     * out are held until the request ends. A member has one open request at a time, and its first bank account is
     * used. The key needs the right `cash:ask`.
     * Refused with `account.not_found`, `room.not_found`, `cash.off`, `cash.one_at_a_time`, `cash.account_missing`,
     * `transfer.amount_invalid`, `transfer.frozen`, `transfer.event_mode`, `transfer.flow_limit_open`,
     * `transfer.not_enough`, `transfer.over_envelope_cap`.
     */
    ask: (input: CashAskRequest, options?: WriteOptions) => Promise<CashAskAnswer>
    /**
     * Cancel a request. Cancels a request that nobody has taken yet. Held points become available again. The key
     * needs the right `cash:ask`.
     * Refused with `cash.not_found`, `cash.taken`, `cash.ended`.
     */
    withdraw: (input: CashWithdrawRequest, options?: WriteOptions) => Promise<CashWithdrawAnswer>
    /**
     * List requests. Returns requests for points, newest first. To follow them without webhooks, or after they were
     * away, send the `cursor` of the last answer as `changed_since`: it returns what has changed since, and some of
     * it again. The key needs the right `cash:read`.
     * Refused with `account.not_found`.
     */
    list: (input?: CashListRequest, options?: CallOptions) => List<CashListAnswer>
    /**
     * Look at a request. Returns one request with what you need to decide about it. The whole number of the bank
     * account is only there while the request is open and for a key with the right `cash:fulfil`, and the log names
     * who has read it. The key needs the right `cash:read`.
     * Refused with `cash.not_found`.
     */
    view: (input: CashViewRequest, options?: CallOptions) => Promise<CashViewAnswer>
    /**
     * Take a request. Nobody else can pay a request while you have it. Take it before you pay at the bank, and end
     * it with `cash/pay`, `cash/refuse` or `cash/giveBack` in time. If the time for points out ends without one of
     * them, you may have paid: then only a person in the office can go on with it, after looking at the bank. Your
     * own again: for so many minutes from now. The key needs the right `cash:fulfil`.
     * Refused with `cash.not_found`, `cash.taken`, `cash.ended`, `cash.in_approval`, `cash.maybe_paid`.
     */
    take: (input: CashTakeRequest, options?: WriteOptions) => Promise<CashTakeAnswer>
    /**
     * Keep a request. Keeps a request that you have for so many minutes from now. The key needs the right
     * `cash:fulfil`.
     * Refused with `cash.not_found`, `cash.lease_over`.
     */
    renew: (input: CashRenewRequest, options?: WriteOptions) => Promise<CashRenewAnswer>
    /**
     * Give a request back. Says that you have paid nothing and do not go on with it. Anybody may take it again. The
     * key needs the right `cash:fulfil`.
     * Refused with `cash.not_found`, `cash.taken`, `cash.not_taken`, `cash.lease_over`, `cash.ended`,
     * `cash.in_approval`.
     */
    giveBack: (input: CashGiveBackRequest, options?: WriteOptions) => Promise<CashGiveBackAnswer>
    /**
     * Pay a request. Ends a request that you have with its transfer, between the member and the head of its group.
     * Points out: call it after you have paid at the bank. Above a limit of the key it waits for approval;
     * `approval` is 1 then, the request stays yours, and `request.paid` or `request.released` says how it ended.
     * The key needs the right `cash:fulfil`.
     * Refused with `cash.not_found`, `cash.taken`, `cash.not_taken`, `cash.lease_over`, `cash.ended`,
     * `cash.in_approval`, `cash.account_gone`, `account.not_found`, `transfer.amount_invalid`,
     * `transfer.not_enough`, `transfer.member_not_enough`, `transfer.over_credit`, `transfer.frozen`,
     * `transfer.event_mode`, `transfer.flow_limit_open`, `transfer.over_envelope_cap`, `transfer.over_day_cap`.
     */
    pay: (input: CashPayRequest, options?: WriteOptions) => Promise<CashPayAnswer>
    /**
     * Refuse a request. Ends a request that you have. Points that were held become available again. The key needs
     * the right `cash:fulfil`.
     * Refused with `cash.not_found`, `cash.taken`, `cash.not_taken`, `cash.lease_over`, `cash.ended`,
     * `cash.in_approval`.
     */
    refuse: (input: CashRefuseRequest, options?: WriteOptions) => Promise<CashRefuseAnswer>
  }
  bank: {
    /**
     * List bank accounts. Returns the bank accounts of a member. On a platform whose members have none, no member
     * is found. The key needs the right `cash:read`.
     * Refused with `account.not_found`.
     */
    list: (input: BankListRequest, options?: CallOptions) => Promise<BankListAnswer>
    /**
     * Set bank accounts. Changes the bank accounts with an `id` and adds the others; those that you leave out stay.
     * For a day after a change of bank or number `cash/view` warns of it, as in the office. The key needs the right
     * `bank:write`.
     * Refused with `account.not_found`, `bank.not_found`, `bank.unknown`, `bank.incomplete`, `bank.number_invalid`,
     * `bank.too_many`.
     */
    set: (input: BankSetRequest, options?: WriteOptions) => Promise<BankSetAnswer>
  }
  message: {
    /**
     * Send a message. Writes into the conversation of a member. A notice, such as "your payment has arrived",
     * answers nobody: a member who waits still waits, it is not the last message, and nobody gets a notification.
     * An answer is like one of a colleague, without making the key its owner: it is refused while a colleague has
     * the conversation or the bot answers. The member reads it under the name of the group, the office under that
     * of the key. The key needs the right `talk:write`.
     * Refused with `account.not_found`, `room.not_found`, `room.in_ai_hands`, `room.held`, `message.blank`,
     * `message.not_an_image`, `message.image_too_large`, `message.too_many_files`, `message.quote_not_found`,
     * `message.quote_taken_back`, `server.busy`.
     */
    send: (input: MessageSendRequest, options?: WriteOptions) => Promise<MessageSendAnswer>
    /**
     * List messages. Returns the messages of a conversation after one, oldest first. Internal notes are not among
     * them. For the newest ones send `last_seq` of `room/view` less as many as you want. A message that is taken
     * back later keeps its place: read it again. The key needs the right `talk:read`.
     * Refused with `account.not_found`, `room.not_found`.
     */
    list: (input: MessageListRequest, options?: CallOptions) => List<MessageListAnswer>
    /**
     * Mark messages as read. Shows the member that the office has read up to a message. It answers nobody: what
     * waits for an answer still waits. What is read stays read. The key needs the right `talk:write`.
     * Refused with `account.not_found`, `room.not_found`, `message.not_found`.
     */
    read: (input: MessageReadRequest, options?: WriteOptions) => Promise<MessageReadAnswer>
  }
  room: {
    /**
     * List conversations. Returns the conversations of members: those that wait, longest first, or all in the order
     * in which they were made. The key needs the right `talk:read`.
     */
    list: (input?: RoomListRequest, options?: CallOptions) => List<RoomListAnswer>
    /**
     * Look up a conversation. Returns the conversation of a member as the office sees it. The key needs the right
     * `talk:read`.
     * Refused with `account.not_found`, `room.not_found`.
     */
    view: (input: RoomViewRequest, options?: CallOptions) => Promise<RoomViewAnswer>
  }
  transfer: {
    /**
     * List transfers. Returns the transfers between two times, newest first. All times are those of the `time_zone`
     * of `platform/view`. The key needs the right `statements`.
     * Refused with `report.range_invalid`, `account.not_found`.
     */
    list: (input: TransferListRequest, options?: CallOptions) => List<TransferListAnswer>
  }
  statement: {
    /**
     * Read the sums of a statement. Returns opening, in, out and closing of an account or of all below it: `opening
     * + in - out = closing`, and with `by` also `+ others`. Days begin at midnight in the `time_zone` of
     * `platform/view`. For a closed period send its days. The key needs the right `statements`.
     * Refused with `account.not_found`, `report.range_invalid`, `statement.in_future`, `statement.unknown_person`.
     */
    view: (input: StatementViewRequest, options?: CallOptions) => Promise<StatementViewAnswer>
    /**
     * List the movements of a statement. Returns the movements of a statement, oldest first. Send the same fields
     * with each page. Days begin at midnight in the `time_zone` of `platform/view`. The key needs the right
     * `statements`.
     * Refused with `account.not_found`, `report.range_invalid`, `statement.in_future`, `statement.unknown_person`.
     */
    lines: (input: StatementLinesRequest, options?: CallOptions) => List<StatementLinesAnswer>
  }
  sr02: {
    /**
     * Read the SR02 report. Returns the points between the office and members, or bets and wins, by day and by
     * account. `total` and `days` are of all pages. Days begin at midnight in the `time_zone` of `platform/view`.
     * The key needs the right `statements`.
     * Refused with `account.not_found`, `report.range_invalid`.
     */
    view: (input: Sr02ViewRequest, options?: CallOptions) => List<Sr02ViewAnswer>
  }
  period: {
    /**
     * List closed periods. Returns the periods that your top account has closed, newest first. Days begin at
     * midnight in the `time_zone` of `platform/view`. The key needs the right `statements`.
     */
    list: (input?: PeriodListRequest, options?: CallOptions) => List<PeriodListAnswer>
  }
  settlement: {
    /**
     * List settlements. Returns what the agents directly below your top account owe it for its closed periods,
     * newest first. The key needs the right `statements`.
     */
    list: (input?: SettlementListRequest, options?: CallOptions) => List<SettlementListAnswer>
    /**
     * Settle. Says that what an agent owes for a closed period is paid. It moves no points, and cannot be undone.
     * The key needs the right `settlements`.
     * Refused with `settlement.not_found`, `settlement.already_settled`.
     */
    settle: (input: SettlementSettleRequest, options?: WriteOptions) => Promise<SettlementSettleAnswer>
  }
  event: {
    /**
     * List events. Returns the events of the last 30 days in the order of their numbers, with the same bodies as
     * your webhooks. Use it to fill a gap, or in place of webhooks. The key needs the right `webhooks`.
     * Refused with `account.not_found`.
     */
    list: (input?: EventListRequest, options?: CallOptions) => List<EventListAnswer>
  }
  endpoint: {
    /** List endpoints. Returns the addresses that your events are sent to. The key needs the right `webhooks`. */
    list: (input?: EndpointListRequest, options?: CallOptions) => Promise<EndpointListAnswer>
    /**
     * Add an endpoint. Adds an address with a secret of its own, at most 10. If your platform wants a second admin
     * for addresses, nothing is sent until another admin has approved it; `approval` is 1 then. The key needs the
     * right `endpoints`.
     * Refused with `endpoint.too_many`, `setting.url_invalid`.
     */
    add: (input: EndpointAddRequest, options?: WriteOptions) => Promise<EndpointAddAnswer>
    /**
     * Change an endpoint. Changes what you send of an endpoint. Another `url` may wait for approval as in
     * `endpoint/add`. The key needs the right `endpoints`.
     * Refused with `endpoint.not_found`, `setting.url_invalid`, `change.waits_already`.
     */
    set: (input: EndpointSetRequest, options?: WriteOptions) => Promise<EndpointSetAnswer>
    /**
     * Remove an endpoint. Removes an endpoint. What waits for it is not sent. The key needs the right `endpoints`.
     * Refused with `endpoint.not_found`.
     */
    remove: (input: EndpointRemoveRequest, options?: WriteOptions) => Promise<EndpointRemoveAnswer>
    /**
     * Replace the secret of an endpoint. Returns a new secret. For 24 hours every event also has a signature with
     * the secret before, and with the one before that if it was replaced within these hours. The key needs the
     * right `endpoints`.
     * Refused with `endpoint.not_found`, `endpoint.key_form`.
     */
    rotate: (input: EndpointRotateRequest, options?: WriteOptions) => Promise<EndpointRotateAnswer>
    /**
     * Try an endpoint. Sends the event `ping` to an endpoint, also while it is paused, and returns its answer, at
     * most 20 seconds later. The key needs the right `webhooks`.
     * Refused with `endpoint.not_found`.
     */
    ping: (input: EndpointPingRequest, options?: WriteOptions) => Promise<EndpointPingAnswer>
    /**
     * Send events again. Sends one event or those of a span of time to an endpoint again, with the same ids and
     * numbers. The key needs the right `webhooks`.
     * Refused with `endpoint.not_found`, `webhook.not_found`.
     */
    resend: (input: EndpointResendRequest, options?: WriteOptions) => Promise<EndpointResendAnswer>
    /**
     * Read what an endpoint has missed. Returns how many events of a span of time an endpoint has taken, and which
     * numbers are missing. The key needs the right `webhooks`.
     * Refused with `endpoint.not_found`.
     */
    gaps: (input: EndpointGapsRequest, options?: CallOptions) => Promise<EndpointGapsAnswer>
  }
  webhook: {
    /**
     * Send a test webhook. Sends the event `ping` to all your endpoints, once and within a second. `endpoint/ping`
     * tries one and returns its answer. The key needs the right `settings`.
     */
    ping: (input?: WebhookPingRequest, options?: WriteOptions) => Promise<WebhookPingAnswer>
  }
  platform: {
    /**
     * Read the settings. Returns what your calls depend on. A good first call: it needs no account. The key needs
     * the right `settings`.
     */
    view: (input?: PlatformViewRequest, options?: CallOptions) => Promise<PlatformViewAnswer>
  }
  sandbox: {
    /**
     * Make a member act. A member of the sandbox writes, sends a photo, or answers what you have offered, as if it
     * had pressed the button. For its requests for points use `cash/ask`. The key needs the right `sandbox`.
     * Refused with `api.only_in_sandbox`, `account.not_found`, `room.not_found`, `message.blank`,
     * `message.too_many_files`, `envelope.not_found`, `envelope.already_settled`, `envelope.expired`,
     * `envelope.member_not_enough`, `transfer.event_mode`, `transfer.frozen`, `transfer.flow_limit_open`,
     * `server.busy`.
     */
    act: (input: SandboxActRequest, options?: WriteOptions) => Promise<SandboxActAnswer>
    /**
     * Let time pass. Red envelopes, requests for points, the time that a key has for one, and approvals end so many
     * hours earlier. What is over then ends at once, with its events. Nothing else changes: no time that is shown,
     * and no day of the books. The key needs the right `sandbox`.
     * Refused with `api.only_in_sandbox`.
     */
    passTime: (input: SandboxPassTimeRequest, options?: WriteOptions) => Promise<SandboxPassTimeAnswer>
  }
}

/** The names of refusals. */
export type Refusal =
  | 'account.below_credit'
  | 'account.game_wallet_in_use'
  | 'account.not_found'
  | 'account.third_party_id_taken'
  | 'account.upline_has_not'
  | 'account.username_taken'
  | 'account.wrong_place'
  | 'api.key_expired'
  | 'api.not_allowed'
  | 'api.not_json'
  | 'api.not_signed'
  | 'api.only_in_sandbox'
  | 'api.over_rate'
  | 'api.replayed'
  | 'api.too_old'
  | 'api.wrong_address'
  | 'bank.incomplete'
  | 'bank.not_found'
  | 'bank.number_invalid'
  | 'bank.too_many'
  | 'bank.unknown'
  | 'bet.has_win'
  | 'bet.id_reused'
  | 'bet.not_found'
  | 'bet.voided'
  | 'cash.account_gone'
  | 'cash.account_missing'
  | 'cash.ended'
  | 'cash.in_approval'
  | 'cash.lease_over'
  | 'cash.maybe_paid'
  | 'cash.not_found'
  | 'cash.not_taken'
  | 'cash.off'
  | 'cash.one_at_a_time'
  | 'cash.taken'
  | 'change.waits_already'
  | 'endpoint.key_form'
  | 'endpoint.not_found'
  | 'endpoint.too_many'
  | 'envelope.already_settled'
  | 'envelope.expired'
  | 'envelope.member_not_enough'
  | 'envelope.not_found'
  | 'message.blank'
  | 'message.image_too_large'
  | 'message.not_an_image'
  | 'message.not_found'
  | 'message.quote_not_found'
  | 'message.quote_taken_back'
  | 'message.too_many_files'
  | 'report.range_invalid'
  | 'request.bad_envelope'
  | 'request.id_reused'
  | 'request.invalid'
  | 'request.too_large'
  | 'request.too_often'
  | 'request.too_old'
  | 'request.too_slow'
  | 'room.held'
  | 'room.in_ai_hands'
  | 'room.not_found'
  | 'server.busy'
  | 'server.failed'
  | 'server.full'
  | 'server.starting'
  | 'server.unsure'
  | 'setting.url_invalid'
  | 'settlement.already_settled'
  | 'settlement.not_found'
  | 'statement.in_future'
  | 'statement.unknown_person'
  | 'transfer.already_corrected'
  | 'transfer.amount_invalid'
  | 'transfer.event_mode'
  | 'transfer.flow_limit_open'
  | 'transfer.frozen'
  | 'transfer.member_not_enough'
  | 'transfer.not_correctable'
  | 'transfer.not_enough'
  | 'transfer.not_found'
  | 'transfer.over_credit'
  | 'transfer.over_day_cap'
  | 'transfer.over_envelope_cap'
  | 'transfer.remark_needed'
  | 'tree.in_flight'
  | 'tree.same_place'
  | 'tree.stays_with_group'
  | 'tree.too_large'
  | 'tree.under_itself'
  | 'tree.upline_frozen'
  | 'webhook.not_found'

/** What refusals say beside their names. */
export type Facts = {
  'request.invalid': {
    /** The first of them, such as `usernames.0`. */
    field: string
    /** All fields that are not as the document says. */
    errors: {
      /** Where it is in the body: a JSON pointer such as `/usernames/0`. */
      pointer: string
      /** What is wrong with it, in English. */
      reason: string
    }[]
  }
  'account.username_taken': {
    /** The name that is taken. */
    username: string
  }
  'api.wrong_address': {
    /** The address that the call came from. */
    address: string
  }
  'api.not_allowed': {
    /** The right that the key lacks. */
    right: string
  }
  'request.too_often': {
    /** Seconds to wait. */
    seconds: number
  }
  'api.over_rate': {
    /** Seconds to wait. */
    seconds: number
    /** Calls that the key may make in a second. */
    per_second: number
  }
  'server.failed': {
    /** The id of the call in our log. */
    id: string
  }
  'account.below_credit': {
    /** The balance: the limit has to be at least so far below zero. */
    balance: string
  }
  'tree.too_large': {
    /** The most there may be. */
    most: number
  }
  'tree.in_flight': {
    /** Red envelopes that wait for a member. */
    envelopes: number
    /** Open requests for points. */
    requests: number
    /** Transfers that wait for approval. */
    approvals: number
  }
  'bank.too_many': {
    /** The most there may be. */
    most: number
  }
  'room.held': {
    /** The colleague who has the conversation. */
    name: string
  }
}

/** The data of events. */
export type Events = {
  /** Points have moved. */
  'transfer.settled': MovedPoints
  /**
   * An envelope was accepted (status 1) or rejected (2), has expired (3) or failed because the points were not
   * there (0).
   */
  'envelope.settled': MovedPoints
  /** A member asks for points. This is no order to pay: take the request first. */
  'request.asked': ChangedRequest
  /** `operator`, a colleague in the office or a key, has taken the request and may be paying it: do not pay it too. */
  'request.taken': ChangedRequest
  /**
   * `operator` gave the request back or has left it: it may be taken again, by a person only if `maybe_paid` is
   * true.
   */
  'request.released': ChangedRequest
  /** The request was paid by `operator`; `transaction_id` is its transfer. */
  'request.paid': ChangedRequest
  /** The request was refused by `operator`, with `reason_code`, `reason` or both. */
  'request.refused': ChangedRequest
  /** The member or your platform cancelled the request. */
  'request.withdrawn': ChangedRequest
  /** Nobody took the request in time. */
  'request.expired': ChangedRequest
  /** A member was added. */
  'member.added': NewMember
  /** The nickname, status, own id or abilities of a member have changed. */
  'member.changed': ChangedMember
  /** A member has another account above it. */
  'member.moved': MovedMember
  /** An agent was added. */
  'agent.added': NewMember
  /**
   * A message was written in the conversation of a member. An endpoint with `with_text` also gets its `text`; null
   * if it has none.
   */
  'message.added': NewMessage
  /** A member begins to wait for an answer. */
  'room.waiting': WaitingRoom
  /** A bet was voided: its points were given back. */
  'bet.voided': VoidedBet
  /** A transfer waits for approval. */
  'approval.asked': ApprovalOfPoints
  /** A transfer that waited was decided, withdrawn or has expired. */
  'approval.ended': ApprovalOfPoints
  /** A period was closed. */
  'period.closed': ClosedPeriod
  /**
   * We have turned off another endpoint of your platform, because it answered 410 or every attempt of five days
   * failed.
   */
  'endpoint.off': EndpointOff
  /** A person was erased. Of each event about it, only the numbers are left. */
  'erased': Nothing
  /** Somebody sent a test, in the office or by `webhook/ping`. Nothing has happened. */
  'ping': Nothing
}

/** Which calls are writes, and the fields by which a list goes on. */
export const calls = {
  'member/add': { isWrite: true },
  'agent/add': { isWrite: true },
  'member/set': { isWrite: true },
  'sign-in/token': {},
  'event-mode/set': { isWrite: true },
  'account/view': {},
  'account/list': { cursor: ['after', 'next'] },
  'agent/set': { isWrite: true },
  'account/move': { isWrite: true },
  'session/end': { isWrite: true },
  'balance/list': {},
  'bet/report': {},
  'win/report': {},
  'bet/reportMany': {},
  'win/reportMany': {},
  'bet/void': {},
  'points/give': { isWrite: true },
  'points/take': { isWrite: true },
  'points/offer': { isWrite: true },
  'points/correct': { isWrite: true },
  'points/view': {},
  'cash/ask': { isWrite: true },
  'cash/withdraw': { isWrite: true },
  'cash/list': { cursor: ['after', 'next'] },
  'cash/view': {},
  'cash/take': { isWrite: true },
  'cash/renew': { isWrite: true },
  'cash/giveBack': { isWrite: true },
  'cash/pay': { isWrite: true },
  'cash/refuse': { isWrite: true },
  'bank/list': {},
  'bank/set': { isWrite: true },
  'message/send': { isWrite: true },
  'message/list': { cursor: ['after_seq', 'next'] },
  'message/read': { isWrite: true },
  'room/list': { cursor: ['after', 'next'] },
  'room/view': {},
  'transfer/list': { cursor: ['after', 'next'] },
  'statement/view': {},
  'statement/lines': { cursor: ['after', 'next'] },
  'sr02/view': { cursor: ['after', 'next'] },
  'period/list': { cursor: ['after', 'next'] },
  'settlement/list': { cursor: ['after', 'next'] },
  'settlement/settle': { isWrite: true },
  'event/list': { cursor: ['after_seq', 'next_seq', 'more'] },
  'endpoint/list': {},
  'endpoint/add': { isWrite: true },
  'endpoint/set': { isWrite: true },
  'endpoint/remove': { isWrite: true },
  'endpoint/rotate': { isWrite: true },
  'endpoint/ping': { isWrite: true },
  'endpoint/resend': { isWrite: true },
  'endpoint/gaps': {},
  'webhook/ping': { isWrite: true },
  'platform/view': {},
  'sandbox/act': { isWrite: true },
  'sandbox/passTime': { isWrite: true },
} as const
