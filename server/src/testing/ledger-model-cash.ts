import type { AccountState, Model } from './ledger-model.ts'
import type { Someone } from './ledger-world.ts'

/** A member's request for points in the simple ledger. Leases and deadlines do not end here. */
type ModelRequest = {
  member: Someone
  group: number
  takes: boolean
  amount: bigint
  state: 'asked' | 'taken' | 'paid' | 'refused' | 'withdrawn'
  taker: number | undefined
}
export type CashMoveName = 'take' | 'giveBack' | 'refuse' | 'withdraw' | 'pay'

/** The states of members' requests, written a second time, one order at a time. */
export class CashModel {
  readonly requests = new Map<string, ModelRequest>()
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
    this.requests.set(name, { member, group: member.groupId, takes, amount, state: 'asked', taker: undefined })
    return 'asked'
  }

  act(move: CashMoveName, actor: Someone, name: string): string {
    const request = this.requests.get(name)
    const concerned = move === 'withdraw' ? request?.member.id === actor.id : request?.group === actor.groupId
    if (!request || !concerned) return 'cash.not_found'
    const { state, taker } = request
    if (state !== 'asked' && state !== 'taken') return 'cash.ended'
    if (move === 'take' || move === 'withdraw') {
      if (state === 'taken' && !(move === 'take' && taker === actor.id)) return 'cash.taken'
    } else if (taker !== actor.id) return state === 'taken' ? 'cash.taken' : 'cash.not_taken'
    if (move === 'pay') return this.pay(actor, request)
    if (move === 'refuse' || move === 'withdraw') this.giveBack(request)
    request.state = ({ take: 'taken', giveBack: 'asked', refuse: 'refused', withdraw: 'withdrawn' } as const)[move]
    request.taker = move === 'take' ? actor.id : undefined
    return request.state
  }

  private pay(actor: Someone, request: ModelRequest): string {
    const me = this.model.of(actor.id)
    const it = this.model.of(request.member.id)
    const funder = this.model.of(actor.funderId)
    if (!me.dialog || !(request.takes ? me.receive : me.send)) return 'access.denied'
    if (me.frozen || funder.frozen || it.frozen) return 'transfer.frozen'
    if (it.event || this.model.of(it.who.groupId).event) return 'transfer.event_mode'
    return request.takes ? this.payOut(it, funder, request) : this.payIn(me, it, funder, request)
  }

  private payOut(it: AccountState, funder: AccountState, request: ModelRequest): string {
    if (this.model.due(it) > 0n) return 'transfer.flow_limit_open'
    it.escrow -= request.amount
    funder.main += request.amount
    return this.end(request, funder)
  }

  private payIn(me: AccountState, it: AccountState, funder: AccountState, request: ModelRequest): string {
    const { amount } = request
    if (funder.floor !== null && funder.main - amount < funder.floor)
      return funder.floor < 0n ? 'transfer.over_credit' : 'transfer.not_enough'
    funder.main -= amount
    it.main += amount
    if (!it.multi) it.limits.push({ name: `request ${this.requests.size} ${amount}`, left: amount * me.multiple })
    return this.end(request, funder)
  }

  private end(request: ModelRequest, funder: AccountState): string {
    const [given, taken] = this.model.given.get(funder.who.id) ?? [0n, 0n]
    const { amount } = request
    this.model.given.set(funder.who.id, request.takes ? [given, taken + amount] : [given + amount, taken])
    request.state = 'paid'
    request.taker = undefined
    return 'success'
  }

  private giveBack({ member, takes, amount }: ModelRequest) {
    if (!takes) return
    const it = this.model.of(member.id)
    ;[it.main, it.escrow] = [it.main + amount, it.escrow - amount]
  }

  openOf(member: Someone): string | undefined {
    for (const [name, { member: owner, state }] of this.requests)
      if (owner.id === member.id && (state === 'asked' || state === 'taken')) return name
    return undefined
  }
}
