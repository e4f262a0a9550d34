import { Role, WalletKind, TransferStatus } from '@tallyroom/contract/codes'
import { randomUUID } from 'node:crypto'
import { formatPoints } from '@tallyroom/contract/points'
import { BrokenOrder } from './broken-order.ts'
import type { Corrected, BatchFacts, KnownBet, RoomFacts, StoredAnswer, Terms } from './load/load.ts'
import type { ApprovalFacts } from './load/approvals.ts'
import type { ApprovedSensitiveChange, OpenSensitiveChange } from './sensitive-changes.ts'
import type { CashFacts } from './load/cash.ts'
import { type BatchLimit, readLimits } from './load/limits.ts'
import type { LockedWallet } from './wallet-locks.ts'
import type { Order } from '../rules/orders.ts'
import { type Caps, type Party, type Posting, type Wallets } from '../rules/rules.ts'
import { countTransfer, type Excess, excessOf, limitsAlong } from '../rules/rules-limits.ts'
import type { OfficeKind } from '@tallyroom/contract/transfer-kinds'
import {
  balanceAfter,
  addDayTotal,
  type Draft,
  emptyDraft,
  type NewTransfer,
  applyPostings,
  applyTurnover,
} from './write/write.ts'

type BookInput = {
  facts: BatchFacts
  rooms: RoomFacts[]
  corrected: Corrected[]
  bets: KnownBet[]
  openTurnover: Map<number, bigint>
  wallets: LockedWallet[]
  termsOf: (order: Order) => Terms | undefined
  caps: Caps
  cash?: CashFacts | undefined
  approvals?: Map<number, ApprovalFacts> | undefined
  sensitiveChanges?: Map<number, OpenSensitiveChange> | undefined
}
type TransferInput = Omit<NewTransfer, 'id' | 'transactionId' | 'status' | 'remark' | 'room' | 'targetBalance'> &
  Partial<Pick<NewTransfer, 'status' | 'remark' | 'room'>>
/** A bet, win or void as its key in `bets` leads to it. */
export type BookedBet = Omit<KnownBet, 'topId' | 'betId' | 'transferKind'>

/** The state of a batch while its orders are decided. */
export class Book {
  readonly draft: Draft = emptyDraft()
  readonly facts: BatchFacts
  readonly rooms: RoomFacts[]
  readonly termsOf: BookInput['termsOf']
  readonly caps: Caps
  readonly parties: Map<number, Party>
  readonly lockedWallets: Map<string, LockedWallet>
  readonly envelopes: Map<string, BatchFacts['envelopes'][number]>
  readonly answered: Map<string, Omit<StoredAnswer, 'actorId' | 'requestId'>>
  readonly asked: Set<number>
  readonly given: Map<number, bigint>
  readonly bets: Map<string, BookedBet>
  /** The turnover of all open limits of members whose bets are voided. */
  readonly openTurnover: Map<number, bigint>
  readonly corrected: Map<bigint, Corrected>
  /** Members' requests; undefined in a batch without orders about them. */
  readonly cash: CashFacts | undefined
  /** The approvals that the orders name; undefined in a batch without such orders. */
  readonly approvals: Map<number, ApprovalFacts> | undefined
  /** The sensitive changes that the orders approve; undefined in a batch without such orders. */
  readonly sensitiveChanges: Map<number, OpenSensitiveChange> | undefined
  private readonly limits: BatchLimit[]
  /** Accounts whose turnover limits have changed in this batch: `corrected` and `openTurnover` are stale for them. */
  readonly limited = new Set<number>()

  constructor(parts: BookInput) {
    this.facts = parts.facts
    this.rooms = parts.rooms
    this.termsOf = parts.termsOf
    this.caps = parts.caps
    this.openTurnover = parts.openTurnover
    this.cash = parts.cash
    this.approvals = parts.approvals
    this.sensitiveChanges = parts.sensitiveChanges
    this.limits = readLimits(parts.facts)
    const { facts, wallets, bets, corrected } = parts
    this.parties = new Map(facts.parties.map((party) => [party.id, party]))
    this.lockedWallets = new Map(wallets.map((wallet) => [`${wallet.accountId}/${wallet.kind}`, wallet]))
    this.envelopes = new Map(facts.envelopes.map((envelope) => [envelope.transferId, envelope]))
    this.answered = new Map(facts.answered.map((stored) => [`${stored.actorId}/${stored.requestId}`, stored]))
    this.asked = new Set(facts.asked)
    this.given = new Map(facts.given.map(({ accountId, total }) => [accountId, BigInt(total)]))
    this.bets = new Map(bets.map((bet) => [betKey(bet), bet]))
    this.corrected = new Map(corrected.map((one) => [one.transferId, one]))
  }

  /** Adds a transfer to the draft and moves its wallets. */
  write(terms: TransferInput, postings: Posting<LockedWallet>[]): NewTransfer {
    const id = BigInt(this.facts.ids[this.draft.transfers.length] ?? 0)
    const transfer: NewTransfer = {
      status: TransferStatus.success,
      remark: '',
      room: undefined,
      ...terms,
      id,
      transactionId: newTransactionId(),
      targetBalance: null,
    }
    this.draft.transfers.push(transfer)
    applyPostings(this.draft, id, 0, postings)
    transfer.targetBalance = balanceAfter(postings, transfer)
    return transfer
  }

  /** Changes an account's remaining turnover with its limits: one was opened or lifted. */
  changeTurnover(accountId: number, difference: bigint) {
    if (difference === 0n) return
    this.limited.add(accountId)
    this.fillTurnover(accountId, -difference)
  }

  /** Fills limits of an account, or makes them open again. */
  fillTurnover(accountId: number, amount: bigint) {
    applyTurnover(this.draft, this.wallet(accountId, WalletKind.main), -amount)
  }

  addDayTotal(funderId: number, topId: number, targetId: number, isTaken: boolean, amount: bigint) {
    if (this.party(targetId).role !== Role.member) return
    addDayTotal(this.draft, { id: funderId, topId }, isTaken, amount)
    if (!isTaken) this.given.set(funderId, (this.given.get(funderId) ?? 0n) + amount)
  }

  /**
   * The limit that a transfer of the actor is above. One that is not above any is counted. Both happen under the lock of
   * the limits, so that no two transfers pass by the same sum.
   */
  judgeLimits(
    actorId: number,
    { transferKind, targetId, amount }: { transferKind: OfficeKind; targetId: number; amount: bigint },
  ): Excess | undefined {
    if (this.limits.length === 0) return undefined
    const ofKind = this.limits.filter((limit) => limit.transferKind === transferKind)
    const limits = limitsAlong(this.party(actorId).path, ofKind)
    const excess = excessOf(limits, targetId, amount)
    if (excess) return excess
    countTransfer(limits, targetId, amount)
    for (const limit of limits) this.draft.limits.add(limit)
    for (const limit of limits)
      if (limit.most.member !== null)
        this.draft.limitSums.set(`${limit.accountId}/${transferKind}/${targetId}`, { limit, memberId: targetId })
    return undefined
  }

  /** Ends an approved change: a second approval in the same batch finds it ended. */
  endSensitiveChange(approved: ApprovedSensitiveChange) {
    const sensitiveChange = this.sensitiveChanges?.get(approved.id)
    if (sensitiveChange) sensitiveChange.isWaiting = false
    this.draft.approvedSensitiveChanges.push(approved)
  }

  party(id: number): Party {
    const party = this.parties.get(id)
    if (!party) throw new BrokenOrder(`account ${id} was not loaded`)
    return party
  }

  wallet(accountId: number, kind: WalletKind): LockedWallet {
    const wallet = this.lockedWallets.get(`${accountId}/${kind}`)
    if (!wallet) throw new BrokenOrder(`account ${accountId} has no wallet ${kind}`)
    return wallet
  }

  wallets(funderId: number, targetId: number): Wallets<LockedWallet> {
    return {
      funder: { main: this.wallet(funderId, WalletKind.main), escrow: this.wallet(funderId, WalletKind.escrow) },
      target: {
        main: this.wallet(targetId, WalletKind.main),
        game: this.lockedWallets.get(`${targetId}/${WalletKind.game}`),
      },
    }
  }

  balance(accountId: number, kind: WalletKind): string {
    return formatPoints(this.wallet(accountId, kind).balance)
  }
}

export const betKey = ({ topId, betId, transferKind }: Pick<KnownBet, 'topId' | 'betId' | 'transferKind'>) =>
  `${topId}/${transferKind}/${betId}`

/**
 * A UUID of version 7: it starts with the time, so the index grows at one end and stays in memory. The rest comes from
 * `randomUUID`, which keeps a pool: asking the system for ten random bytes costs five times as much.
 */
export const newTransactionId = () => {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice('xxxxxxxx-xxxx-4'.length)}`
}
