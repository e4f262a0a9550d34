import { Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { parsePoints } from '@tallyroom/contract/points'
import { expect } from 'vitest'
import {
  type OfferRequest,
  type Caps,
  type Envelope,
  openOffer,
  type Party,
  settleOffer,
  type Verdict,
} from '../ledger/rules/rules.ts'

export type Purse = { balance: bigint; floor: bigint | null; turnoverDue: bigint }
export const points = (text: string) => parsePoints(text) ?? 0n
const names = Object.fromEntries(Object.entries(TransferStatus).map(([name, value]) => [value, name]))

/** A small world: top gives to agent, agent and its customer service to the member; a stranger stands beside. */
export const family = () => {
  const party = (id: number, role: Party['role'], path: string, groupPath = path): Party => ({
    id,
    role,
    path,
    groupPath,
    isFrozen: false,
    isSub: 0,
    inEventMode: false,
    asksConsent: false,
    hasGame: false,
    choosesWallet: false,
    mayDeductGame: false,
    setsTurnover: false,
    turnoverMultiple: 1,
    maySend: true,
    mayReceive: true,
    mayGift: true,
    mayMakeUp: true,
  })
  const parties: Record<string, Party> = {
    top: party(1, 1, '/1/'),
    agent: party(2, 2, '/1/2/'),
    cs: party(3, 3, '/1/2/3/', '/1/2/'),
    member: party(4, 4, '/1/2/4/', '/1/2/'),
    stranger: party(9, 4, '/1/8/9/', '/1/8/'),
  }
  const purse = (floor: bigint | null = 0n): Purse => ({ balance: 0n, floor, turnoverDue: 0n })
  const purses: Record<string, { main: Purse; escrow: Purse; game: Purse }> = Object.fromEntries(
    Object.keys(parties).map((name) => [
      name,
      { main: purse(name === 'top' ? null : 0n), escrow: purse(), game: purse() },
    ]),
  )
  return { parties, purses }
}

/**
 * Reads a story, one deed a line with the expected outcome last, and holds the rules to it.
 *   set WHO FLAG[=value]        balance WHO WALLET POINTS | floor WHO POINTS
 *   OP ACTOR TARGET POINTS [wallet 2] [room] -> outcome     answer NAME VERDICT -> outcome     overdue NAME
 */
export const tell = (story: string) => {
  const { parties, purses } = family()
  const envelopes = new Map<string, { envelope: Envelope; funder: string; target: string; auditAmount: bigint }>()
  const caps: Caps = { envelope: undefined, day: undefined }
  let given = 0n
  const isAsked = new Set<string>()
  const party = (name: string) => parties[name] as Party
  const purse = (name: string) => purses[name] as { main: Purse; escrow: Purse; game: Purse }
  const wallets = (funder: string, target: string) => ({ funder: purse(funder), target: purse(target) })
  const apply = (postings: { wallet: Purse; amount: bigint }[]) => {
    expect(postings.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n)
    for (const { wallet, amount } of postings) wallet.balance += amount
  }
  const move = (words: string[]) => {
    const [deed = '', name = '', actor = '', target = '', amount = ''] = words
    const funder = actor === 'cs' ? 'agent' : actor
    const ask: OfferRequest = {
      transferKind: TransferKind[deed as 'send'],
      wallet: words.includes('game') ? 2 : 1,
      amount: points(amount),
      inRoom: words.includes('room'),
      auditAmount: undefined,
      hasRemark: words.includes('why'),
      overridesTurnover: words.includes('override'),
    }
    const known = parties[target]
    const opened = openOffer<Purse>(ask, {
      actor: party(actor),
      funder: party(funder),
      target: known,
      targetId: known?.id ?? 77,
      isWrongRoom: words.includes('wrong'),
      isAsked: isAsked.has(target),
      mayMove: known?.role !== Role.customerService,
      wallets: known && wallets(funder, target),
      caps,
      givenToday: given,
    })
    if (typeof opened === 'string') return opened
    apply(opened.postings)
    const type = deed === 'receive' ? 2 : 1
    const { auditAmount, overridesTurnover } = opened
    const envelope: Envelope = { ...ask, type, status: opened.status, isOverdue: false, overridesTurnover }
    if (opened.status === TransferStatus.success) purse(target).main.turnoverDue += auditAmount
    envelopes.set(name, { envelope, funder, target, auditAmount })
    if (type === 2 && opened.status === TransferStatus.pending) isAsked.add(target)
    return names[opened.status]
  }
  const answer = (name: string, verdict: string) => {
    const found = envelopes.get(name)
    if (!found) throw new Error(`no envelope ${name}`)
    const { envelope, funder, target } = found
    const settled = settleOffer(verdict as Verdict, envelope, {
      funder: party(funder),
      target: party(target),
      wallets: wallets(funder, target),
    })
    if (typeof settled === 'string') return settled
    apply(settled.postings)
    envelope.status = settled.status as TransferStatus
    if (settled.status === TransferStatus.success) purse(target).main.turnoverDue += found.auditAmount
    isAsked.delete(target)
    return settled.refusal ? `${names[settled.status]}:${settled.refusal}` : names[settled.status]
  }
  for (const line of story
    .split('\n')
    .map((text) => text.replace(/#.*/, '').trim())
    .filter(Boolean)) {
    const [deed = '', a = '', b = '', c = ''] = line.split(/\s+/)
    const expected = line.split('->')[1]?.trim()
    if (deed === 'set') Object.assign(party(a), { [b]: c === '' ? true : c === 'off' ? false : Number(c) })
    else if (deed === 'floor') purse(a).main.floor = b === 'none' ? null : points(b)
    else if (deed === 'has') purse(a)[b as 'main'].balance = points(c)
    else if (deed === 'cap') caps[a as 'day'] = points(b)
    else if (deed === 'given') given = points(a)
    else if (deed === 'due') expect(purse(a).main.turnoverDue, line).toBe(points(b))
    else if (deed === 'bet') purse(a).main.turnoverDue -= points(b)
    else if (deed === 'overdue') (envelopes.get(a) as { envelope: Envelope }).envelope.isOverdue = true
    else if (deed === 'balance') expect(purse(a)[b as 'main'].balance, line).toBe(points(c))
    else if (deed === 'answer') expect(answer(a, b), line).toBe(expected)
    else expect(move((line.split('->')[0] ?? '').trim().split(/\s+/)), line).toBe(expected)
  }
}
