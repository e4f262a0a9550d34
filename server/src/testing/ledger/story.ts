import { EnvelopeType, Role, TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { parsePoints } from '@tallyroom/contract/points'
import { expect } from 'vitest'
import {
  type OfferTerms,
  type Caps,
  type Envelope,
  openOffer,
  type Party,
  settleOffer,
  type Verdict,
} from '../../ledger/rules/rules.ts'

export type StoryWallet = { balance: bigint; floor: bigint | null; turnoverDue: bigint }
export const points = (text: string) => parsePoints(text) ?? 0n
const names = Object.fromEntries(Object.entries(TransferStatus).map(([name, value]) => [value, name]))

/** Accounts for the rules: top gives to agent, agent and its customer service to the member; a stranger is elsewhere. */
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
    isKey: false,
  })
  const parties: Record<string, Party> = {
    top: party(1, 1, '/1/'),
    agent: party(2, 2, '/1/2/'),
    cs: party(3, 3, '/1/2/3/', '/1/2/'),
    member: party(4, 4, '/1/2/4/', '/1/2/'),
    stranger: party(9, 4, '/1/8/9/', '/1/8/'),
  }
  const newWallet = (floor: bigint | null = 0n): StoryWallet => ({ balance: 0n, floor, turnoverDue: 0n })
  const wallets: Record<string, { main: StoryWallet; escrow: StoryWallet; game: StoryWallet }> = Object.fromEntries(
    Object.keys(parties).map((name) => [
      name,
      { main: newWallet(name === 'top' ? null : 0n), escrow: newWallet(), game: newWallet() },
    ]),
  )
  return { parties, wallets }
}

/**
 * Runs a story, one order a line with the expected outcome last, and checks the rules against it.
 *   set WHO FLAG[=value]        balance WHO WALLET POINTS | floor WHO POINTS
 *   OP ACTOR TARGET POINTS [wallet 2] [room] -> outcome     answer NAME VERDICT -> outcome     overdue NAME
 */
export const runStory = (story: string) => {
  const { parties, wallets } = family()
  const envelopes = new Map<string, { envelope: Envelope; funder: string; target: string; auditAmount: bigint }>()
  const caps: Caps = { envelope: undefined, day: undefined }
  let given = 0n
  const isAsked = new Set<string>()
  const party = (name: string) => parties[name] as Party
  const walletsOf = (name: string) => wallets[name] as { main: StoryWallet; escrow: StoryWallet; game: StoryWallet }
  const sidesOf = (funder: string, target: string) => ({ funder: walletsOf(funder), target: walletsOf(target) })
  const apply = (postings: { wallet: StoryWallet; amount: bigint }[]) => {
    expect(postings.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n)
    for (const { wallet, amount } of postings) wallet.balance += amount
  }
  const move = (words: string[]) => {
    const [kind = '', name = '', actor = '', target = '', amount = ''] = words
    const funder = actor === 'cs' ? 'agent' : actor
    const ask: OfferTerms = {
      transferKind: TransferKind[kind as 'send'],
      wallet: words.includes('game') ? WalletKind.game : WalletKind.main,
      amount: points(amount),
      inRoom: words.includes('room'),
      auditAmount: undefined,
      hasRemark: words.includes('why'),
      overridesTurnover: words.includes('override'),
    }
    const known = parties[target]
    const opened = openOffer<StoryWallet>(ask, {
      actor: party(actor),
      funder: party(funder),
      target: known,
      targetId: known?.id ?? 77,
      isWrongRoom: words.includes('wrong'),
      isAsked: isAsked.has(target),
      mayMove: known?.role !== Role.customerService,
      wallets: known && sidesOf(funder, target),
      caps,
      givenToday: given,
    })
    if (typeof opened === 'string') return opened
    apply(opened.postings)
    const type = kind === 'receive' ? EnvelopeType.ask : EnvelopeType.give
    const { auditAmount, overridesTurnover } = opened
    const envelope: Envelope = { ...ask, type, status: opened.status, isOverdue: false, overridesTurnover }
    if (opened.status === TransferStatus.success) walletsOf(target).main.turnoverDue += auditAmount
    envelopes.set(name, { envelope, funder, target, auditAmount })
    if (type === EnvelopeType.ask && opened.status === TransferStatus.pending) isAsked.add(target)
    return names[opened.status]
  }
  const answer = (name: string, verdict: string) => {
    const found = envelopes.get(name)
    if (!found) throw new Error(`no envelope ${name}`)
    const { envelope, funder, target } = found
    const settled = settleOffer(verdict as Verdict, envelope, {
      funder: party(funder),
      target: party(target),
      wallets: sidesOf(funder, target),
    })
    if (typeof settled === 'string') return settled
    apply(settled.postings)
    envelope.status = settled.status as TransferStatus
    if (settled.status === TransferStatus.success) walletsOf(target).main.turnoverDue += found.auditAmount
    isAsked.delete(target)
    return settled.refusal ? `${names[settled.status]}:${settled.refusal}` : names[settled.status]
  }
  for (const line of story
    .split('\n')
    .map((text) => text.replace(/#.*/, '').trim())
    .filter(Boolean)) {
    const [command = '', a = '', b = '', c = ''] = line.split(/\s+/)
    const expected = line.split('->')[1]?.trim()
    if (command === 'set') Object.assign(party(a), { [b]: c === '' ? true : c === 'off' ? false : Number(c) })
    else if (command === 'floor') walletsOf(a).main.floor = b === 'none' ? null : points(b)
    else if (command === 'has') walletsOf(a)[b as 'main'].balance = points(c)
    else if (command === 'cap') caps[a as 'day'] = points(b)
    else if (command === 'given') given = points(a)
    else if (command === 'due') expect(walletsOf(a).main.turnoverDue, line).toBe(points(b))
    else if (command === 'bet') walletsOf(a).main.turnoverDue -= points(b)
    else if (command === 'overdue') (envelopes.get(a) as { envelope: Envelope }).envelope.isOverdue = true
    else if (command === 'balance') expect(walletsOf(a)[b as 'main'].balance, line).toBe(points(c))
    else if (command === 'answer') expect(answer(a, b), line).toBe(expected)
    else expect(move((line.split('->')[0] ?? '').trim().split(/\s+/)), line).toBe(expected)
  }
}
