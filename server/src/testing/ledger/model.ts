import { Role } from '@tallyroom/contract/codes'
import type { AccountState, WalletName } from './model-account.ts'
import type { Someone } from './world.ts'

export type TransferName = 'send' | 'receive' | 'gift' | 'makeUp' | 'gameSend' | 'gameDeduct'
export type MoveTerms = {
  kind: TransferName
  wallet: WalletName
  amount: bigint
  inRoom: boolean
  remark: string
  turnover?: bigint | undefined
  override: boolean
}
export type ModelTransfer = {
  kind: TransferName | 'toGame' | 'bet' | 'win' | 'correction'
  funder: number
  target: number
  amount: bigint
  wallet: WalletName
  takes: boolean
  turnover: bigint
  override: boolean
  asked: boolean
  status: 'pending' | 'success' | 'rejected' | 'failed' | 'expired'
  corrected: boolean
  overdue?: boolean
  inRoom?: boolean
  /** Above a limit: what is held while it waits, and `offer` and `ask` then wait for the member. */
  held?: 'give' | 'take' | 'offer' | 'ask'
}

/** Limits and approvals (model-approval.ts). */
type Approvals = {
  judge(maker: Someone, kind: TransferName, target: number, amount: bigint): Someone | undefined
  hold(name: string, maker: Someone, holder: Someone, transfer: ModelTransfer, waits: boolean): string
  wait(name: string, maker: Someone, holder: Someone, waiting: Waiting): string
  has(name: string): boolean
}
export type ApprovalEnd = 'refused' | 'withdrawn' | 'expired' | 'failed'
/** What waits: a transfer, or the payment of a member's request (model-cash.ts). */
export type Waiting = {
  how: NonNullable<ModelTransfer['held']> | 'payIn' | 'payOut'
  funder: number
  target: number
  wallet: WalletName
  /** Makes it, or says why not. */
  carryOut: () => string | undefined
  /** Gives back what is held. */
  release: (end: ApprovalEnd) => void
}

/** A simple ledger for comparison: one order at a time, sharing no code with the real one. */
export class Model {
  readonly people = new Map<number, AccountState>()
  /** All transfers and offers, by names that the test makes up. */
  readonly transfers = new Map<string, ModelTransfer>()
  readonly outcomes = new Map<string, { body: string; word: string }>()
  readonly bets = new Map<
    string,
    { member: number; amount: bigint; valid: bigint; wallet: WalletName; filled: bigint }
  >()
  readonly voided = new Set<string>()
  approvals: Approvals | undefined
  readonly given = new Map<number, [bigint, bigint]>()
  gameAccount = 0n

  once(actor: number, id: string, body: string, work: () => string): string {
    const before = this.outcomes.get(`${actor} ${id}`)
    if (before) return before.body === body ? before.word : 'request.id_reused'
    const word = work()
    this.outcomes.set(`${actor} ${id}`, { body, word })
    return word
  }

  move(name: string, actor: Someone, targetId: number, terms: MoveTerms): string {
    const { kind, wallet, amount, inRoom } = terms
    const me = this.of(actor.id)
    const funder = this.of(actor.funderId)
    const it = this.people.get(targetId)
    const takes = kind === 'receive' || kind === 'gameDeduct'
    if (amount <= 0n) return 'transfer.amount_invalid'
    if (targetId === actor.id || targetId === actor.funderId || me.who.path.includes(`/${targetId}/`))
      return 'transfer.to_yourself'
    if (!it || !this.below(actor, it.who) || (inRoom && it.who.role !== Role.member)) return 'account.not_found'
    if (inRoom ? !this.hasButton(me, kind) : it.who.role !== Role.agent && it.who.role !== Role.member)
      return 'access.denied'
    if (!this.mayUseWallet(me, it, terms)) return 'access.denied'
    if (kind === 'makeUp' && terms.remark === '') return 'transfer.remark_needed'
    if (me.frozen || funder.frozen || it.frozen) return 'transfer.frozen'
    if (inRoom && (it.event || this.of(it.who.groupId).event)) return 'transfer.event_mode'
    const turnover = this.turnover(me, it, terms, takes)
    if (turnover < 0n) return 'transfer.amount_invalid'

    const envelope = inRoom && (kind === 'send' || kind === 'receive')
    const waits = envelope && (it.asks || funder.asks)
    const override = envelope && takes && terms.override && me.modifies
    const sides = { funder: actor.funderId, target: targetId, wallet, takes, override, inRoom }
    const status = waits ? 'pending' : 'success'
    const done: ModelTransfer = { ...sides, kind, amount, turnover, asked: waits, status, corrected: false }
    if (takes) {
      if (envelope && this.due(it) > 0n && !override) return 'transfer.flow_limit_open'
      if (waits && it.openAsk) return 'transfer.one_open_at_a_time'
      if (!waits && it[wallet] < amount) return 'transfer.member_not_enough'
    } else if (funder.floor !== null && funder.main - amount < funder.floor)
      return funder.floor < 0n ? 'transfer.over_credit' : 'transfer.not_enough'
    const holder = this.approvals?.judge(actor, kind, targetId, amount)
    if (holder && this.approvals) return this.approvals.hold(name, actor, holder, done, waits)
    if (takes) {
      if (waits) it.openAsk = true
      else [it[wallet], funder.main] = [it[wallet] - amount, funder.main + amount]
    } else {
      funder.main -= amount
      if (waits) funder.escrow += amount
      else it[wallet] += amount
    }
    this.transfers.set(name, done)
    if (!waits) this.succeed(name, done)
    return done.status
  }

  answer(actor: Someone, name: string, accept: boolean): string {
    const transfer = this.transfers.get(name)
    if (!transfer?.asked || transfer.target !== actor.id) return 'envelope.not_found'
    if (transfer.status === 'expired') return 'envelope.expired'
    if (transfer.status !== 'pending') return 'envelope.already_settled'
    const it = this.of(transfer.target)
    const funder = this.of(transfer.funder)
    if (transfer.overdue) {
      this.giveBack(transfer, 'expired')
      return 'envelope.expired'
    }
    if (!accept) return this.giveBack(transfer, 'rejected')
    if (it.frozen || funder.frozen) return 'transfer.frozen'
    if (it.event || this.of(it.who.groupId).event) return 'transfer.event_mode'
    if (transfer.takes && this.due(it) > 0n && !transfer.override) return 'transfer.flow_limit_open'
    if (transfer.takes && it[transfer.wallet] < transfer.amount) {
      this.end(transfer, 'failed')
      return 'envelope.member_not_enough'
    }
    if (transfer.takes) [it.main, funder.main] = [it.main - transfer.amount, funder.main + transfer.amount]
    else [funder.escrow, it[transfer.wallet]] = [funder.escrow - transfer.amount, it[transfer.wallet] + transfer.amount]
    this.succeed(name, transfer)
    return this.end(transfer, 'success')
  }

  /** What the job does that ends envelopes: past their time, or of a frozen account; how many it ended. */
  expireDue(): number {
    let ended = 0
    for (const transfer of this.transfers.values()) {
      const isFrozen = this.of(transfer.funder).frozen || this.of(transfer.target).frozen
      if (!transfer.asked || transfer.status !== 'pending' || !(transfer.overdue || isFrozen)) continue
      this.giveBack(transfer, transfer.overdue ? 'expired' : 'failed')
      ended++
    }
    return ended
  }

  toGame(name: string, actor: Someone, amount: bigint): string {
    const it = this.of(actor.id)
    if (amount <= 0n) return 'transfer.amount_invalid'
    if (!it.multi) return 'access.denied'
    if (it.frozen) return 'transfer.frozen'
    if (it.main < amount) return 'transfer.not_enough'
    ;[it.main, it.game] = [it.main - amount, it.game + amount]
    const sides = { funder: actor.id, target: actor.id, wallet: 'game', takes: false, override: false } as const
    const done: ModelTransfer = {
      ...sides,
      kind: 'toGame',
      amount,
      turnover: amount,
      asked: false,
      status: 'success',
      corrected: false,
    }
    this.transfers.set(name, done)
    it.limits.push({ name, asked: amount, left: amount })
    return 'success'
  }

  bet(kind: 'bet' | 'win', betId: string, memberId: number, amount: bigint, valid: bigint): string {
    const before = this.bets.get(`${kind} ${betId}`)
    if (before) {
      const isSame =
        before.member === memberId && before.amount === amount && (kind === 'win' || before.valid === valid)
      if (!isSame) return 'bet.id_reused'
      return kind === 'bet' && this.voided.has(betId) ? 'bet.voided' : 'success'
    }
    const it = this.people.get(memberId)
    if (it?.who.role !== Role.member) return 'account.not_found'
    if (kind === 'win' && this.bets.get(`bet ${betId}`)?.member !== memberId) return 'bet.not_found'
    if (kind === 'win' && this.voided.has(betId)) return 'bet.voided'
    if (amount <= 0n || (kind === 'bet' && (valid < 0n || valid > amount))) return 'transfer.amount_invalid'
    if (kind === 'bet' && it.frozen) return 'transfer.frozen'
    const wallet = it.multi ? 'game' : 'main'
    if (kind === 'bet' && it[wallet] < amount) return 'transfer.member_not_enough'
    const difference = kind === 'bet' ? -amount : amount
    it[wallet] += difference
    this.gameAccount -= difference
    const due = this.due(it)
    let rest = kind === 'bet' ? valid : 0n
    for (const limit of it.limits) {
      const part = rest < limit.left ? rest : limit.left
      limit.left -= part
      rest -= part
    }
    this.bets.set(`${kind} ${betId}`, { member: memberId, amount, valid, wallet, filled: due - this.due(it) })
    return 'success'
  }

  voidBet(betId: string): string {
    const bet = this.bets.get(`bet ${betId}`)
    if (!bet) return 'bet.not_found'
    if (this.voided.has(betId)) return 'success'
    if (this.bets.has(`win ${betId}`)) return 'bet.has_win'
    this.voided.add(betId)
    const it = this.of(bet.member)
    it[bet.wallet] += bet.amount
    this.gameAccount -= bet.amount
    let rest = bet.filled
    for (const limit of it.limits.toReversed()) {
      const filled = limit.asked - limit.left
      const part = rest < filled ? rest : filled
      limit.left += part
      rest -= part
    }
    return 'success'
  }

  correct(name: string, actor: Someone, earlier: string): string {
    const transfer = this.transfers.get(earlier)
    if (!transfer) return 'transfer.not_found'
    const it = this.of(transfer.target)
    const funder = this.of(transfer.funder)
    if (!this.below(actor, it.who) || !this.below(actor, funder.who)) return 'transfer.not_found'
    if (this.of(actor.id).frozen) return 'transfer.frozen'
    if (transfer.kind === 'correction') return 'transfer.not_correctable'
    if (transfer.corrected) return 'transfer.already_corrected'
    if (transfer.status !== 'success') return 'transfer.not_correctable'
    if (transfer.takes) {
      if (funder.floor !== null && funder.main - transfer.amount < funder.floor)
        return funder.floor < 0n ? 'transfer.over_credit' : 'transfer.not_enough'
      ;[funder.main, it[transfer.wallet]] = [funder.main - transfer.amount, it[transfer.wallet] + transfer.amount]
    } else {
      if (it[transfer.wallet] < transfer.amount) return 'transfer.member_not_enough'
      it[transfer.wallet] -= transfer.amount
      funder.main += transfer.amount
    }
    transfer.corrected = true
    it.limits = it.limits.filter((limit) => limit.name !== earlier)
    if (transfer.kind !== 'toGame') this.tally(transfer, -transfer.amount)
    this.transfers.set(name, { ...transfer, kind: 'correction', corrected: false, asked: false })
    return 'success'
  }

  due(it: AccountState): bigint {
    return it.limits.reduce((sum, { left }) => sum + left, 0n)
  }

  private hasButton(me: AccountState, kind: TransferName) {
    if (!me.dialog) return false
    if (kind === 'makeUp') return me.point && (me.who.role === Role.admin || me.who.role === Role.customerService)
    if (kind === 'gameSend' || kind === 'gameDeduct') return me.point
    return me[kind]
  }
  private mayUseWallet(me: AccountState, it: AccountState, { kind, wallet, inRoom }: MoveTerms) {
    const isGame = kind === 'gameSend' || kind === 'gameDeduct'
    if (wallet === 'main') return !isGame
    if (it.who.role !== Role.member || !it.multi) return false
    if (isGame) return kind === 'gameSend' || me.deduct
    return inRoom && it.chooses && (kind === 'send' || kind === 'gift')
  }
  private turnover(
    me: AccountState,
    it: AccountState,
    { kind, wallet, amount, inRoom, turnover }: MoveTerms,
    takes: boolean,
  ) {
    if (takes || it.who.role !== Role.member) return 0n
    if (wallet === 'game') return amount
    if (it.multi) return 0n
    if (!inRoom) return amount
    if (kind === 'send') return me.modifies && turnover !== undefined ? turnover : amount * me.multiple
    if (turnover === undefined) return amount
    return me.modifies || turnover > amount ? turnover : amount
  }
  succeed(name: string, transfer: ModelTransfer) {
    if (transfer.turnover > 0n)
      this.of(transfer.target).limits.push({ name, asked: transfer.turnover, left: transfer.turnover })
    this.tally(transfer, transfer.amount)
  }
  private giveBack(transfer: ModelTransfer, word: 'rejected' | 'expired' | 'failed') {
    const funder = this.of(transfer.funder)
    if (!transfer.takes) [funder.escrow, funder.main] = [funder.escrow - transfer.amount, funder.main + transfer.amount]
    return this.end(transfer, word)
  }
  private end(transfer: ModelTransfer, word: 'success' | 'rejected' | 'failed' | 'expired') {
    transfer.status = word
    if (transfer.takes) this.of(transfer.target).openAsk = false
    return word
  }
  private tally({ funder, target, takes }: ModelTransfer, amount: bigint) {
    const [given, taken] = this.given.get(funder) ?? [0n, 0n]
    if (this.of(target).who.role === Role.member)
      this.given.set(funder, takes ? [given, taken + amount] : [given + amount, taken])
  }
  private below(actor: Someone, other: Someone) {
    if (actor.role === Role.customerService)
      return (
        other.role === Role.member &&
        this.of(actor.groupId).who.path === other.path.slice(0, this.of(actor.groupId).who.path.length)
      )
    return other.path.startsWith(actor.path)
  }
  of(id: number) {
    const facts = this.people.get(id)
    if (!facts) throw new Error(`no account ${id} in the model`)
    return facts
  }
}
