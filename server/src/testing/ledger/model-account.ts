import type { Someone } from './world.ts'

export type WalletName = 'main' | 'game'
/** An account of the simple ledger. */
export type AccountState = {
  who: Someone
  main: bigint
  game: bigint
  escrow: bigint
  floor: bigint | null
  openAsk: boolean
  /** Open turnover limits, oldest first, each with its turnover and what remains of it. */
  limits: { name: string; asked: bigint; left: bigint }[]
  frozen: boolean
  event: boolean
  asks: boolean
  multi: boolean
  chooses: boolean
  deduct: boolean
  modifies: boolean
  dialog: boolean
  send: boolean
  receive: boolean
  gift: boolean
  point: boolean
  multiple: bigint
  approves: boolean
}
export const newAccountState = (who: Someone, floor: bigint | null): AccountState => ({
  who,
  main: 0n,
  game: 0n,
  escrow: 0n,
  floor,
  openAsk: false,
  limits: [],
  frozen: false,
  event: false,
  asks: false,
  multi: false,
  chooses: false,
  deduct: false,
  modifies: false,
  dialog: true,
  send: true,
  receive: true,
  gift: true,
  point: true,
  multiple: 1n,
  approves: false,
})

/** Switches of an account, by their columns. */
export const accountFlags = {
  event: 'event_mode',
  asks: 'withdraw_confirm',
  multi: 'is_multiple_wallet',
  chooses: 'transaction_all',
  deduct: 'deduct_point_button_visible',
  modifies: 'flow_limit_modify_permission',
  dialog: 'red_envelope_button_visible',
  send: 'send_red_envelope_button_visible',
  receive: 'receive_red_envelope_button_visible',
  gift: 'gift_red_envelope_button_visible',
  point: 'point_button_visible',
  approves: 'may_approve',
} as const satisfies Partial<Record<keyof AccountState, string>>
