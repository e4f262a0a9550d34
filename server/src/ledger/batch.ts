import { randomBytes } from 'node:crypto'
import type { ErrorName } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import type { Tx } from '../db.ts'
import type { Hub } from '../hub.ts'
import { mayAct } from '../policy.ts'
import type { Outcome } from '../requests.ts'
import { type Facts, findTerms, type Held, lockWallets, readFacts, type Terms } from './facts.ts'
import type { Answered, AnswerOrder, LapseOrder, Moved, MoveOrder, Order } from './orders.ts'
import { roomFor, showInRooms } from './rooms.ts'
import { ESCROW, GAME, isTaking, type Kind, MAIN, open, type Party, settle, status, type Wallets } from './rules.ts'
import { count, type Draft, emptyDraft, post, writeDraft } from './write.ts'

type Parts = { hub: Hub; clock: { timeZone: string; envelopeHours: number }; orders: Order[] }

/** An order that rests on what should be there and is not: ours to mend, and no fault of its neighbours in the batch. */
export class BrokenOrder extends Error {}

/** Carries out orders in one transaction: lock, read, decide each in its turn, write all at once. Answers each in its place. */
export const runBatch = async (tx: Tx, { hub, clock, orders }: Parts): Promise<Outcome[]> => {
  const termsOf = await findTerms(tx, orders)
  const accountIds = [...new Set(orders.flatMap((order) => concerned(order, termsOf(order))))]
  const wallets = await lockWallets(tx, accountIds)
  const envelopeIds = orders.flatMap((order) => termsOf(order)?.transferId ?? [])
  const facts = await readFacts(tx, orders, accountIds, envelopeIds, clock)

  const book = new Book(facts, wallets, termsOf)
  const outcomes = orders.map((order) => book.carryOut(order))
  await writeDraft(tx, book.draft, facts)
  await showInRooms(tx, hub, book.draft, facts)
  const touched = new Set([...book.draft.moved].map((wallet) => wallet.accountId))
  for (const { terms } of book.draft.settlements) touched.add(terms.funderId).add(terms.targetId)
  tx.afterCommit(() => {
    for (const id of touched) hub.tell(id, 'account', { account_id: id })
  })
  return outcomes
}

/** Whose wallets an order needs. The actor's own are locked too, so that one actor's orders happen one after the other. */
const concerned = (order: Order, terms: Terms | undefined): number[] => {
  const sides = terms ? [terms.funderId, terms.targetId] : []
  if (order.kind === 'move') return [order.actor.id, order.actor.funderId, order.targetId]
  return order.kind === 'answer' ? [order.actor.id, ...sides] : sides
}

/** The state of a batch while its orders are decided. */
class Book {
  readonly draft: Draft = emptyDraft()
  private readonly parties: Map<number, Party>
  private readonly held: Map<string, Held>
  private readonly envelopes: Map<string, Facts['envelopes'][number]>
  private readonly answered: Map<string, { bodyHash: string; answer: Outcome }>
  private readonly asked: Set<number>

  private readonly facts: Facts
  private readonly termsOf: (order: Order) => Terms | undefined

  constructor(facts: Facts, wallets: Held[], termsOf: (order: Order) => Terms | undefined) {
    this.facts = facts
    this.termsOf = termsOf
    this.parties = new Map(facts.parties.map((party) => [party.id, party]))
    this.held = new Map(wallets.map((wallet) => [`${wallet.accountId}/${wallet.kind}`, wallet]))
    this.envelopes = new Map(facts.envelopes.map((envelope) => [envelope.transferId, envelope]))
    this.answered = new Map(facts.answered.map((stored) => [`${stored.actorId}/${stored.requestId}`, stored]))
    this.asked = new Set(facts.asked)
  }

  carryOut(order: Order): Outcome {
    if (order.kind === 'lapse') return { data: this.lapse(order) }
    const { actor, call, request } = order
    const key = `${actor.id}/${request.id.toLowerCase()}`
    const bodyHash = request.hash.toString('hex')
    const earlier = this.answered.get(key)
    if (earlier) return earlier.bodyHash === bodyHash ? earlier.answer : { refused: 'request.id_reused' }
    const done = order.kind === 'move' ? this.move(order) : this.answer(order)
    const answer: Outcome = typeof done === 'string' ? { refused: done } : { data: done }
    this.answered.set(key, { bodyHash, answer })
    this.draft.outcomes.push({ actorId: actor.id, requestId: request.id, call, bodyHash: request.hash, answer })
    return answer
  }

  private move(order: MoveOrder): Moved | ErrorName {
    const { actor, targetId, op, wallet, amount } = order
    const target = this.parties.get(targetId)
    const { room, isWrong } = roomFor(order, this.facts.rooms)
    const opened = open(
      { op, wallet, amount, inRoom: order.room !== undefined, auditAmount: order.room?.auditAmount },
      {
        actor: this.party(actor.id),
        funder: this.party(actor.funderId),
        target,
        targetId,
        isWrongRoom: isWrong,
        isAsked: this.asked.has(targetId),
        mayMove: target !== undefined && mayMove(order, target),
        wallets: target && this.wallets(actor.funderId, targetId),
      },
    )
    if (typeof opened === 'string') return opened
    const id = BigInt(this.facts.ids[this.draft.transfers.length] ?? 0)
    const transactionId = newTransactionId()
    const roomId = room?.id ?? null
    this.draft.transfers.push({ id, transactionId, order, opened, roomId })
    post(this.draft, id, 0, opened.postings)
    const isTaken = isTaking(op)
    if (opened.status === status.success) this.count(actor, targetId, isTaken, amount)
    else if (isTaken) this.asked.add(targetId)
    return {
      transaction_id: transactionId,
      status: opened.status,
      balance: this.balance(actor.funderId, MAIN),
      target_balance: this.balance(targetId, wallet),
    }
  }

  private answer(order: AnswerOrder): Answered | ErrorName {
    const terms = this.termsOf(order)
    // Somebody else's envelope is as absent as one that never was.
    if (!terms || terms.targetId !== order.actor.id) return 'envelope.not_found'
    const settled = this.settle(terms, order.accept ? 'accept' : 'reject', order.actor.id)
    if (typeof settled === 'string') return settled
    return {
      transaction_id: terms.transactionId,
      status: settled.status,
      balance: this.balance(terms.targetId, terms.wallet),
    }
  }

  private lapse(order: LapseOrder): boolean {
    const terms = this.termsOf(order)
    if (!terms) return false
    const before = this.draft.settlements.length
    this.settle(terms, 'lapse', null)
    return this.draft.settlements.length > before
  }

  private settle(terms: Terms, verdict: 'accept' | 'reject' | 'lapse', by: number | null) {
    const { transferId, funderId, targetId, type, wallet, amount } = terms
    const envelope = this.envelopes.get(String(transferId))
    if (!envelope) throw new BrokenOrder(`envelope ${transferId} was not read`)
    const settled = settle(
      verdict,
      { type, wallet, amount, status: envelope.status, isOverdue: envelope.isOverdue },
      { funder: this.party(funderId), target: this.party(targetId), wallets: this.wallets(funderId, targetId) },
    )
    if (typeof settled === 'string') return settled
    envelope.status = settled.status
    if (type === 2) this.asked.delete(targetId)
    const isEnded = settled.status === status.expired || settled.status === status.failed
    this.draft.settlements.push({ terms, status: settled.status, by: isEnded ? null : by })
    post(this.draft, transferId, 1, settled.postings)
    if (settled.status === status.success) this.count({ funderId, topId: terms.topId }, targetId, type === 2, amount)
    return settled.refusal ?? settled
  }

  private count(from: { funderId: number; topId: number }, targetId: number, isTaken: boolean, amount: bigint) {
    if (this.party(targetId).role === 4) count(this.draft, { id: from.funderId, topId: from.topId }, isTaken, amount)
  }

  private party(id: number): Party {
    const party = this.parties.get(id)
    if (!party) throw new BrokenOrder(`account ${id} was not read`)
    return party
  }

  private wallet(accountId: number, kind: Kind): Held {
    const wallet = this.held.get(`${accountId}/${kind}`)
    if (!wallet) throw new BrokenOrder(`account ${accountId} has no wallet ${kind}`)
    return wallet
  }

  private wallets(funderId: number, targetId: number): Wallets<Held> {
    return {
      funder: { main: this.wallet(funderId, MAIN), escrow: this.wallet(funderId, ESCROW) },
      target: { main: this.wallet(targetId, MAIN), game: this.held.get(`${targetId}/${GAME}`) },
    }
  }

  private balance(accountId: number, kind: Kind): string {
    return formatPoints(this.wallet(accountId, kind).balance)
  }
}

/** The right to move points of such accounts from a list; a deposit only gives. */
const mayMove = (order: MoveOrder, target: Party) =>
  mayAct(order.actor, 'user/transaction', target.role) ||
  (!isTaking(order.op) && mayAct(order.actor, 'user/transaction', target.role, 'giving'))

/** A UUID of version 7: it begins with the time, so that its index grows at one end and stays in memory. */
const newTransactionId = () => {
  const hex = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
