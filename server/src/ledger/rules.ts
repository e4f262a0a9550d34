import type { ErrorName } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'

/**
 * What may move, and what may not. Pure: everything it knows was read under the lock of the wallets by its caller.
 * Refusals stand in order of precedence; past the last of them a transfer must succeed. Points are 1/10000.
 */

export const MAIN = 1
export const GAME = 2
export const ESCROW = 3
export type Kind = typeof MAIN | typeof GAME | typeof ESCROW

/** What is asked for. 7 main to own game, 8 bet, 9 win and 10 correction are kept for later. */
export const op = { send: 1, receive: 2, gift: 3, makeUp: 4, gameSend: 5, gameDeduct: 6 } as const
export type Op = (typeof op)[keyof typeof op]
/** Takes from the target; all others give to it. */
export const isTaking = (kind: Op) => kind === op.receive || kind === op.gameDeduct

export const status = { failed: 0, success: 1, rejected: 2, expired: 3, pending: 4 } as const
export type Status = (typeof status)[keyof typeof status]

/** A wallet as it stands. No floor: unlimited. A balance of exactly -1 means nothing special. */
export type Wallet = { readonly balance: Points; readonly floor: Points | null }
export type Wallets<W> = { funder: { main: W; escrow: W }; target: { main: W; game: W | undefined } }
/** One side of a transfer; its postings always sum to zero. */
export type Posting<W> = { wallet: W; amount: Points }

/** An account as the rules see it. */
export type Party = {
  id: number
  role: 1 | 2 | 3 | 4
  path: string
  groupPath: string
  isFrozen: boolean
  isSub: 0 | 1
  /** Its own or its group's: neither sends nor receives envelopes. */
  inEventMode: boolean
  /** withdraw_confirm: envelopes wait for the member's consent. */
  asksConsent: boolean
  /** Uses its game wallet. */
  hasGame: boolean
  /** transaction_all: in a room one may choose the member's wallet. */
  choosesWallet: boolean
  mayDeductGame: boolean
  /** May say himself how much turnover a transfer asks for. */
  setsTurnover: boolean
  /** Turnover that a transfer asks for, in multiples of its amount. */
  turnoverMultiple: number
}

export type Ask = {
  op: Op
  wallet: typeof MAIN | typeof GAME
  amount: Points
  /** Offered in a room (transaction/add), not from a list. */
  inRoom: boolean
  auditAmount: Points | undefined
}

type Standing<W> = {
  actor: Party
  funder: Party
  /** Undefined when there is no such account. */
  target: Party | undefined
  targetId: number
  /** The code that came with it is not that of a room of the target. */
  isWrongRoom: boolean
  /** The target has not answered an earlier request for points. */
  isAsked: boolean
  /** The role's right to move points of such accounts from a list. */
  mayMove: boolean
  wallets: Wallets<W> | undefined
}

export type Opened<W> = {
  status: typeof status.success | typeof status.pending
  auditAmount: Points
  postings: Posting<W>[]
}

/** No balance and no sum of a wallet's life comes near the end of a bigint. */
const MOST = 9_000_000_000_000_000_000n

/** The twin of `visible(actor)` (actor.ts) for an account that is already here; a test holds the two together. */
export const sees = (
  actor: Pick<Party, 'id' | 'role' | 'path' | 'groupPath'>,
  other: Pick<Party, 'id' | 'role' | 'path'>,
) => {
  if (actor.role <= 2) return other.path.startsWith(actor.path)
  if (actor.role === 3) return other.id === actor.id || (other.role === 4 && other.path.startsWith(actor.groupPath))
  return other.id === actor.id
}

/** Decides a new transfer. */
export const open = <W extends Wallet>(ask: Ask, at: Standing<W>): Opened<W> | ErrorName => {
  const { actor, funder, target, wallets } = at
  const { amount } = ask
  if (amount <= 0n || amount > MOST) return 'transfer.amount_invalid'
  if (isAbove(actor, funder, at.targetId)) return 'transfer.to_yourself'
  if (!target || !wallets || !sees(actor, target)) return 'account.not_found'
  if (ask.inRoom && target.role !== 4) return 'account.not_found'
  if (at.isWrongRoom) return 'room.not_found'
  if (!ask.inRoom && !at.mayMove) return 'access.denied'
  if (!mayUseWallet(ask, actor, target)) return 'access.denied'
  if (actor.isFrozen || funder.isFrozen || target.isFrozen) return 'transfer.frozen'
  if (isEnvelope(ask) && target.inEventMode) return 'transfer.event_mode'

  const auditAmount = turnover(ask, actor, target)
  if (auditAmount < 0n || auditAmount > MOST) return 'transfer.amount_invalid'
  const purse = ask.wallet === GAME ? wallets.target.game : wallets.target.main
  if (!purse) return 'access.denied'
  const { main, escrow } = wallets.funder
  const needsConsent = isEnvelope(ask) && (target.asksConsent || funder.asksConsent)

  if (isTaking(ask.op)) {
    if (needsConsent) {
      if (at.isAsked) return 'transfer.one_open_at_a_time'
      return { status: status.pending, auditAmount, postings: [] }
    }
    // Never into the target's credit, whatever its floor.
    if (purse.balance < amount) return 'transfer.member_not_enough'
    if (!fits(main, amount)) return 'transfer.amount_invalid'
    return { status: status.success, auditAmount, postings: flow(purse, main, amount) }
  }
  if (!canSpare(main, amount)) return main.floor === 0n ? 'transfer.not_enough' : 'transfer.over_credit'
  const into = needsConsent ? escrow : purse
  if (!fits(into, amount)) return 'transfer.amount_invalid'
  return { status: needsConsent ? status.pending : status.success, auditAmount, postings: flow(main, into, amount) }
}

/** What settles an envelope: an answer of the member, the deadline, or that one of the two was frozen. */
export type Verdict = 'accept' | 'reject' | 'lapse'
export type Envelope = {
  type: 1 | 2
  status: Status
  wallet: typeof MAIN | typeof GAME
  amount: Points
  /** Past its deadline by the database's clock. */
  isOverdue: boolean
}
/** Settles it so; `refusal` is said although it does: the acceptance came too late or was not covered. */
export type Settled<W> = { status: Status; postings: Posting<W>[]; refusal?: ErrorName }

/** Decides what an answer does to an envelope. A refusal by name leaves it as it is. */
export const settle = <W extends Wallet>(
  verdict: Verdict,
  envelope: Envelope,
  { funder, target, wallets }: { funder: Party; target: Party; wallets: Wallets<W> },
): Settled<W> | ErrorName => {
  const { main, escrow } = wallets.funder
  const { amount } = envelope
  const back = envelope.type === 1 ? flow(escrow, main, amount) : []
  if (envelope.status === status.expired) return 'envelope.expired'
  if (envelope.status !== status.pending) return 'envelope.already_settled'
  if (verdict === 'lapse') {
    if (envelope.isOverdue) return { status: status.expired, postings: back }
    // Not due: only a freeze ends it early.
    if (!funder.isFrozen && !target.isFrozen) return 'envelope.already_settled'
    return { status: status.failed, postings: back }
  }
  if (envelope.isOverdue) return { status: status.expired, postings: back, refusal: 'envelope.expired' }
  if (verdict === 'reject') return { status: status.rejected, postings: back }
  if (funder.isFrozen || target.isFrozen) return 'transfer.frozen'
  if (target.inEventMode) return 'transfer.event_mode'

  const purse = envelope.wallet === GAME ? wallets.target.game : wallets.target.main
  if (!purse) return 'envelope.not_found'
  if (envelope.type === 2 && purse.balance < amount) {
    return { status: status.failed, postings: [], refusal: 'envelope.member_not_enough' }
  }
  const postings = envelope.type === 1 ? flow(escrow, purse, amount) : flow(purse, main, amount)
  return { status: status.success, postings }
}

const isEnvelope = (ask: Ask) => ask.inRoom && (ask.op === op.send || ask.op === op.receive)

/** Oneself, one's purse or anyone one stands below: ids of the own path, so nothing is given away by saying so. */
const isAbove = (actor: Party, funder: Party, id: number) =>
  id === funder.id || actor.path.split('/').includes(String(id))

/** Which wallet of the target may be moved, and by whom. */
const mayUseWallet = (ask: Ask, actor: Party, target: Party) => {
  if (ask.wallet === MAIN) return ask.op !== op.gameSend && ask.op !== op.gameDeduct
  if (target.role !== 4 || !target.hasGame) return false
  if (ask.op === op.gameDeduct) return actor.mayDeductGame
  if (ask.inRoom) return (ask.op === op.send || ask.op === op.gift) && target.choosesWallet
  return ask.op === op.gameSend
}

/**
 * The turnover that a credit asks for (TRF-13, ENV-03): what enters the game wallet once its amount; a send in a room the
 * actor's multiple, unless he may say another; nothing with several wallets, and nothing for what is taken.
 */
const turnover = (ask: Ask, actor: Party, target: Party): Points => {
  if (isTaking(ask.op)) return 0n
  if (ask.wallet === GAME) return ask.amount
  if (!ask.inRoom || ask.op !== op.send || target.hasGame) return 0n
  const own = actor.setsTurnover ? ask.auditAmount : undefined
  return own ?? ask.amount * BigInt(actor.turnoverMultiple)
}

/** A bottomless wallet still ends where numbers do. */
const canSpare = (wallet: Wallet, amount: Points) => wallet.balance - amount >= (wallet.floor ?? -MOST)
const fits = (wallet: Wallet, amount: Points) => wallet.balance + amount <= MOST
const flow = <W>(from: W, to: W, amount: Points): Posting<W>[] => [
  { wallet: from, amount: -amount },
  { wallet: to, amount },
]
