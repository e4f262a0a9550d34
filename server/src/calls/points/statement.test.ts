import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { markPostings } from '../../ledger/read/posting-marks.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { limit } from '../../testing/approvals.ts'
import { asSuperuser } from '../../testing/postgres.ts'

// Fourteen hours ahead of UTC: counting days in UTC would miss most transfers.
const server = await startTestServer({ TIME_ZONE: 'Pacific/Kiritimati' })
const { db } = server.services

const dayOf = (days: number) => new Date(Date.now() + (14 + days * 24) * 3_600_000).toISOString().slice(0, 10)
const today = () => ({ start_date: dayOf(0), end_date: dayOf(0) })
/** What happened so far was yesterday. */
const anotherDay = () =>
  asSuperuser(async (tx) => {
    await run(tx, sql`update postings set created_at = created_at - interval '1 day'`)
    await run(tx, sql`update transfers set created_at = created_at - interval '1 day'`)
    await run(tx, sql`delete from posting_marks`)
  })
const lineOf = ({
  amount,
  balance,
  type,
  by,
}: {
  amount: string
  balance: string | null
  type: number
  by: string
}) => [type, amount, balance, by]

test('[BOOK-01] a statement has opening, each movement with its balance, and closing, of the days asked for', async () => {
  const { agent, cs, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '10.0001', remark: 'first' })
  await anotherDay()
  await agent.call('user/transaction', { id: member.id, amount: '5' })
  await cs.call('user/transaction', { id: member.id, amount: '-2.5' })
  for (const viewer of [agent, cs]) {
    const view = await viewer.call('statement/view', { id: member.id, ...today() })
    expect(view).toMatchObject({
      account: { id: member.id, username: member.username, role_id: Role.member },
      upline: viewer === agent ? { username: agent.username } : { username: '' },
      group: `Nick ${agent.username}`,
      opening: '10.0001',
      in: '5.0000',
      out: '2.5000',
      others: '0.0000',
      closing: '12.5001',
      held: '0.0000',
      lines: 2,
      held_lines: [],
      accounts: 1,
    })
    const { data, next } = await viewer.call('statement/lines', { id: member.id, ...today() })
    expect(data.map(lineOf)).toEqual([
      [1, '5.0000', '15.0001', agent.username],
      [2, '-2.5000', '12.5001', cs.username],
    ])
    expect(next).toBe(null)
  }
  const [line] = (await cs.call('statement/lines', { id: member.id, ...today() })).data
  expect([line?.account.id, line?.other.id], 'customer service has no page of its agent').toEqual([
    member.id,
    undefined,
  ])
  const before = { start_date: dayOf(-1), end_date: dayOf(-1) }
  const first = await agent.call('statement/lines', { username: member.username.toUpperCase(), ...before })
  expect(first.data).toMatchObject([
    {
      amount: '10.0001',
      balance: '10.0001',
      remark: 'first',
      wallet: WalletKind.main,
      at: expect.stringContaining(dayOf(-1)),
      account: { id: member.id, username: member.username },
      other: { id: agent.id, username: agent.username, role_id: Role.agent, wallet: WalletKind.main },
    },
  ])
  expect(await agent.call('statement/view', { id: member.id, ...before })).toMatchObject({
    opening: '0.0000',
    closing: '10.0001',
  })
})

test('[BOOK-01] own wallets, the direct downline and the whole branch; pages continue where the last one ended', async () => {
  const { agent, member } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent, points: '100' })
  const theirs = await server.person({ role: Role.member, under: sub })
  await sub.call('user/transaction', { id: theirs.id, amount: '40' })
  await agent.call('user/transaction', { id: member.id, amount: '7' })
  const sums = async (scope: 'own' | 'direct' | 'branch') => {
    const { opening, closing, accounts, ...view } = await agent.call('statement/view', { scope, ...today() })
    return { opening, in: view.in, out: view.out, closing, accounts, lines: view.lines }
  }
  const own = { opening: '0.0000', in: '1000.0000', out: '107.0000', closing: '893.0000', accounts: 1, lines: 3 }
  expect(await sums('own')).toEqual(own)
  expect(await sums('direct')).toMatchObject({ in: '107.0000', out: '40.0000', closing: '67.0000', lines: 3 })
  // Points that move inside the branch are one line on each side.
  expect(await sums('branch')).toMatchObject({ in: '1147.0000', out: '147.0000', closing: '1000.0000', lines: 7 })
  const read: unknown[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await agent.call('statement/lines', {
      scope: 'branch',
      per_page: 2,
      ...today(),
      ...(after ? { after } : {}),
    })
    expect(page.data.length).toBeLessThanOrEqual(2)
    read.push(...page.data.map(({ id }) => id))
    after = page.next
  }
  const whole = await agent.call('statement/lines', { scope: 'branch', ...today() })
  expect(read).toEqual(whole.data.map(({ id }) => id))
  expect(whole.data.at(-1)?.balance).toBe('1000.0000')
  while (await markPostings(db));
  expect(await agent.call('statement/lines', { scope: 'branch', ...today() })).toEqual(whole)
  // A place before the period brings nothing from before it.
  const late = await agent.call('statement/lines', { scope: 'branch', ...today(), after: '1-1-1' })
  expect(late).toEqual(whole)
})

test('[BOOK-01] envelopes, requests for points out and approvals are held beside the balance, as lines of their own', async () => {
  const { top, agent, cs, member } = await server.family()
  await top.call('setting/save', { cash_requests: 1 })
  await agent.call('user/transaction', { id: member.id, amount: '50' })
  await server.meetTurnover(member)
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const offer = await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '3',
    remark: 'offer',
  })
  await limit(agent, cs, 4, { transfer: '1' })
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.makeUp, amount: '2', remark: 'waits' })
  const view = await agent.call('statement/view', { ...today() })
  expect(view.time_zone).toBe('Pacific/Kiritimati')
  expect(view.held).toBe('5.0000')
  expect(view.held_lines).toMatchObject([
    { reason: 'envelope', amount: '3.0000', transaction_id: offer.transaction_id, remark: 'offer' },
    { reason: 'approval', amount: '2.0000', member: { username: member.username }, remark: 'waits' },
  ])
  // What is held has left the main wallet, and is in the wallet of held points.
  expect(view.closing).toBe('945.0000')
  const escrow = await agent.call('statement/view', { wallet: WalletKind.escrow, ...today() })
  expect(escrow).toMatchObject({ closing: '5.0000', held: '0.0000', held_lines: [] })
  const before = await agent.call('statement/lines', { ...today() })
  expect(before.data.at(-1)).toMatchObject({
    amount: '-2.0000',
    other: { username: agent.username, wallet: WalletKind.escrow },
  })
  await member.call('envelope/answer', { transaction_id: offer.transaction_id, accept: true })
  expect((await agent.call('statement/view', { ...today() })).held).toBe('2.0000')
  const branch = await agent.call('statement/view', { scope: 'branch', ...today() })
  expect([branch.held, branch.held_lines.length]).toEqual(['2.0000', 1])
})

test('[BOOK-01] by the person who acted: only their movements, and what others moved as one sum', async () => {
  const { agent, cs, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '5' })
  await cs.call('user/transaction', { id: member.id, amount: '1.5' })
  await cs.call('user/transaction', { id: member.id, amount: '-1' })
  const by = cs.username.toUpperCase()
  const view = await agent.call('statement/view', { id: member.id, by, ...today() })
  expect(view).toMatchObject({
    opening: '0.0000',
    in: '1.5000',
    out: '1.0000',
    others: '5.0000',
    closing: '5.5000',
    lines: 2,
  })
  const { data } = await agent.call('statement/lines', { id: member.id, by, ...today() })
  expect(data.map(lineOf)).toEqual([
    [1, '1.5000', null, cs.username],
    [2, '-1.0000', null, cs.username],
  ])
  expect(await agent.ask('statement/view', { id: member.id, by: 'nobody', ...today() })).toMatchObject({
    refusal: 'statement.unknown_person',
  })
})

test('[BOOK-01] [S28] [S31] the file has opening, movements, closing and held; it is audited, and no cell is a formula', async () => {
  const { agent, cs, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '2', remark: '=HYPERLINK("http://x")' })
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '3', remark: '@sum(A1)' })
  const { name, csv, cut } = await agent.call('statement/export', { ...today() })
  expect(name).toBe(`statement-${agent.username}-${dayOf(0)}-${dayOf(0)}.csv`)
  const rows = csv.split('\r\n').filter(Boolean)
  expect(rows).toHaveLength(1 + 1 + 3 + 1 + 1)
  expect(rows[1]).toMatch(/"Opening balance".*"0\.0000"$/)
  expect(rows.at(-2)).toMatch(/"Closing balance".*"1000\.0000","5\.0000","995\.0000"$/)
  expect(rows.at(-1)).toMatch(/"Red envelope, not answered yet".*"3\.0000"$/)
  expect(csv).toContain('"\'=HYPERLINK(""http://x"")"')
  expect(csv).toContain('"\'@sum(A1)"')
  expect(cut).toBe(false)
  const kept = await one<{ facts: unknown; target: number }>(
    db,
    sql`select facts, target_id as target from audit_log where kind = 'exported' order by id desc limit 1`,
  )
  expect(kept).toEqual({ facts: { what: 'statement', rows: 3 }, target: agent.id })
})

test('[BOOK-01] a foreign account is one that does not exist, and a wrong period is refused in words', async () => {
  const { agent, cs, member } = await server.family()
  const stranger = (await server.family()).member
  const ask = async (who: Person, asked: object) => {
    const replies = await Promise.all(
      (['statement/view', 'statement/lines'] as const).map((name) => who.ask(name, { ...today(), ...asked })),
    )
    expect(replies[1]).toEqual(replies[0])
    return replies[0]?.refusal
  }
  for (const who of [agent, cs]) {
    expect(await ask(who, { id: stranger.id })).toBe('account.not_found')
    expect(await ask(who, { id: 2_000_000_000 })).toBe('account.not_found')
    expect(await ask(who, { username: stranger.username })).toBe('account.not_found')
    expect(await ask(who, { username: member.username.slice(0, -1) }), 'a part of a name').toBe('account.not_found')
  }
  expect(await ask(cs, { id: agent.id })).toBe('account.not_found')
  expect(await ask(agent, { start_date: dayOf(0), end_date: dayOf(-1) })).toBe('report.range_invalid')
  expect(await ask(agent, { start_date: '2016-01-01' })).toBe('report.range_invalid')
  expect(await ask(agent, { end_date: dayOf(1) })).toBe('statement.in_future')
  expect(await ask(agent, { start_date: dayOf(1), end_date: dayOf(2) })).toBe('statement.in_future')
  expect(await ask(agent, { start_date: '2026-02-30' })).toBe('request.invalid')
})

test('[BOOK-01] a wrong mark is never printed: the statement fails, and the ledger check names the wallet', async () => {
  const { top, agent, member } = await server.family()
  for (let i = 0; i < 20; i++) await agent.call('user/transaction', { id: member.id, amount: '1' })
  while (await markPostings(db));
  const undo = await one<{ wallet: number }>(
    db,
    sql`update posting_marks m set total_in = total_in + 1 from wallets w
      where w.id = m.wallet_id and w.account_id = ${member.id} returning w.id as wallet`,
  )
  expect((await agent.ask('statement/view', { id: member.id, ...today() })).refusal).toBe('server.failed')
  const { findings } = await top.call('report/check', {})
  const { breaches } = findings.find(({ rule }) => rule === 'marks') ?? { breaches: [] }
  expect(breaches).toEqual([`wallet ${undo?.wallet} at 16`])
  await run(db, sql`delete from posting_marks`)
  expect((await agent.call('statement/view', { id: member.id, ...today() })).closing).toBe('20.0000')
})
