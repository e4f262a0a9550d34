import { Role } from '@tallyroom/contract/codes'
import type { ApprovalEnd, Model, ModelTransfer, TransferName, Waiting } from './model.ts'
import type { Someone } from './world.ts'

type Most = { transfer?: bigint; day?: bigint; member?: bigint }
type ModelLimit = { most: Most; day: bigint; members: Map<number, bigint> }
type ModelApproval = {
  maker: Someone
  /** Whose limit the transfer is above. */
  holder: Someone
  waiting: Waiting
  state: 'waiting' | 'approved' | ApprovalEnd
  overdue: boolean
}
export type DecisionName = 'approve' | 'refuse' | 'withdraw'
/** What an approver saw of a transfer: both balances. */
export type SeenBalances = readonly [funder: bigint, target: bigint]

/** Limits and approvals, written a second time, one order at a time. */
export class ApprovalModel {
  /** By the names of their transfers; a payment of a request has a name of its own. */
  readonly approvals = new Map<string, ModelApproval>()
  private readonly limits = new Map<string, ModelLimit>()
  private readonly model: Model
  constructor(model: Model) {
    this.model = model
  }

  limit({ id }: Someone, kind: TransferName, most: Most) {
    this.limits.set(`${id} ${kind}`, { most, day: 0n, members: new Map() })
  }

  /** Whose limit a transfer of the maker is above; undefined when it is above none, and then it counts. */
  judge(maker: Someone, kind: TransferName, target: number, amount: bigint): Someone | undefined {
    const along = maker.path.split('/').flatMap((id) => {
      const limit = this.limits.get(`${id} ${kind}`)
      return limit ? [{ id: Number(id), limit }] : []
    })
    for (const { id, limit } of along) {
      const { transfer, day, member } = limit.most
      const sums = [
        [transfer, amount],
        [day, limit.day + amount],
        [member, (limit.members.get(target) ?? 0n) + amount],
      ] as const
      if (sums.some(([most, sum]) => most !== undefined && sum > most)) return this.model.of(id).who
    }
    for (const { limit } of along) {
      limit.day += amount
      limit.members.set(target, (limit.members.get(target) ?? 0n) + amount)
    }
    return undefined
  }

  /** Holds the points of a transfer above a limit. `waits`: the member would have to consent to it. */
  hold(name: string, maker: Someone, holder: Someone, transfer: ModelTransfer, waits: boolean): string {
    const it = this.model.of(transfer.target)
    const funder = this.model.of(transfer.funder)
    const { wallet, amount } = transfer
    transfer.held = transfer.takes ? (waits ? 'ask' : 'take') : waits ? 'offer' : 'give'
    if (transfer.held === 'take') [it[wallet], it.escrow] = [it[wallet] - amount, it.escrow + amount]
    else if (!transfer.takes) [funder.main, funder.escrow] = [funder.main - amount, funder.escrow + amount]
    this.model.transfers.set(name, Object.assign(transfer, { status: 'pending', asked: false }))
    return this.wait(name, maker, holder, {
      how: transfer.held,
      funder: transfer.funder,
      target: transfer.target,
      wallet,
      carryOut: () => this.carryOut(name, transfer),
      release: (end) => this.release(transfer, end),
    })
  }

  wait(name: string, maker: Someone, holder: Someone, waiting: Waiting): string {
    this.approvals.set(name, { maker, holder, waiting, state: 'waiting', overdue: false })
    return 'pending'
  }

  has(name: string): boolean {
    return this.approvals.has(name)
  }

  /** What an approver sees now. */
  seen(name: string): SeenBalances {
    const found = this.approvals.get(name)
    if (!found) throw new Error(`no approval ${name} in the model`)
    const { funder, target, wallet } = found.waiting
    return [this.model.of(funder).main, this.model.of(target)[wallet]]
  }

  decide(move: DecisionName, actor: Someone, name: string, seen: SeenBalances | undefined): string {
    const approval = this.approvals.get(name)
    if (!approval) return 'approval.not_found'
    const { maker } = approval
    if (move === 'withdraw' ? actor.id !== maker.id : !this.mayDecide(actor, approval)) return 'approval.not_found'
    if (approval.state !== 'waiting' || approval.overdue) return 'approval.ended'
    if (move !== 'approve') return this.end(approval, move === 'refuse' ? 'refused' : 'withdrawn')
    if (seen === undefined || seen.join() !== this.seen(name).join()) return 'approval.changed'
    if (this.model.of(maker.id).frozen) return 'transfer.frozen'
    const refusal = approval.waiting.carryOut()
    if (refusal) return refusal
    approval.state = 'approved'
    return 'approved'
  }

  /** What the job does that ends approvals; how many it ended. */
  expireDue(): number {
    let ended = 0
    for (const approval of this.approvals.values()) {
      if (approval.state !== 'waiting') continue
      const { funder, target } = approval.waiting
      const isFrozen = [approval.maker.id, funder, target].some((id) => this.model.of(id).frozen)
      if (!approval.overdue && !isFrozen) continue
      this.end(approval, approval.overdue ? 'expired' : 'failed')
      ended++
    }
    return ended
  }

  private end(approval: ModelApproval, state: ApprovalEnd): string {
    approval.waiting.release(state)
    approval.state = state
    return state
  }

  private mayDecide(actor: Someone, { maker, holder }: ModelApproval): boolean {
    const me = this.model.of(actor.id)
    if (actor.id === maker.id || me.frozen || actor.role === Role.member) return false
    if (actor.role !== Role.admin && !me.approves) return false
    if (actor.path.startsWith(holder.path)) return false
    if (actor.role === Role.customerService)
      return maker.role === Role.customerService && maker.groupId === actor.groupId
    return maker.path.startsWith(actor.path)
  }

  private carryOut(name: string, transfer: ModelTransfer): string | undefined {
    const it = this.model.of(transfer.target)
    const funder = this.model.of(transfer.funder)
    const { held, wallet, amount, inRoom } = transfer
    if (it.frozen || funder.frozen) return 'transfer.frozen'
    if (inRoom && (it.event || this.model.of(it.who.groupId).event)) return 'transfer.event_mode'
    const isDue = inRoom && this.model.due(it) > 0n && !transfer.override
    if (transfer.takes && isDue) return 'transfer.flow_limit_open'
    if (held === 'ask' && it.openAsk) return 'transfer.one_open_at_a_time'
    if (held === 'ask') it.openAsk = true
    if (held === 'ask' || held === 'offer') {
      transfer.asked = true
      return undefined
    }
    if (held === 'give') [funder.escrow, it[wallet]] = [funder.escrow - amount, it[wallet] + amount]
    else [it.escrow, funder.main] = [it.escrow - amount, funder.main + amount]
    transfer.status = 'success'
    this.model.succeed(name, transfer)
    return undefined
  }

  private release(transfer: ModelTransfer, end: ApprovalEnd) {
    const it = this.model.of(transfer.target)
    const funder = this.model.of(transfer.funder)
    const { held, wallet, amount } = transfer
    if (held === 'take') [it.escrow, it[wallet]] = [it.escrow - amount, it[wallet] + amount]
    if (held === 'give' || held === 'offer')
      [funder.escrow, funder.main] = [funder.escrow - amount, funder.main + amount]
    transfer.status = end === 'expired' || end === 'failed' ? end : 'rejected'
  }
}
