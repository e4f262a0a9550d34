import { isTaking, type OfficeKind, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { Role, isOperator, TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import type { ErrorName } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'

/**
 * What may move, and what may not. Pure: everything it knows was read under the lock of the wallets by its caller.
 * Refusals stand in order of precedence; past the last of them a transfer must succeed. Points are 1/10000.
 */

/**
 * A wallet as it stands. No floor: unlimited. A balance of exactly -1 means nothing special. `flowDue`, kept on main
 * wallets, is what its owner still has to bet before points are paid out.
 */
export type Wallet = { readonly balance: Points; readonly floor: Points | null; readonly flowDue: Points }
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
  /** The buttons of its points dialog; all four are off when the dialog is. */
  maySend: boolean
  mayReceive: boolean
  mayGift: boolean
  mayMakeUp: boolean
  /** May say himself how much turnover a transfer asks for. */
  setsTurnover: boolean
  /** Turnover that a transfer asks for, in multiples of its amount. */
  turnoverMultiple: number
}

export type OfferRequest = {
  transferKind: OfficeKind
  wallet: typeof WalletKind.main | typeof WalletKind.game
  amount: Points
  /** Offered in a room (transaction/add), not from a list. */
  inRoom: boolean
  /** The turnover that the actor says; worked out here for those who may not say it. */
  auditAmount: Points | undefined
  hasRemark: boolean
  /** Takes points although turnover is still due. */
  overridesFlow: boolean
}

/** The most for one offer in a room, and for what one purse gives members in a day. Undefined: no such cap. */
export type Caps = { envelope: Points | undefined; day: Points | undefined }

type OfferState<W> = {
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
  caps: Caps
  /** What the funder has given members today. */
  givenToday: Points
}

export type Opened<W> = {
  status: typeof TransferStatus.success | typeof TransferStatus.pending
  auditAmount: Points
  overridesFlow: boolean
  postings: Posting<W>[]
}

/** No balance and no sum of a wallet's life comes near the end of a bigint. */
export const MAX_AMOUNT = 9_000_000_000_000_000_000n

/** The twin of `visible(actor)` (actor.ts) for an account that is already here; a test holds the two together. */
export const sees = (
  actor: Pick<Party, 'id' | 'role' | 'path' | 'groupPath'>,
  other: Pick<Party, 'id' | 'role' | 'path'>,
) => {
  if (isOperator(actor.role)) return other.path.startsWith(actor.path)
  if (actor.role === Role.customerService)
    return other.id === actor.id || (other.role === Role.member && other.path.startsWith(actor.groupPath))
  return other.id === actor.id
}

/** Decides a new transfer. */
export const openOffer = <W extends Wallet>(ask: OfferRequest, at: OfferState<W>): Opened<W> | ErrorName => {
  const { actor, funder, target, wallets } = at
  const { amount } = ask
  if (amount <= 0n || amount > MAX_AMOUNT) return 'transfer.amount_invalid'
  if (isAbove(actor, funder, at.targetId)) return 'transfer.to_yourself'
  if (!target || !wallets || !sees(actor, target)) return 'account.not_found'
  if (ask.inRoom && target.role !== Role.member) return 'account.not_found'
  if (at.isWrongRoom) return 'room.not_found'
  if (!(ask.inRoom ? hasButton(ask.transferKind, actor) : at.mayMove)) return 'access.denied'
  if (!mayUseWallet(ask, actor, target)) return 'access.denied'
  if (ask.transferKind === TransferKind.makeUp && !ask.hasRemark) return 'transfer.remark_needed'
  if (actor.isFrozen || funder.isFrozen || target.isFrozen) return 'transfer.frozen'
  if (ask.inRoom && target.inEventMode) return 'transfer.event_mode'

  const auditAmount = turnover(ask, actor, target)
  if (auditAmount < 0n || wallets.target.main.flowDue + auditAmount > MAX_AMOUNT) return 'transfer.amount_invalid'
  const purse = ask.wallet === WalletKind.game ? wallets.target.game : wallets.target.main
  if (!purse) return 'access.denied'
  if (ask.inRoom && isOver(at.caps.envelope, amount)) return 'transfer.over_envelope_cap'
  const needsConsent = isEnvelope(ask) && (target.asksConsent || funder.asksConsent)
  const terms = {
    status: needsConsent ? TransferStatus.pending : TransferStatus.success,
    auditAmount,
    overridesFlow: false,
  } as const
  const { main, escrow } = wallets.funder

  if (isTaking(ask.transferKind)) {
    const overridesFlow = isEnvelope(ask) && ask.overridesFlow && actor.setsTurnover
    if (isEnvelope(ask) && wallets.target.main.flowDue > 0n && !overridesFlow) return 'transfer.flow_limit_open'
    if (needsConsent) return at.isAsked ? 'transfer.one_open_at_a_time' : { ...terms, overridesFlow, postings: [] }
    // Never into the target's credit, whatever its floor.
    if (purse.balance < amount) return 'transfer.member_not_enough'
    if (!fits(main, amount)) return 'transfer.amount_invalid'
    return { ...terms, overridesFlow, postings: postingsBetween(purse, main, amount) }
  }
  // What is held for open offers counts as given, or they would all be taken on one day.
  if (target.role === Role.member && isOver(at.caps.day, at.givenToday + escrow.balance + amount))
    return 'transfer.over_day_cap'
  if (!canSpare(main, amount)) return main.floor === 0n ? 'transfer.not_enough' : 'transfer.over_credit'
  const into = needsConsent ? escrow : purse
  if (!fits(into, amount)) return 'transfer.amount_invalid'
  return { ...terms, postings: postingsBetween(main, into, amount) }
}

/** What settles an envelope: an answer of the member, the deadline, or that one of the two was frozen. */
export type Verdict = 'accept' | 'reject' | 'lapse'
export type Envelope = {
  type: 1 | 2
  status: TransferStatus
  wallet: typeof WalletKind.main | typeof WalletKind.game
  amount: Points
  /** Past its deadline by the database's clock. */
  isOverdue: boolean
  overridesFlow: boolean
}
/** Settles it so; `refusal` is said although it does: the acceptance came too late or was not covered. */
export type Settled<W> = { status: TransferStatus; postings: Posting<W>[]; refusal?: ErrorName }

/** Decides what an answer does to an envelope. A refusal by name leaves it as it is. */
export const settleOffer = <W extends Wallet>(
  verdict: Verdict,
  envelope: Envelope,
  { funder, target, wallets }: { funder: Party; target: Party; wallets: Wallets<W> },
): Settled<W> | ErrorName => {
  const { main, escrow } = wallets.funder
  const { amount } = envelope
  const back = envelope.type === 1 ? postingsBetween(escrow, main, amount) : []
  if (envelope.status === TransferStatus.expired) return 'envelope.expired'
  if (envelope.status !== TransferStatus.pending) return 'envelope.already_settled'
  if (verdict === 'lapse') {
    if (envelope.isOverdue) return { status: TransferStatus.expired, postings: back }
    // Not due: only a freeze ends it early.
    if (!funder.isFrozen && !target.isFrozen) return 'envelope.already_settled'
    return { status: TransferStatus.failed, postings: back }
  }
  if (envelope.isOverdue) return { status: TransferStatus.expired, postings: back, refusal: 'envelope.expired' }
  if (verdict === 'reject') return { status: TransferStatus.rejected, postings: back }
  if (funder.isFrozen || target.isFrozen) return 'transfer.frozen'
  if (target.inEventMode) return 'transfer.event_mode'

  const purse = envelope.wallet === WalletKind.game ? wallets.target.game : wallets.target.main
  if (!purse) return 'envelope.not_found'
  // Whoever asked may have asked before the limit was opened.
  if (envelope.type === 2 && wallets.target.main.flowDue > 0n && !envelope.overridesFlow) {
    return 'transfer.flow_limit_open'
  }
  if (envelope.type === 2 && purse.balance < amount) {
    return { status: TransferStatus.failed, postings: [], refusal: 'envelope.member_not_enough' }
  }
  const postings = envelope.type === 1 ? postingsBetween(escrow, purse, amount) : postingsBetween(purse, main, amount)
  return { status: TransferStatus.success, postings }
}

const isEnvelope = (ask: OfferRequest) =>
  ask.inRoom && (ask.transferKind === TransferKind.send || ask.transferKind === TransferKind.receive)

/** Oneself, one's purse or anyone one stands below: ids of the own path, so nothing is given away by saying so. */
const isAbove = (actor: Party, funder: Party, id: number) =>
  id === funder.id || actor.path.split('/').includes(String(id))

/** The buttons of the points dialog, as rules. Make-ups make points out of nothing for a reason that somebody must answer for. */
const hasButton = (kind: OfficeKind, actor: Party) => {
  if (kind === TransferKind.send) return actor.maySend
  if (kind === TransferKind.receive) return actor.mayReceive
  if (kind === TransferKind.gift) return actor.mayGift
  return (
    actor.mayMakeUp &&
    (kind !== TransferKind.makeUp || actor.role === Role.admin || actor.role === Role.customerService)
  )
}

/** Which wallet of the target may be moved, and by whom. */
const mayUseWallet = (ask: OfferRequest, actor: Party, target: Party) => {
  const { targetWallet } = transferKinds[ask.transferKind]
  if (ask.wallet === WalletKind.main) return targetWallet !== 'game'
  if (target.role !== Role.member || !target.hasGame) return false
  if (ask.transferKind === TransferKind.gameDeduct) return actor.mayDeductGame
  if (targetWallet === 'game') return true
  return ask.inRoom && targetWallet === 'chosen' && target.choosesWallet
}

/**
 * The turnover that a credit asks of a member (TRF-13, ENV-03). What enters the game wallet: its amount. With several
 * wallets nothing else, because it will be asked for on the way into the game wallet. With one: from a list the amount; a
 * send in a room the actor's multiple, or what he says if he may; a gift or make-up what he says, and without that right no
 * less than the amount.
 */
const turnover = (ask: OfferRequest, actor: Party, target: Party): Points => {
  if (isTaking(ask.transferKind) || target.role !== Role.member) return 0n
  if (ask.wallet === WalletKind.game) return ask.amount
  if (target.hasGame) return 0n
  if (!ask.inRoom) return ask.amount
  const usual = ask.transferKind === TransferKind.send ? ask.amount * BigInt(actor.turnoverMultiple) : ask.amount
  const said = ask.auditAmount ?? usual
  if (actor.setsTurnover) return said
  return ask.transferKind === TransferKind.send || said < usual ? usual : said
}

const isOver = (cap: Points | undefined, amount: Points) => cap !== undefined && amount > cap

/** A bottomless wallet still ends where numbers do. */
export const canSpare = (wallet: Wallet, amount: Points) => wallet.balance - amount >= (wallet.floor ?? -MAX_AMOUNT)
export const fits = (wallet: Wallet, amount: Points) => wallet.balance + amount <= MAX_AMOUNT
export const postingsBetween = <W>(from: W, to: W, amount: Points): Posting<W>[] => [
  { wallet: from, amount: -amount },
  { wallet: to, amount },
]
