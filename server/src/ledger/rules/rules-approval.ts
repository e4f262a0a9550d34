import { createHash } from 'node:crypto'
import type { ErrorName } from '@tallyroom/contract'
import { EnvelopeKind, TransferStatus } from '@tallyroom/contract/codes'
import { approvalMoves, type ApprovalMove } from '@tallyroom/contract/limits'
import type { Points } from '@tallyroom/contract/points'
import { isTaking, type OfficeKind } from '@tallyroom/contract/transfer-kinds'
import { canReceive, type Party, type Posting, postingsBetween, type Wallet, type Wallets } from './rules.ts'

/** The rules of approvals. Pure, like rules.ts. */

/**
 * Envelopes that wait for approval. `give`: the payer's escrow holds the points; `take`: the target's escrow does;
 * `ask`: the member will be asked for points, and nothing is held.
 */
export const Hold = {
  give: EnvelopeKind.heldGiving,
  take: EnvelopeKind.heldTaking,
  ask: EnvelopeKind.heldAsking,
} as const
export type Hold = (typeof Hold)[keyof typeof Hold]
export const isHold = (type: number | null): type is Hold => type !== null && type >= Hold.give

/** Holds the points of a transfer above a limit. `isOffer`: the member would have to consent to it. */
export const holdPoints = <W extends Wallet>(
  { transferKind, amount, isOffer }: { transferKind: OfficeKind; amount: Points; isOffer: boolean },
  { main, escrow }: Wallets<W>['funder'],
  target: { wallet: W; escrow: W | undefined },
): { hold: Hold; postings: Posting<W>[] } | ErrorName => {
  if (!isTaking(transferKind)) {
    if (!canReceive(escrow, amount)) return 'transfer.amount_invalid'
    return { hold: Hold.give, postings: postingsBetween(main, escrow, amount) }
  }
  if (isOffer) return { hold: Hold.ask, postings: [] }
  if (!target.escrow || !canReceive(target.escrow, amount)) return 'transfer.amount_invalid'
  return { hold: Hold.take, postings: postingsBetween(target.wallet, target.escrow, amount) }
}

/** The facts that an approval shows and that can change, in 1/10000 points. */
type SeenFacts = {
  id: number
  amount: Points
  funderBalance: Points
  targetBalance: Points
  /** The version of the last change of a message in the room; 0 without a room. */
  conversation: Points
}
/** An approval repeats this text. When it differs, something has changed since the approver looked. */
export const seenOf = ({ id, amount, funderBalance, targetBalance, conversation }: SeenFacts): string =>
  createHash('sha256')
    .update([id, amount, funderBalance, targetBalance, conversation].join('/'))
    .digest('base64url')
    .slice(0, 22)

/** Both wallets without the transfer and with it. */
export const balancesOf = (
  { hold, amount }: { hold: number; amount: Points },
  { funderBalance, targetBalance }: Pick<SeenFacts, 'funderBalance' | 'targetBalance'>,
) => {
  if (hold === Hold.give)
    return {
      funder: { before: funderBalance + amount, after: funderBalance },
      target: { before: targetBalance, after: targetBalance + amount },
    }
  const isHeld = hold !== Hold.ask
  return {
    funder: { before: funderBalance, after: funderBalance + amount },
    target: {
      before: targetBalance + (isHeld ? amount : 0n),
      after: targetBalance - (isHeld ? 0n : amount),
    },
  }
}

export type Held = {
  hold: Hold
  amount: Points
  /** Its points go to the member by its consent. */
  needsConsent: boolean
  /** Offered in a room: event mode and turnover apply. */
  inRoom: boolean
  overridesTurnover: boolean
}
type HeldSides<W> = {
  funder: Party
  target: Party
  wallets: Wallets<W>
  targetWallet: W | undefined
  targetEscrow: W | undefined
  /** The member has not answered an earlier request for points. */
  isAsked: boolean
}

/** Decides what approval does: the transfer settles, or goes on as an envelope of that type that waits for the member. */
export const approveHeld = <W extends Wallet>(
  { hold, amount, needsConsent, inRoom, overridesTurnover }: Held,
  { funder, target, wallets, targetWallet, targetEscrow, isAsked }: HeldSides<W>,
): { becomes: 1 | 2 } | { postings: Posting<W>[] } | ErrorName => {
  if (funder.isFrozen || target.isFrozen) return 'transfer.frozen'
  if (inRoom && target.inEventMode) return 'transfer.event_mode'
  if (!targetWallet) return 'account.not_found'
  if (hold === Hold.give) {
    if (needsConsent) return { becomes: 1 }
    if (!canReceive(targetWallet, amount)) return 'transfer.amount_invalid'
    return { postings: postingsBetween(wallets.funder.escrow, targetWallet, amount) }
  }
  // The points may have been asked for before the turnover was.
  if (inRoom && wallets.target.main.turnoverDue > 0n && !overridesTurnover) return 'transfer.flow_limit_open'
  if (hold === Hold.ask) return isAsked ? 'transfer.one_open_at_a_time' : { becomes: 2 }
  if (!targetEscrow) return 'account.not_found'
  if (!canReceive(wallets.funder.main, amount)) return 'transfer.amount_invalid'
  return { postings: postingsBetween(targetEscrow, wallets.funder.main, amount) }
}

/** Gives back what is held. */
export const releaseHeld = <W extends Wallet>(
  { hold, amount }: Pick<Held, 'hold' | 'amount'>,
  { wallets, targetWallet, targetEscrow }: Pick<HeldSides<W>, 'wallets' | 'targetWallet' | 'targetEscrow'>,
): Posting<W>[] => {
  const { main, escrow } = wallets.funder
  if (hold === Hold.give) return postingsBetween(escrow, main, amount)
  return hold === Hold.take && targetWallet && targetEscrow ? postingsBetween(targetEscrow, targetWallet, amount) : []
}

/** The status of a transfer whose approval has ended without one. */
export const statusAfter = (move: Exclude<ApprovalMove, 'approve'>): TransferStatus => {
  const { to } = approvalMoves[move]
  if (to === 'expired') return TransferStatus.expired
  return to === 'failed' ? TransferStatus.failed : TransferStatus.rejected
}
