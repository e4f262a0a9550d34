import type { AccountState } from './model-account.ts'
import type { Model } from './model.ts'
import type { Someone } from './world.ts'

/** A member's request for points in the simple ledger. Its clock stands still until the test passes time. */
type ModelCashRequest = {
  member: Someone
  group: number
  takes: boolean
  amount: bigint
  state: 'asked' | 'taken' | 'paid' | 'refused' | 'withdrawn' | 'expired'
  taker: number | undefined
  leaseOver: boolean
  overdue: boolean
  /** Its payment is above a limit and waits for approval. */
  inApproval: boolean
}
export type CashMoveName = 'take' | 'giveBack' | 'refuse' | 'withdraw' | 'pay'

/** The states of members' requests, written a second time, one order at a time. */
export class CashModel {
  readonly cashRequests = new Map<string, ModelCashRequest>()
  private readonly model: Model
  constructor(model: Model) {
    this.model = model
  }

  ask(name: string, member: Someone, direction: 'in' | 'out', amount: bigint): string {
    const it = this.model.of(member.id)
    const head = this.model.of(member.groupId)
    if (amount <= 0n) return 'transfer.amount_invalid'
    if (it.frozen || head.frozen) return 'transfer.frozen'
    if (it.event || head.event) return 'transfer.event_mode'
    if (this.openOf(member)) return 'cash.one_at_a_time'
    const takes = direction === 'out'
    if (takes && this.model.due(it) > 0n) return 'transfer.flow_limit_open'
    if (takes && it.main < amount) return 'transfer.not_enough'
    if (takes) [it.main, it.escrow] = [it.main - amount, it.escrow + amount]
    const fresh = { state: 'asked', taker: undefined, leaseOver: false, overdue: false, inApproval: false } as const
    this.cashRequests.set(name, { member, group: member.groupId, takes, amount, ...fresh })
    return 'asked'
  }

  /** `payment` names a payment that has to wait for approval. */
  act(move: CashMoveName, actor: Someone, name: string, payment: string): string {
    const cashRequest = this.cashRequests.get(name)
    const concerned = move === 'withdraw' ? cashRequest?.member.id === actor.id : cashRequest?.group === actor.groupId
    if (!cashRequest || !concerned) return 'cash.not_found'
    const { state, taker, leaseOver, overdue } = cashRequest
    if (state !== 'asked' && state !== 'taken') return 'cash.ended'
    const free = state === 'asked' || leaseOver
    const own = taker === actor.id
    if (move === 'take' || move === 'withdraw') {
      if (!free && !(move === 'take' && own)) return 'cash.taken'
      if (free && overdue) return 'cash.ended'
    } else {
      if (!own) return free ? 'cash.not_taken' : 'cash.taken'
      if (leaseOver) return 'cash.lease_over'
    }
    if (cashRequest.inApproval) return 'cash.in_approval'
    if (move === 'pay') return this.pay(actor, cashRequest, payment)
    if (move === 'refuse' || move === 'withdraw') this.giveBack(cashRequest)
    cashRequest.state = ({ take: 'taken', giveBack: 'asked', refuse: 'refused', withdraw: 'withdrawn' } as const)[move]
    cashRequest.taker = move === 'take' ? actor.id : undefined
    cashRequest.leaseOver = false
    return cashRequest.state
  }

  /** What the job does that ends leases and requests; how many it changed. */
  expireDue(): number {
    let changed = 0
    for (const cashRequest of this.cashRequests.values()) {
      const { state, leaseOver, overdue } = cashRequest
      const free = state === 'asked' || (state === 'taken' && leaseOver)
      if (!free || cashRequest.inApproval || !(overdue || leaseOver)) continue
      if (overdue) this.giveBack(cashRequest)
      cashRequest.state = overdue ? 'expired' : 'asked'
      cashRequest.taker = undefined
      cashRequest.leaseOver = false
      changed++
    }
    return changed
  }

  private pay(actor: Someone, cashRequest: ModelCashRequest, payment: string): string {
    const me = this.model.of(actor.id)
    const { member, group, takes, amount } = cashRequest
    const funder = this.model.of(actor.funderId)
    const refusal = this.refusalOf(me, funder, cashRequest)
    if (refusal) return refusal
    const left = takes || this.model.of(member.id).multi ? 0n : amount * me.multiple
    const holder = this.model.approvals?.judge(actor, takes ? 'receive' : 'send', member.id, amount)
    if (!holder || !this.model.approvals) {
      if (!takes) funder.main -= amount
      return this.settle(cashRequest, funder, left)
    }
    cashRequest.inApproval = true
    // Points out are held by the request already.
    if (!takes) [funder.main, funder.escrow] = [funder.main - amount, funder.escrow + amount]
    return this.model.approvals.wait(payment, actor, holder, {
      how: takes ? 'payOut' : 'payIn',
      funder: takes ? group : actor.funderId,
      target: member.id,
      wallet: 'main',
      carryOut: () => {
        const refused = takes ? this.refusalOf(me, funder, cashRequest) : this.frozenOrEvent([funder], cashRequest)
        if (refused) return refused
        if (!takes) funder.escrow -= amount
        this.settle(cashRequest, funder, left)
        return undefined
      },
      release: () => {
        if (!takes) [funder.main, funder.escrow] = [funder.main + amount, funder.escrow - amount]
        // Its taker has it again, with a new lease.
        cashRequest.inApproval = false
        cashRequest.leaseOver = false
      },
    })
  }

  private refusalOf(me: AccountState, funder: AccountState, cashRequest: ModelCashRequest): string | undefined {
    const { member, takes, amount } = cashRequest
    if (!me.dialog || !(takes ? me.receive : me.send)) return 'access.denied'
    const refusal = this.frozenOrEvent([me, funder], cashRequest)
    if (refusal) return refusal
    if (takes) return this.model.due(this.model.of(member.id)) > 0n ? 'transfer.flow_limit_open' : undefined
    if (funder.floor === null || funder.main - amount >= funder.floor) return undefined
    return funder.floor < 0n ? 'transfer.over_credit' : 'transfer.not_enough'
  }

  private frozenOrEvent(payers: AccountState[], { member }: ModelCashRequest): string | undefined {
    const it = this.model.of(member.id)
    if (it.frozen || payers.some(({ frozen }) => frozen)) return 'transfer.frozen'
    return it.event || this.model.of(it.who.groupId).event ? 'transfer.event_mode' : undefined
  }

  /** Ends a request as paid. Points in have already left the payer's wallet. */
  private settle(cashRequest: ModelCashRequest, funder: AccountState, left: bigint): string {
    const { member, takes, amount } = cashRequest
    const it = this.model.of(member.id)
    if (takes) [it.escrow, funder.main] = [it.escrow - amount, funder.main + amount]
    else it.main += amount
    if (left > 0n) it.limits.push({ name: `request ${this.cashRequests.size} ${amount}`, asked: left, left })
    const [given, taken] = this.model.given.get(funder.who.id) ?? [0n, 0n]
    this.model.given.set(funder.who.id, takes ? [given, taken + amount] : [given + amount, taken])
    cashRequest.state = 'paid'
    cashRequest.taker = undefined
    cashRequest.inApproval = false
    return 'success'
  }

  private giveBack({ member, takes, amount }: ModelCashRequest) {
    if (!takes) return
    const it = this.model.of(member.id)
    ;[it.main, it.escrow] = [it.main + amount, it.escrow - amount]
  }

  openOf(member: Someone): string | undefined {
    for (const [name, { member: owner, state }] of this.cashRequests)
      if (owner.id === member.id && (state === 'asked' || state === 'taken')) return name
    return undefined
  }
}
