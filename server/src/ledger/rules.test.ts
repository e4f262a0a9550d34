import { parsePoints } from '@tallyroom/contract/points'
import { expect, test } from 'vitest'
import { type Ask, type Envelope, op, open, type Party, settle, status, type Status, type Verdict } from './rules.ts'

type Purse = { balance: bigint; floor: bigint | null }
const points = (text: string) => parsePoints(text) ?? 0n
const names = Object.fromEntries(Object.entries(status).map(([name, value]) => [value, name]))

/** A small world: top gives to agent, agent and its customer service to the member; a stranger stands beside. */
const family = () => {
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
  })
  const parties: Record<string, Party> = {
    top: party(1, 1, '/1/'),
    agent: party(2, 2, '/1/2/'),
    cs: party(3, 3, '/1/2/3/', '/1/2/'),
    member: party(4, 4, '/1/2/4/', '/1/2/'),
    stranger: party(9, 4, '/1/8/9/', '/1/8/'),
  }
  const purse = (floor: bigint | null = 0n): Purse => ({ balance: 0n, floor })
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
const tell = (story: string) => {
  const { parties, purses } = family()
  const envelopes = new Map<string, { envelope: Envelope; funder: string; target: string }>()
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
    const ask: Ask = {
      op: op[deed as keyof typeof op],
      wallet: words.includes('game') ? 2 : 1,
      amount: points(amount),
      inRoom: words.includes('room'),
      auditAmount: undefined,
    }
    const known = parties[target]
    const opened = open<Purse>(ask, {
      actor: party(actor),
      funder: party(funder),
      target: known,
      targetId: known?.id ?? 77,
      isWrongRoom: words.includes('wrong'),
      isAsked: isAsked.has(target),
      mayMove: known?.role !== 3,
      wallets: known && wallets(funder, target),
    })
    if (typeof opened === 'string') return opened
    apply(opened.postings)
    const type = deed === 'receive' ? 2 : 1
    const envelope: Envelope = { type, status: opened.status, wallet: ask.wallet, amount: ask.amount, isOverdue: false }
    envelopes.set(name, { envelope, funder, target })
    if (type === 2 && opened.status === status.pending) isAsked.add(target)
    return names[opened.status]
  }
  const answer = (name: string, verdict: string) => {
    const found = envelopes.get(name)
    if (!found) throw new Error(`no envelope ${name}`)
    const { envelope, funder, target } = found
    const settled = settle(verdict as Verdict, envelope, {
      funder: party(funder),
      target: party(target),
      wallets: wallets(funder, target),
    })
    if (typeof settled === 'string') return settled
    apply(settled.postings)
    envelope.status = settled.status as Status
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
    else if (deed === 'overdue') (envelopes.get(a) as { envelope: Envelope }).envelope.isOverdue = true
    else if (deed === 'balance') expect(purse(a)[b as 'main'].balance, line).toBe(points(c))
    else if (deed === 'answer') expect(answer(a, b), line).toBe(expected)
    else expect(move((line.split('->')[0] ?? '').trim().split(/\s+/)), line).toBe(expected)
  }
}

test('[TRF-11] refusals of a transfer, in their order of precedence', () =>
  tell(`
    set cs isFrozen
    send t cs agent 0                 -> transfer.amount_invalid
    send t cs cs 1                    -> transfer.to_yourself
    send t cs agent 1                 -> transfer.to_yourself      # its purse and upline
    send t agent top 1                -> transfer.to_yourself
    send t cs stranger 1              -> account.not_found
    send t cs nobody 1                -> account.not_found
    send t agent cs 1 room            -> account.not_found         # envelopes are for members
    send t cs member 1 room wrong     -> room.not_found
    send t agent cs 1                 -> access.denied             # no such right on that list
    send t cs member 1 game           -> access.denied
    send t cs member 1                -> transfer.frozen
    set cs isFrozen off
    set member inEventMode
    send t cs member 1 room           -> transfer.event_mode
    send t cs member 1                -> transfer.not_enough
    floor agent -5
    send t cs member 6                -> transfer.over_credit
    send t cs member 5                -> success
    balance agent main -5
  `))

test('[TRF-02] a minus takes, but never into credit', () =>
  tell(`
    has agent main 10
    floor member -100
    send t1 agent member 4            -> success
    receive t2 agent member 4.0001    -> transfer.member_not_enough
    receive t3 agent member 4         -> success
    receive t4 agent member 0.0001    -> transfer.member_not_enough
    send t5 top agent 1               -> success
    balance agent main 11
    balance top main -1
    send t6 top agent 900000          -> success                   # S21: -1 is a number, not unlimited
    floor agent -1
    receive t7 top agent 900012       -> transfer.member_not_enough
    receive t8 top agent 900011       -> success
    balance agent main 0
  `))

test('[S21] a balance of exactly -1 is not unlimited', () =>
  tell(`
    floor agent -1
    send t1 agent member 1            -> success
    balance agent main -1
    send t2 agent member 0.0001       -> transfer.over_credit
  `))

test('[TRF-03] [TRF-04] the game wallet gives back only with the right to it', () =>
  tell(`
    has agent main 10
    gameSend g1 agent member 5 game   -> access.denied             # one wallet only
    set member hasGame
    gameSend g2 agent member 5 game   -> success
    balance member game 5
    gameDeduct g3 agent member 1 game -> access.denied
    set member mayDeductGame
    gameDeduct g4 agent member 1 game -> access.denied             # it is the actor's right
    set agent mayDeductGame
    gameDeduct g5 agent member 6 game -> transfer.member_not_enough
    gameDeduct g6 agent member 5 game -> success
    send r1 agent member 1 game room  -> access.denied
    set member choosesWallet
    send r2 agent member 1 game room  -> success
    receive r3 agent member 1 game room -> access.denied
    gameSend r4 agent cs 1 game       -> access.denied
  `))

test('[ENV-06] an envelope that asks is held until it ends, once', () =>
  tell(`
    has agent main 10
    set member asksConsent
    send e1 cs member 4 room          -> pending
    balance agent main 6
    balance agent escrow 4
    balance member main 0
    send e2 agent member 6.5 room     -> transfer.not_enough       # what is held cannot be given twice
    answer e1 lapse                   -> envelope.already_settled  # not due
    answer e1 accept                  -> success
    answer e1 accept                  -> envelope.already_settled
    answer e1 reject                  -> envelope.already_settled
    balance agent escrow 0
    balance member main 4
    send e3 agent member 1 room       -> pending
    answer e3 reject                  -> rejected
    answer e3 accept                  -> envelope.already_settled
    balance agent main 6
    send e4 agent member 2 room       -> pending
    overdue e4
    answer e4 accept                  -> expired:envelope.expired  # too late, and said so
    answer e4 accept                  -> envelope.expired
    balance agent main 6
    balance agent escrow 0
    send e5 agent member 1            -> success                   # from a list nobody is asked
  `))

test('[ENV-06] a request for points holds nothing, is one at a time, and fails when the member is short', () =>
  tell(`
    has member main 3
    set agent asksConsent
    receive q1 agent member 5 room    -> pending
    receive q2 agent member 1 room    -> transfer.one_open_at_a_time
    balance member main 3
    answer q1 accept                  -> failed:envelope.member_not_enough
    answer q1 accept                  -> envelope.already_settled
    receive q3 agent member 3 room    -> pending
    answer q3 accept                  -> success
    balance agent main 3
    balance member main 0
    receive q4 agent member 1 room    -> pending
    answer q4 reject                  -> rejected
    receive q5 agent member 1 room    -> pending
    overdue q5
    answer q5 lapse                   -> expired
    answer q5 reject                  -> envelope.expired
  `))

test('[ENV-05] event mode and freezing stop what is open; what was held goes back', () =>
  tell(`
    has agent main 10
    set member asksConsent
    send e1 agent member 4 room       -> pending
    set member inEventMode
    answer e1 accept                  -> transfer.event_mode
    set member inEventMode off
    set member isFrozen
    answer e1 accept                  -> transfer.frozen
    answer e1 lapse                   -> failed
    balance agent main 10
    balance agent escrow 0
    set member isFrozen off
    send e2 agent member 4 room       -> pending
    set member inEventMode
    answer e2 reject                  -> rejected                  # giving back is no envelope
    receive q1 agent member 1 room    -> transfer.event_mode
    receive q2 agent member 1         -> transfer.member_not_enough # lists know no event mode
  `))

test('[ENV-03] the turnover that a transfer asks for is worked out here', () => {
  const { parties, purses } = family()
  const { agent, member } = parties as { agent: Party; member: Party }
  const given = purses as Record<'agent' | 'member', { main: Purse; escrow: Purse; game: Purse }>
  const asked = (ask: Partial<Ask>) => {
    given.agent.main.balance = points('1000')
    const opened = open<Purse>(
      { op: op.send, wallet: 1, amount: points('2.5'), inRoom: true, auditAmount: undefined, ...ask },
      {
        actor: agent,
        funder: agent,
        target: member,
        targetId: member.id,
        isWrongRoom: false,
        isAsked: false,
        mayMove: true,
        wallets: { funder: given.agent, target: given.member },
      },
    )
    return typeof opened === 'string' ? opened : opened.auditAmount
  }
  agent.turnoverMultiple = 3
  expect(asked({})).toBe(points('7.5'))
  expect(asked({ auditAmount: points('1') }), 'not his to say').toBe(points('7.5'))
  agent.setsTurnover = true
  expect(asked({ auditAmount: points('1') })).toBe(points('1'))
  expect(asked({ auditAmount: points('-1') })).toBe('transfer.amount_invalid')
  expect(asked({ inRoom: false })).toBe(0n)
  member.hasGame = true
  expect(asked({ auditAmount: points('1') })).toBe(0n)
  expect(asked({ op: op.gameSend, wallet: 2, inRoom: false }), 'once over').toBe(points('2.5'))
})
