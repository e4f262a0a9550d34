import { TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { outcome, type Someone, world } from '../../testing/ledger/world.ts'
import { turnoverLimits } from '../read/turnover-limits.ts'

const w = await world({ processes: 3 })
const processAt = (at: number) => w.ledgers[at % 3] ?? w.ledger

type Family = Record<'top' | 'agent' | 'cs' | 'member', Someone>
/**
 * Runs a story, one order a line with the expected outcome last, and checks the ledger against it.
 *   KIND NAME ACTOR POINTS -> outcome         to or from the member; `list` or `room` says where from
 *   bet|win ID POINTS [valid POINTS]          void ID     correct NAME     toGame POINTS     freeze | thaw     several wallets
 *   limits LEFT/ASKED …                       oldest first; lifted ones as left*asked
 */
const tell = async (story: string) => {
  const family: Family = await w.family()
  const { top, agent, member } = family
  const points = (text = '0') => BigInt(Math.round(Number(text) * 10_000))
  const ids = new Map<string, string>()
  const known = async <T extends { status: number; transaction_id: string }>(name: string, call: Promise<T>) => {
    void call.then(
      (done) => ids.set(name, done.transaction_id),
      () => {},
    )
    return outcome(call)
  }
  const played = (call: Promise<unknown>) => outcome(call.then(() => ({ status: TransferStatus.success })))
  const flag = (column: string, value: number) =>
    w.db.query(`update accounts set ${column} = $1 where id = $2`, [value, member.id])
  const commands: Record<string, (words: string[]) => Promise<unknown>> = {
    move: ([kind = '', name = '', who = '', amount, where]) => {
      const terms = {
        transferKind: TransferKind[kind as 'send'],
        remark: 'why',
        ...(kind.startsWith('game') ? { wallet: WalletKind.game } : {}),
      }
      const order = w.order(family[who as 'cs'], member.id, points(amount), where === 'room' ? w.inRoom(terms) : terms)
      return known(name, w.ledger.move(order))
    },
    bet: ([, betId = '', amount, , valid]) => {
      const bet = { topId: top.id, memberId: member.id, betId: `${member.id}-${betId}`, amount: points(amount) }
      return played(w.ledger.bet(valid ? { ...bet, valid: points(valid) } : bet))
    },
    win: ([, betId = '', amount]) =>
      played(
        w.ledger.win({ topId: top.id, memberId: member.id, betId: `${member.id}-${betId}`, amount: points(amount) }),
      ),
    void: ([, betId = '']) => played(w.ledger.voidBet({ topId: top.id, betId: `${member.id}-${betId}` })),
    correct: ([, name = '']) => {
      const order = { ...w.order(top, 0, 0n), transactionId: ids.get(name) ?? randomUUID(), remark: 'why' }
      return known(`${name}-corrected`, w.ledger.correct(order))
    },
    toGame: ([, amount]) => known('own', w.ledger.toGame({ ...w.order(member, 0, 0n), amount: points(amount) })),
    freeze: () => flag('status', 0),
    thaw: () => flag('status', 1),
    several: () => flag('is_multiple_wallet', 1),
    asks: () => flag('withdraw_confirm', 1),
    has: async () => `${await w.balance(member)} ${await w.balance(member, 2)} ${await w.balance(agent)}`,
    limits: async () => {
      const { rows } = await turnoverLimits(w.db, member.id, 'UTC', { page: 1, per_page: 100 })
      const shown = rows.map(
        ({ asked, filled, lifted }) => `${filled / 10_000n}${lifted ? '*' : '/'}${asked / 10_000n}`,
      )
      return shown.toReversed().join(' ')
    },
  }
  for (const line of story.split('\n').map((text) => text.replace(/#.*/, '').trim())) {
    if (!line) continue
    const [said = '', expected] = line.split('->').map((text) => text.trim())
    const words = said.split(/\s+/)
    const [command = ''] = words
    const got = await (command in commands ? commands[command] : commands.move)?.(words)
    if (expected !== undefined) expect(got, line).toBe(expected)
  }
  await w.isSound()
}

test('[FLOW-01] [TRF-13] bets fill the oldest limit first, the surplus flows on, and a bet counts once', () =>
  tell(`
    send a agent 10 list              -> success
    send b cs 5 room                  -> success
    limits                            -> 0/10 0/5
    bet 1 4                           -> success
    bet 1 4                           -> success                   # the same again
    limits                            -> 4/10 0/5
    bet 1 3                           -> bet.id_reused
    bet 2 8 valid 7                   -> success
    limits                            -> 10/10 1/5
    bet 3 3 valid 4                   -> transfer.amount_invalid
    bet 3 3 valid 0                   -> success                   # a stake that is no turnover
    limits                            -> 10/10 1/5
    bet 4 1                           -> transfer.member_not_enough
    win 2 20                          -> success
    win 2 20                          -> success
    win 9 1                           -> bet.not_found
    win 2 21                          -> bet.id_reused
    receive c cs 1 room               -> transfer.flow_limit_open
    bet 5 15                          -> success
    limits                            -> 10/10 5/5
    send d agent 3 list               -> success                   # what was left over is lost for later limits
    limits                            -> 10/10 5/5 0/3
  `))

test('[FLOW-01] points that enter the game wallet must be turned over once, whatever their way', () =>
  tell(`
    several
    send a agent 20 list              -> success
    limits                            ->
    toGame 8                          -> success
    toGame 13                         -> transfer.not_enough
    gameSend b agent 5 list           -> success
    gameSend c cs 4 room              -> success
    limits                            -> 0/8 0/5 0/4
    bet 1 10                          -> success
    has                               -> 120000 70000 9710000
    limits                            -> 8/8 2/5 0/4
    freeze
    bet 2 1                           -> transfer.frozen
    toGame 1                          -> transfer.frozen
    win 1 3                           -> success                   # it was won before
    thaw
    has                               -> 120000 100000 9710000
  `))

test('[TRF-12] a correction reverses a transfer and lifts the rest of its limit', () =>
  tell(`
    send a agent 10 list              -> success
    gift b cs 10 room                 -> success
    makeUp c cs 10 room               -> success
    bet 1 15                          -> success
    limits                            -> 10/10 5/10 0/10
    correct b                         -> success
    limits                            -> 10/10 5*10 0/10           # what was filled of it stays filled
    correct b                         -> transfer.already_corrected
    correct b-corrected               -> transfer.not_correctable
    has                               -> 50000 0 9800000
    correct a                         -> transfer.member_not_enough
    win 1 5                           -> success
    freeze
    correct a                         -> success                   # also of a frozen account
    limits                            -> 10*10 5*10 0/10
    thaw
    asks
    send d cs 3 room                  -> pending
    correct d                         -> transfer.not_correctable
    receive e agent 0 list            -> transfer.amount_invalid
    receive f agent 0.0001 list       -> transfer.member_not_enough
    correct unknown                   -> transfer.not_found
    win 1 5                           -> success
    correct c                         -> transfer.member_not_enough
  `))

test('[API-02] a bet without a win is voided once: its points go back to their wallet, and its turnover is due again', () =>
  tell(`
    send a agent 10 list              -> success
    send b cs 5 room                  -> success
    bet 1 4                           -> success
    bet 2 8 valid 7                   -> success
    limits                            -> 10/10 1/5
    void 9                            -> bet.not_found
    void 1                            -> success
    void 1                            -> success                   # the same again
    limits                            -> 7/10 0/5
    has                               -> 70000 0 9850000
    bet 1 4                           -> bet.voided
    bet 1 3                           -> bet.id_reused
    win 1 1                           -> bet.voided
    win 2 1                           -> success
    void 2                            -> bet.has_win
    bet 3 2                           -> success
    freeze
    void 3                            -> success                   # it was taken before
    thaw
    has                               -> 80000 0 9850000
    limits                            -> 7/10 0/5
    bet 4 8 valid 5                   -> success
    limits                            -> 10/10 2/5
    correct b                         -> transfer.member_not_enough
    win 4 8                           -> success
    correct b                         -> success
    limits                            -> 10/10 2*5
    bet 5 3                           -> success
    void 5                            -> success                   # it had filled nothing
    limits                            -> 10/10 2*5
  `))

test('[API-02] the turnover of a voided bet is not due where its limit was lifted, and the game wallet gets its own back', () =>
  tell(`
    several
    send a agent 20 list              -> success
    toGame 6                          -> success
    bet 1 4                           -> success
    limits                            -> 4/6
    gameSend b agent 3 list           -> success
    correct own                       -> transfer.member_not_enough
    win 1 0.0001                      -> success
    bet 2 1                           -> success
    limits                            -> 5/6 0/3
    gameSend c agent 3 list           -> success
    correct own                       -> success
    limits                            -> 5*6 0/3 0/3
    void 2                            -> success                   # nothing of the open limits was filled
    limits                            -> 5*6 0/3 0/3
    has                               -> 200000 20001 9740000
    bet 3 1                           -> success
    win 3 10                          -> success
    bet 4 5                           -> success
    limits                            -> 5*6 3/3 3/3               # no more is due than they ask for
  `))

test('[TRF-12] a bet and a win reported ten times at once, in three processes, move points once', async () => {
  const { top, agent, member } = await w.family()
  await w.ledger.move(w.order(agent, member.id, 1_000_000n))
  const bets = Array.from({ length: 40 }, () => ({
    topId: top.id,
    memberId: member.id,
    betId: randomUUID(),
    amount: 10_000n,
  }))
  const report = async (kind: 'bet' | 'win') => {
    const answers = await Promise.all(
      bets.map((bet) => Promise.all(Array.from({ length: 10 }, (_, at) => processAt(at)[kind](bet)))),
    )
    for (const same of answers) expect(same).toEqual(same.map(() => same[0]))
  }
  await report('bet')
  expect(await w.balance(member)).toBe(600_000n)
  await report('win')
  expect(await w.balance(member)).toBe(1_000_000n)
  expect(await many(w.db, sql`select flow_due from wallets where account_id = ${member.id} and kind = 1`)).toEqual([
    { flow_due: 600_000n },
  ])
  const gameAccounts = await many(w.db, sql`select from accounts where role_id = 0 and top_id = ${top.id}`)
  expect(gameAccounts).toHaveLength(1)
  await w.isSound()
})

test('[API-02] a bet is voided or won, never both, whichever of three processes is first', async () => {
  const { top, agent, member } = await w.family()
  await w.ledger.move(w.order(agent, member.id, 1_000_000n))
  const ids = Array.from({ length: 30 }, () => ({ topId: top.id, betId: randomUUID() }))
  const bets = ids.map((id) => ({ ...id, memberId: member.id, amount: 10_000n }))
  await Promise.all(bets.map((bet) => w.ledger.bet(bet)))
  const done = (call: Promise<unknown>) => outcome(call.then(() => ({ status: TransferStatus.success })))
  const words = await Promise.all(
    bets.map((bet, at) =>
      Promise.all([
        done(processAt(at).voidBet(bet)),
        done(processAt(at + 1).win({ ...bet, amount: 20_000n })),
        done(processAt(at + 2).voidBet(bet)),
      ]),
    ),
  )
  const wins = words.filter(([, win]) => win === 'success').length
  for (const one of words)
    expect([
      ['success', 'bet.voided', 'success'],
      ['bet.has_win', 'success', 'bet.has_win'],
    ]).toContainEqual(one)
  expect(await w.balance(member)).toBe(1_000_000n + BigInt(wins) * 10_000n)
  await w.isSound()
})

test('[TRF-12] one transfer corrected by many at once, in three processes, is reversed once', async () => {
  const { top, agent, cs, member } = await w.family()
  const sent = await Promise.all(
    Array.from({ length: 20 }, () => w.ledger.move(w.order(cs, member.id, 10_000n, w.inRoom()))),
  )
  const all = sent.flatMap(({ transaction_id: transactionId }) =>
    Array.from({ length: 6 }, (_, at) =>
      outcome(processAt(at).correct({ ...w.order(top, 0, 0n), transactionId, remark: 'all of it' })),
    ),
  )
  const words = await Promise.all(all)
  expect(words.filter((word) => word === 'success')).toHaveLength(20)
  expect(words.filter((word) => word === 'transfer.already_corrected')).toHaveLength(100)
  expect([await w.balance(member), await w.balance(agent)]).toEqual([0n, 10_000_000n])
  await w.isSound()
})

test('[ENV-06] a request for points is checked again when it is accepted: a limit may have been opened since', async () => {
  const { agent, cs, member } = await w.family()
  await w.ledger.move(w.order(agent, member.id, 50_000n))
  await w.meetTurnover(member)
  await run(w.db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const asked = await w.ledger.move(w.order(cs, member.id, 10_000n, w.inRoom({ transferKind: TransferKind.receive })))
  await w.ledger.move(w.order(agent, member.id, 1n))
  expect(await outcome(w.ledger.answer(w.reply(member, asked.transaction_id, true)))).toBe('transfer.flow_limit_open')
  await w.meetTurnover(member)
  expect(await outcome(w.ledger.answer(w.reply(member, asked.transaction_id, true)))).toBe('success')
  await w.isSound()
})
