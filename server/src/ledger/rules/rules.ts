import { isTaking, mayWait, type OfficeKind, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { Role, isOperator, TransferKind, TransferStatus, WalletKind, EnvelopeType } from '@tallyroom/contract/codes'
import type { ErrorName } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'

/**
 * The rules of transfers. Pure: the caller has read everything under the lock of the wallets. Refusals are in order of
 * precedence; after the last one the transfer must succeed. Points are 1/10000.
 */

/**
 * A wallet's state. No floor: unlimited. A balance of exactly -1 means nothing special. `turnoverDue`, on main wallets only,
 * is the turnover that remains before points are paid out.
 */
export type Wallet = { readonly balance: Points; readonly floor: Points | null; readonly turnoverDue: Points }
export type Wallets<W> = { funder: { main: W; escrow: W }; target: { main: W; game: W | undefined } }
/** One side of a transfer; the postings of a transfer sum to zero. */
export type Posting<W> = { wallet: W; amount: Points }

/** An account as the rules see it. */
export type Party = {
  id: number
  role: Role
  path: string
  groupPath: string
  isFrozen: boolean
  isSub: 0 | 1
  /** A key of the member API acts as it. */
  isKey: boolean
  /** It or its group is in event mode: no envelopes in or out. */
  inEventMode: boolean
  /** withdraw_confirm: envelopes wait for the member's consent. */
  asksConsent: boolean
  /** Uses its game wallet. */
  hasGame: boolean
  /** transaction_all: in a room the actor may choose the member's wallet. */
  choosesWallet: boolean
  mayDeductGame: boolean
  /** The buttons of the points dialog; all are off when the dialog is. */
  maySend: boolean
  mayReceive: boolean
  mayGift: boolean
  mayMakeUp: boolean
  /** May set the turnover of a transfer. */
  setsTurnover: boolean
  /** The turnover of a transfer, in multiples of its amount. */
  turnoverMultiple: number
}

export type OfferTerms = {
  transferKind: OfficeKind
  wallet: typeof WalletKind.main | typeof WalletKind.game
  amount: Points
  /** Offered in a room (transaction/add), not from a list. */
  inRoom: boolean
  /** The turnover that the actor has set; calculated for actors that may not set it. */
  auditAmount: Points | undefined
  hasRemark: boolean
  /** Takes points although turnover remains. */
  overridesTurnover: boolean
}

/** The most for one offer in a room, and for what a funding account gives members in a day. Undefined: no cap. */
export type Caps = { envelope: Points | undefined; day: Points | undefined }

export type OfferState<W> = {
  actor: Party
  funder: Party
  /** Undefined when the account does not exist. */
  target: Party | undefined
  targetId: number
  /** The given room code is not that of a room of the target. */
  isWrongRoom: boolean
  /** The target has not answered an earlier request for points. */
  isAsked: boolean
  /** The actor's role may move points of such accounts from a list. */
  mayMove: boolean
  wallets: Wallets<W> | undefined
  caps: Caps
  /** Points that the funder has given to members today. */
  givenToday: Points
}

export type Opened<W> = {
  status: typeof TransferStatus.success | typeof TransferStatus.pending
  auditAmount: Points
  overridesTurnover: boolean
  postings: Posting<W>[]
}

/** Below the limit of a bigint column; no real balance or lifetime sum comes near it. */
export const MAX_AMOUNT = 9_000_000_000_000_000_000n

/** The condition of `visibleAccounts(actor)` for a loaded account; a test compares the two. */
export const sees = (
  actor: Pick<Party, 'id' | 'role' | 'path' | 'groupPath'>,
  other: Pick<Party, 'id' | 'role' | 'path'>,
) => {
  if (isOperator(actor.role)) return other.path.startsWith(actor.path)
  if (actor.role === Role.customerService)
    return other.id === actor.id || (other.role === Role.member && other.path.startsWith(actor.groupPath))
  return other.id === actor.id
}

/** Decides on a new transfer. */
export const openOffer = <W extends Wallet>(ask: OfferTerms, at: OfferState<W>): Opened<W> | ErrorName => {
  const { actor, funder, target, wallets } = at
  const { amount } = ask
  if (amount <= 0n || amount > MAX_AMOUNT) return 'transfer.amount_invalid'
  if (isAbove(actor, funder, at.targetId)) return 'transfer.to_yourself'
  if (!target || !wallets || !sees(actor, target)) return 'account.not_found'
  if (ask.inRoom && target.role !== Role.member) return 'account.not_found'
  if (at.isWrongRoom) return 'room.not_found'
  if (!(ask.inRoom ? hasButton[ask.transferKind](actor) : at.mayMove)) return 'access.denied'
  if (!mayUseWallet(ask, actor, target)) return 'access.denied'
  if (transferKinds[ask.transferKind].needsRemark && !ask.hasRemark) return 'transfer.remark_needed'
  if (actor.isFrozen || funder.isFrozen || target.isFrozen) return 'transfer.frozen'
  if (ask.inRoom && target.inEventMode) return 'transfer.event_mode'

  const auditAmount = turnover(ask, actor, target)
  if (auditAmount < 0n || wallets.target.main.turnoverDue + auditAmount > MAX_AMOUNT) return 'transfer.amount_invalid'
  const targetWallet = ask.wallet === WalletKind.game ? wallets.target.game : wallets.target.main
  if (!targetWallet) return 'access.denied'
  if (ask.inRoom && isOver(at.caps.envelope, amount)) return 'transfer.over_envelope_cap'
  const needsConsent = isEnvelope(ask) && (target.asksConsent || funder.asksConsent)
  const terms = {
    status: needsConsent ? TransferStatus.pending : TransferStatus.success,
    auditAmount,
    overridesTurnover: false,
  } as const
  const { main, escrow } = wallets.funder

  if (isTaking(ask.transferKind)) {
    const overridesTurnover = isEnvelope(ask) && ask.overridesTurnover && actor.setsTurnover
    if (isEnvelope(ask) && wallets.target.main.turnoverDue > 0n && !overridesTurnover) return 'transfer.flow_limit_open'
    if (needsConsent) return at.isAsked ? 'transfer.one_open_at_a_time' : { ...terms, overridesTurnover, postings: [] }
    // Never into the target's credit, whatever its floor.
    if (targetWallet.balance < amount) return 'transfer.member_not_enough'
    if (!canReceive(main, amount)) return 'transfer.amount_invalid'
    return { ...terms, overridesTurnover, postings: postingsBetween(targetWallet, main, amount) }
  }
  // Points held for open offers count as given, else a day's cap could be passed by offers accepted later.
  if (target.role === Role.member && isOver(at.caps.day, at.givenToday + escrow.balance + amount))
    return 'transfer.over_day_cap'
  if (!canPay(main, amount)) return main.floor === 0n ? 'transfer.not_enough' : 'transfer.over_credit'
  const receiving = needsConsent ? escrow : targetWallet
  if (!canReceive(receiving, amount)) return 'transfer.amount_invalid'
  return { ...terms, postings: postingsBetween(main, receiving, amount) }
}

/** An envelope is settled by the member's answer, or by `lapse`: the deadline or a freeze. */
export type Verdict = 'accept' | 'reject' | 'lapse'
export type Envelope = {
  type: EnvelopeType
  status: TransferStatus
  wallet: typeof WalletKind.main | typeof WalletKind.game
  amount: Points
  /** Past its deadline by the database's clock. */
  isOverdue: boolean
  overridesTurnover: boolean
}
/** `refusal`: the envelope is settled and the call still refused: the acceptance was too late or not covered. */
export type Settled<W> = { status: TransferStatus; postings: Posting<W>[]; refusal?: ErrorName }

/** Decides what an answer does to an envelope. A plain refusal leaves the envelope open. */
export const settleOffer = <W extends Wallet>(
  verdict: Verdict,
  envelope: Envelope,
  { funder, target, wallets }: { funder: Party; target: Party; wallets: Wallets<W> },
): Settled<W> | ErrorName => {
  const { main, escrow } = wallets.funder
  const { amount } = envelope
  const back = envelope.type === EnvelopeType.give ? postingsBetween(escrow, main, amount) : []
  if (envelope.status === TransferStatus.expired) return 'envelope.expired'
  if (envelope.status !== TransferStatus.pending) return 'envelope.already_settled'
  if (verdict === 'lapse') {
    if (envelope.isOverdue) return { status: TransferStatus.expired, postings: back }
    // Before the deadline only a freeze ends it.
    if (!funder.isFrozen && !target.isFrozen) return 'envelope.already_settled'
    return { status: TransferStatus.failed, postings: back }
  }
  if (envelope.isOverdue) return { status: TransferStatus.expired, postings: back, refusal: 'envelope.expired' }
  if (verdict === 'reject') return { status: TransferStatus.rejected, postings: back }
  if (funder.isFrozen || target.isFrozen) return 'transfer.frozen'
  if (target.inEventMode) return 'transfer.event_mode'

  const targetWallet = envelope.wallet === WalletKind.game ? wallets.target.game : wallets.target.main
  if (!targetWallet) return 'envelope.not_found'
  // The request may be older than the turnover limit.
  if (envelope.type === EnvelopeType.ask && wallets.target.main.turnoverDue > 0n && !envelope.overridesTurnover) {
    return 'transfer.flow_limit_open'
  }
  if (envelope.type === EnvelopeType.ask && targetWallet.balance < amount) {
    return { status: TransferStatus.failed, postings: [], refusal: 'envelope.member_not_enough' }
  }
  const postings =
    envelope.type === EnvelopeType.give
      ? postingsBetween(escrow, targetWallet, amount)
      : postingsBetween(targetWallet, main, amount)
  return { status: TransferStatus.success, postings }
}

const isEnvelope = (ask: OfferTerms) => ask.inRoom && mayWait(ask.transferKind)

/** The actor, its funder or an account above it. The ids come from the actor's own path, so the refusal reveals nothing. */
const isAbove = (actor: Party, funder: Party, id: number) =>
  id === funder.id || actor.path.split('/').includes(String(id))

/** The buttons of the points dialog, as rules. Only admins and customer service make up points, with a reason. */
const hasButton: Record<OfficeKind, (actor: Party) => boolean> = {
  [TransferKind.send]: (actor) => actor.maySend,
  [TransferKind.receive]: (actor) => actor.mayReceive,
  [TransferKind.gift]: (actor) => actor.mayGift,
  [TransferKind.makeUp]: ({ mayMakeUp, role }) => mayMakeUp && (role === Role.admin || role === Role.customerService),
  [TransferKind.gameSend]: (actor) => actor.mayMakeUp,
  [TransferKind.gameDeduct]: (actor) => actor.mayMakeUp,
}

/** Whether the actor may move the chosen wallet of the target. */
const mayUseWallet = (ask: OfferTerms, actor: Party, target: Party) => {
  const { targetWallet } = transferKinds[ask.transferKind]
  if (ask.wallet === WalletKind.main) return targetWallet !== 'game'
  if (target.role !== Role.member || !target.hasGame) return false
  if (targetWallet === 'game') return !isTaking(ask.transferKind) || actor.mayDeductGame
  return ask.inRoom && targetWallet === 'chosen' && target.choosesWallet
}

/**
 * The turnover that a credit opens (TRF-13, ENV-03). Into the game wallet: its amount. For a member with a game wallet
 * otherwise none, because moving the points into the game wallet opens it. For a member with one wallet: from a list the
 * amount; for a send in a room the actor's multiple, or the actor's value if allowed; for a gift or make-up the actor's
 * value, and without the right at least the amount.
 */
const turnover = (ask: OfferTerms, actor: Party, target: Party): Points => {
  if (isTaking(ask.transferKind) || target.role !== Role.member) return 0n
  if (ask.wallet === WalletKind.game) return ask.amount
  if (target.hasGame) return 0n
  if (!ask.inRoom) return ask.amount
  const standard = ask.transferKind === TransferKind.send ? ask.amount * BigInt(actor.turnoverMultiple) : ask.amount
  const requested = ask.auditAmount ?? standard
  if (actor.setsTurnover) return requested
  return ask.transferKind === TransferKind.send || requested < standard ? standard : requested
}

const isOver = (cap: Points | undefined, amount: Points) => cap !== undefined && amount > cap

/** Even a wallet without a floor ends where numbers do. */
export const canPay = (wallet: Wallet, amount: Points) => wallet.balance - amount >= (wallet.floor ?? -MAX_AMOUNT)
export const canReceive = (wallet: Wallet, amount: Points) => wallet.balance + amount <= MAX_AMOUNT
export const postingsBetween = <W>(from: W, to: W, amount: Points): Posting<W>[] => [
  { wallet: from, amount: -amount },
  { wallet: to, amount },
]
