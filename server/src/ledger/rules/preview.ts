import { isTaking, type OfficeKind, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { Role, WalletKind } from '@tallyroom/contract/codes'
import { type OfferRefusal, offerRefusals } from '@tallyroom/contract/offer-refusals'
import type { ErrorName } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import { openOffer, type OfferState, type Wallet } from './rules.ts'

export type Preview = {
  transferKind: OfficeKind
  /** The refusal that even the smallest amount gets now. */
  refused: OfferRefusal | undefined
  /** The most that can be moved now; undefined when nothing limits it. */
  most: Points | undefined
}

/**
 * Those of the kinds that the actor may start, in the member's room or from a list, each with what would refuse it. The
 * rules themselves answer, for the smallest amount, so the dialog never promises what the ledger then refuses.
 */
export const previewOffers = <W extends Wallet>(
  kinds: readonly OfficeKind[],
  inRoom: boolean,
  at: OfferState<W>,
): Preview[] =>
  kinds.flatMap((transferKind) => {
    const isGame = transferKinds[transferKind].targetWallet === 'game'
    const smallest = {
      transferKind,
      wallet: isGame ? WalletKind.game : WalletKind.main,
      amount: 1n,
      inRoom,
      auditAmount: undefined,
      hasRemark: true,
      overridesTurnover: false,
    } as const
    const opened = openOffer(smallest, at)
    const refused = typeof opened === 'string' ? opened : undefined
    // Any other refusal means that this actor does not have the kind.
    if (refused !== undefined && !isForeseen(refused)) return []
    return [{ transferKind, refused, most: mostOf(transferKind, inRoom, at) }]
  })

const isForeseen = (name: ErrorName): name is OfferRefusal => offerRefusals.some((known) => known === name)

const mostOf = <W extends Wallet>(
  transferKind: OfficeKind,
  inRoom: boolean,
  { target, wallets, caps, givenToday }: OfferState<W>,
) => {
  if (!wallets) return 0n
  const { main, escrow } = wallets.funder
  const isGame = transferKinds[transferKind].targetWallet === 'game'
  const limits = isTaking(transferKind)
    ? [(isGame ? wallets.target.game : wallets.target.main)?.balance ?? 0n]
    : [
        ...(main.floor === null ? [] : [main.balance - main.floor]),
        ...(caps.day === undefined || target?.role !== Role.member ? [] : [caps.day - givenToday - escrow.balance]),
      ]
  if (inRoom && caps.envelope !== undefined) limits.push(caps.envelope)
  const [first, ...others] = limits
  if (first === undefined) return undefined
  const least = others.reduce((low, limit) => (limit < low ? limit : low), first)
  return least < 0n ? 0n : least
}
