import { Role } from '@tallyroom/contract/codes'
import type { Someone } from './ledger-world.ts'

export type Pocket = 'main' | 'game'
export type Facts = {
  who: Someone
  main: bigint
  game: bigint
  escrow: bigint
  floor: bigint | null
  openAsk: boolean
  /** Turnover that is asked for, oldest first, each with what is left of it. */
  limits: { name: string; left: bigint }[]
  frozen: boolean
  event: boolean
  asks: boolean
  multi: boolean
  chooses: boolean
  deduct: boolean
  modifies: boolean
  dialog: boolean
  send: boolean
  receive: boolean
  gift: boolean
  point: boolean
  multiple: bigint
}
export const someFacts = (who: Someone, floor: bigint | null): Facts => ({
  who,
  main: 0n,
  game: 0n,
  escrow: 0n,
  floor,
  openAsk: false,
  limits: [],
  frozen: false,
  event: false,
  asks: false,
  multi: false,
  chooses: false,
  deduct: false,
  modifies: false,
  dialog: true,
  send: true,
  receive: true,
  gift: true,
  point: true,
  multiple: 1n,
})

export type TransferName = 'send' | 'receive' | 'gift' | 'makeUp' | 'gameSend' | 'gameDeduct'
export type Wish = {
  deed: TransferName
  pocket: Pocket
  amount: bigint
  inRoom: boolean
  remark: string
  turnover?: bigint | undefined
  override: boolean
}
type Done = {
  kind: TransferName | 'toGame' | 'bet' | 'win' | 'correction'
  funder: number
  target: number
  amount: bigint
  pocket: Pocket
  takes: boolean
  turnover: bigint
  override: boolean
  asked: boolean
  status: 'pending' | 'success' | 'rejected' | 'failed'
  corrected: boolean
}

/** The ledger as a child would write it: one thing after the other, in plain words, sharing no code with the real one. */
export class Model {
  readonly people = new Map<number, Facts>()
  /** Everything that was moved or offered, by a name of the test's. */
  readonly deeds = new Map<string, Done>()
  readonly said = new Map<string, { body: string; word: string }>()
  readonly bets = new Map<string, { member: number; amount: bigint; valid: bigint }>()
  readonly given = new Map<number, [bigint, bigint]>()
  house = 0n

  once(actor: number, id: string, body: string, work: () => string): string {
    const before = this.said.get(`${actor} ${id}`)
    if (before) return before.body === body ? before.word : 'request.id_reused'
    const word = work()
    this.said.set(`${actor} ${id}`, { body, word })
    return word
  }

  move(name: string, actor: Someone, targetId: number, wish: Wish): string {
    const { deed, pocket, amount, inRoom } = wish
    const me = this.of(actor.id)
    const purse = this.of(actor.funderId)
    const it = this.people.get(targetId)
    const takes = deed === 'receive' || deed === 'gameDeduct'
    if (amount <= 0n) return 'transfer.amount_invalid'
    if (targetId === actor.id || targetId === actor.funderId || me.who.path.includes(`/${targetId}/`))
      return 'transfer.to_yourself'
    if (!it || !this.below(actor, it.who) || (inRoom && it.who.role !== Role.member)) return 'account.not_found'
    if (inRoom ? !this.hasButton(me, deed) : it.who.role !== Role.agent && it.who.role !== Role.member)
      return 'access.denied'
    if (!this.rightPocket(me, it, wish)) return 'access.denied'
    if (deed === 'makeUp' && wish.remark === '') return 'transfer.remark_needed'
    if (me.frozen || purse.frozen || it.frozen) return 'transfer.frozen'
    if (inRoom && (it.event || this.of(it.who.groupId).event)) return 'transfer.event_mode'
    const turnover = this.turnover(me, it, wish, takes)
    if (turnover < 0n) return 'transfer.amount_invalid'

    const envelope = inRoom && (deed === 'send' || deed === 'receive')
    const waits = envelope && (it.asks || purse.asks)
    const override = envelope && takes && wish.override && me.modifies
    const sides = { funder: actor.funderId, target: targetId, pocket, takes, override }
    const status = waits ? 'pending' : 'success'
    const done: Done = { ...sides, kind: deed, amount, turnover, asked: waits, status, corrected: false }
    if (takes) {
      if (envelope && this.due(it) > 0n && !override) return 'transfer.flow_limit_open'
      if (waits && it.openAsk) return 'transfer.one_open_at_a_time'
      if (!waits && it[pocket] < amount) return 'transfer.member_not_enough'
      if (waits) it.openAsk = true
      else [it[pocket], purse.main] = [it[pocket] - amount, purse.main + amount]
    } else {
      if (purse.floor !== null && purse.main - amount < purse.floor)
        return purse.floor < 0n ? 'transfer.over_credit' : 'transfer.not_enough'
      purse.main -= amount
      if (waits) purse.escrow += amount
      else it[pocket] += amount
    }
    this.deeds.set(name, done)
    if (!waits) this.succeed(name, done)
    return done.status
  }

  answer(actor: Someone, name: string, accept: boolean): string {
    const deed = this.deeds.get(name)
    if (!deed?.asked || deed.target !== actor.id) return 'envelope.not_found'
    if (deed.status !== 'pending') return 'envelope.already_settled'
    const it = this.of(deed.target)
    const purse = this.of(deed.funder)
    if (!accept) {
      if (!deed.takes) [purse.escrow, purse.main] = [purse.escrow - deed.amount, purse.main + deed.amount]
      return this.end(deed, 'rejected')
    }
    if (it.frozen || purse.frozen) return 'transfer.frozen'
    if (it.event || this.of(it.who.groupId).event) return 'transfer.event_mode'
    if (deed.takes && this.due(it) > 0n && !deed.override) return 'transfer.flow_limit_open'
    if (deed.takes && it[deed.pocket] < deed.amount) {
      this.end(deed, 'failed')
      return 'envelope.member_not_enough'
    }
    if (deed.takes) [it.main, purse.main] = [it.main - deed.amount, purse.main + deed.amount]
    else [purse.escrow, it[deed.pocket]] = [purse.escrow - deed.amount, it[deed.pocket] + deed.amount]
    this.succeed(name, deed)
    return this.end(deed, 'success')
  }

  toGame(name: string, actor: Someone, amount: bigint): string {
    const it = this.of(actor.id)
    if (amount <= 0n) return 'transfer.amount_invalid'
    if (!it.multi) return 'access.denied'
    if (it.frozen) return 'transfer.frozen'
    if (it.main < amount) return 'transfer.not_enough'
    ;[it.main, it.game] = [it.main - amount, it.game + amount]
    const sides = { funder: actor.id, target: actor.id, pocket: 'game', takes: false, override: false } as const
    const done: Done = {
      ...sides,
      kind: 'toGame',
      amount,
      turnover: amount,
      asked: false,
      status: 'success',
      corrected: false,
    }
    this.deeds.set(name, done)
    it.limits.push({ name, left: amount })
    return 'success'
  }

  bet(kind: 'bet' | 'win', betId: string, memberId: number, amount: bigint, valid: bigint): string {
    const before = this.bets.get(`${kind} ${betId}`)
    if (before) {
      const isSame =
        before.member === memberId && before.amount === amount && (kind === 'win' || before.valid === valid)
      return isSame ? 'success' : 'bet.id_reused'
    }
    const it = this.people.get(memberId)
    if (it?.who.role !== Role.member) return 'account.not_found'
    if (kind === 'win' && this.bets.get(`bet ${betId}`)?.member !== memberId) return 'bet.not_found'
    if (amount <= 0n || (kind === 'bet' && (valid < 0n || valid > amount))) return 'transfer.amount_invalid'
    if (kind === 'bet' && it.frozen) return 'transfer.frozen'
    const pocket = it.multi ? 'game' : 'main'
    if (kind === 'bet' && it[pocket] < amount) return 'transfer.member_not_enough'
    const change = kind === 'bet' ? -amount : amount
    it[pocket] += change
    this.house -= change
    this.bets.set(`${kind} ${betId}`, { member: memberId, amount, valid })
    let rest = kind === 'bet' ? valid : 0n
    for (const limit of it.limits) {
      const part = rest < limit.left ? rest : limit.left
      limit.left -= part
      rest -= part
    }
    return 'success'
  }

  correct(name: string, actor: Someone, earlier: string): string {
    const deed = this.deeds.get(earlier)
    if (!deed) return 'transfer.not_found'
    const it = this.of(deed.target)
    const purse = this.of(deed.funder)
    if (!this.below(actor, it.who) || !this.below(actor, purse.who)) return 'transfer.not_found'
    if (this.of(actor.id).frozen) return 'transfer.frozen'
    if (deed.kind === 'correction') return 'transfer.not_correctable'
    if (deed.corrected) return 'transfer.already_corrected'
    if (deed.status !== 'success') return 'transfer.not_correctable'
    if (deed.takes) {
      if (purse.floor !== null && purse.main - deed.amount < purse.floor)
        return purse.floor < 0n ? 'transfer.over_credit' : 'transfer.not_enough'
      ;[purse.main, it[deed.pocket]] = [purse.main - deed.amount, it[deed.pocket] + deed.amount]
    } else {
      if (it[deed.pocket] < deed.amount) return 'transfer.member_not_enough'
      it[deed.pocket] -= deed.amount
      purse.main += deed.amount
    }
    deed.corrected = true
    it.limits = it.limits.filter((limit) => limit.name !== earlier)
    if (deed.kind !== 'toGame') this.tally(deed, -deed.amount)
    this.deeds.set(name, { ...deed, kind: 'correction', corrected: false, asked: false })
    return 'success'
  }

  due(it: Facts): bigint {
    return it.limits.reduce((sum, { left }) => sum + left, 0n)
  }

  private hasButton(me: Facts, deed: TransferName) {
    if (!me.dialog) return false
    if (deed === 'makeUp') return me.point && (me.who.role === Role.admin || me.who.role === Role.customerService)
    if (deed === 'gameSend' || deed === 'gameDeduct') return me.point
    return me[deed]
  }
  private rightPocket(me: Facts, it: Facts, { deed, pocket, inRoom }: Wish) {
    const isGameDeed = deed === 'gameSend' || deed === 'gameDeduct'
    if (pocket === 'main') return !isGameDeed
    if (it.who.role !== Role.member || !it.multi) return false
    if (isGameDeed) return deed === 'gameSend' || me.deduct
    return inRoom && it.chooses && (deed === 'send' || deed === 'gift')
  }
  private turnover(me: Facts, it: Facts, { deed, pocket, amount, inRoom, turnover }: Wish, takes: boolean) {
    if (takes || it.who.role !== Role.member) return 0n
    if (pocket === 'game') return amount
    if (it.multi) return 0n
    if (!inRoom) return amount
    if (deed === 'send') return me.modifies && turnover !== undefined ? turnover : amount * me.multiple
    if (turnover === undefined) return amount
    return me.modifies || turnover > amount ? turnover : amount
  }
  private succeed(name: string, deed: Done) {
    if (deed.turnover > 0n) this.of(deed.target).limits.push({ name, left: deed.turnover })
    this.tally(deed, deed.amount)
  }
  private end(deed: Done, word: 'success' | 'rejected' | 'failed') {
    deed.status = word
    if (deed.takes) this.of(deed.target).openAsk = false
    return word
  }
  private tally({ funder, target, takes }: Done, amount: bigint) {
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
    if (!facts) throw new Error(`nobody is ${id}`)
    return facts
  }
}
