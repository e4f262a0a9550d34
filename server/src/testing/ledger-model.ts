import type { Someone } from './ledger-world.ts'

export type Facts = {
  who: Someone
  main: bigint
  game: bigint
  escrow: bigint
  floor: bigint | null
  frozen: boolean
  event: boolean
  asks: boolean
  multi: boolean
  deduct: boolean
  openAsk: boolean
}
type Offer = { funder: number; target: number; amount: bigint; taking: boolean; status: string }

/** The ledger as a child would write it: one thing after the other, in plain words, sharing no code with the real one. */
export class Model {
  readonly people = new Map<number, Facts>()
  readonly offers = new Map<string, Offer>()
  readonly said = new Map<string, { body: string; word: string }>()
  readonly given = new Map<number, [bigint, bigint]>()

  once(actor: number, id: string, body: string, work: () => string): string {
    const before = this.said.get(`${actor} ${id}`)
    if (before) return before.body === body ? before.word : 'request.id_reused'
    const word = work()
    this.said.set(`${actor} ${id}`, { body, word })
    return word
  }

  move(
    actor: Someone,
    targetId: number,
    amount: bigint,
    kind: 'list' | 'game' | 'room',
    taking: boolean,
  ): [string, Offer | undefined] {
    const me = this.of(actor.id)
    const purse = this.of(actor.funderId)
    const it = this.people.get(targetId)
    if (amount <= 0n) return ['transfer.amount_invalid', undefined]
    if (targetId === actor.id || targetId === actor.funderId || me.who.path.includes(`/${targetId}/`))
      return ['transfer.to_yourself', undefined]
    if (!it || !this.below(actor, it.who) || (kind === 'room' && it.who.role !== 4))
      return ['account.not_found', undefined]
    if (kind !== 'room' && it.who.role !== 2 && it.who.role !== 4) return ['access.denied', undefined]
    if (kind === 'game' && (it.who.role !== 4 || !it.multi || (taking && !me.deduct)))
      return ['access.denied', undefined]
    if (me.frozen || purse.frozen || it.frozen) return ['transfer.frozen', undefined]
    if (kind === 'room' && (it.event || this.of(it.who.groupId).event)) return ['transfer.event_mode', undefined]
    const offer: Offer = { funder: actor.funderId, target: targetId, amount, taking, status: 'pending' }
    const asks = kind === 'room' && (it.asks || purse.asks)
    const pocket = kind === 'game' ? 'game' : 'main'
    if (taking) {
      if (asks && it.openAsk) return ['transfer.one_open_at_a_time', undefined]
      if (asks) {
        it.openAsk = true
        return ['pending', offer]
      }
      if (it[pocket] < amount) return ['transfer.member_not_enough', undefined]
      it[pocket] -= amount
      purse.main += amount
      this.tally(actor.funderId, it.who, amount, true)
      return ['success', undefined]
    }
    if (purse.floor !== null && purse.main - amount < purse.floor)
      return [purse.floor < 0n ? 'transfer.over_credit' : 'transfer.not_enough', undefined]
    purse.main -= amount
    if (asks) {
      purse.escrow += amount
      return ['pending', offer]
    }
    it[pocket] += amount
    this.tally(actor.funderId, it.who, amount, false)
    return ['success', undefined]
  }

  answer(actor: Someone, id: string, accept: boolean): string {
    const offer = this.offers.get(id)
    if (!offer || offer.target !== actor.id) return 'envelope.not_found'
    if (offer.status !== 'pending') return 'envelope.already_settled'
    const it = this.of(offer.target)
    const purse = this.of(offer.funder)
    if (!accept) {
      if (!offer.taking) [purse.escrow, purse.main] = [purse.escrow - offer.amount, purse.main + offer.amount]
      return this.end(offer, 'rejected')
    }
    if (it.frozen || purse.frozen) return 'transfer.frozen'
    if (it.event || this.of(it.who.groupId).event) return 'transfer.event_mode'
    if (offer.taking && it.main < offer.amount) {
      this.end(offer, 'failed')
      return 'envelope.member_not_enough'
    }
    if (offer.taking) [it.main, purse.main] = [it.main - offer.amount, purse.main + offer.amount]
    else [purse.escrow, it.main] = [purse.escrow - offer.amount, it.main + offer.amount]
    this.tally(offer.funder, it.who, offer.amount, offer.taking)
    return this.end(offer, 'success')
  }

  private end(offer: Offer, word: string) {
    offer.status = word
    if (offer.taking) this.of(offer.target).openAsk = false
    return word
  }
  private tally(funder: number, target: Someone, amount: bigint, taking: boolean) {
    const [given, taken] = this.given.get(funder) ?? [0n, 0n]
    if (target.role === 4) this.given.set(funder, taking ? [given, taken + amount] : [given + amount, taken])
  }
  private below(actor: Someone, other: Someone) {
    if (actor.role === 3)
      return (
        other.role === 4 &&
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
