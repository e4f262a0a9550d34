import { randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../data/sql.ts'
import { type Person, startTestServer } from '../testing/app.ts'
import { type Platform, platform } from '../testing/fakes/platform.ts'
import { outcomeOf } from '../testing/outcome.ts'
import { asSuperuser } from '../testing/postgres.ts'

// Fourteen hours ahead of UTC: days of UTC would have other figures for most of the day.
const server = await startTestServer({ TIME_ZONE: 'Pacific/Kiritimati' })

const dayOf = (days: number) => new Date(Date.now() + (14 + days * 24) * 3_600_000).toISOString().slice(0, 10)
const days = (from: number, to: number) => ({ start_date: dayOf(from), end_date: dayOf(to) })
/** What happened so far becomes a day older. */
const nextDay = () =>
  asSuperuser(async (tx) => {
    await run(tx, sql`update postings set created_at = created_at - interval '1 day'`)
    await run(tx, sql`update transfers set created_at = created_at - interval '1 day'`)
    await run(tx, sql`update envelopes set settled_at = settled_at - interval '1 day'`)
    await run(tx, sql`delete from posting_marks`)
  })

/** An answer without these fields, at any depth. */
const without = (names: readonly string[], answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value: unknown) => (names.includes(name) ? undefined : value)))
const ours = ['third_party_id']

type Page = { data: unknown[]; next: string | null }
/** The rows of all pages, and how many pages there were. */
const allPages = async (api: Platform, name: string, asked: object) => {
  const rows: unknown[] = []
  let pages = 0
  for (let after: string | null = ''; after !== null; pages++) {
    const page = (await api.call(name, after === '' ? asked : { ...asked, after })) as Page
    rows.push(...page.data)
    after = page.next
  }
  return { rows, pages }
}
const refusalOf = async (api: Platform, name: string, body: object) => outcomeOf((await api.post(name, body)).reply)

/** A platform with an agent below another, two members with points, and an envelope that is held. */
const prepared = async () => {
  const family = await server.family()
  const { top, agent, member } = family
  const api = await platform(server, top)
  const sub = await server.person({ role: Role.agent, under: agent, points: '100' })
  const second = await server.person({ role: Role.member, under: sub })
  const give = (by: Person, to: Person, amount: string) => by.call('user/transaction', { id: to.id, amount })
  await give(agent, member, '10.0001')
  await give(sub, second, '60')
  const ids = { username: member.username, set: { third_party_id: `own-${member.id}` } }
  await api.call('member/set', ids)
  await nextDay()
  await give(agent, member, '5')
  await give(agent, member, '-2.5')
  await give(sub, second, '7')
  await api.call('points/give', { username: member.username, amount: '3' })
  await api.call('bet/report', { username: member.username, bet_id: randomUUID(), amount: '4', valid: '2' })
  await agent.call('user/edit', { id: member.id, withdraw_confirm: 1 })
  await api.call('points/offer', { username: member.username, amount: '8' })
  return { ...family, sub, second, api, give }
}

test('[API-06] a statement has the figures of the office, of one account and of all below it, over pages', async () => {
  const { top, agent, sub, member, api } = await prepared()
  for (const [asked, inOffice] of [
    [{}, {}],
    [{ scope: 'branch' }, { scope: 'branch' }],
    [
      { scope: 'branch', by: agent.username },
      { scope: 'branch', by: agent.username },
    ],
    [
      { username: sub.username, scope: 'direct' },
      { id: sub.id, scope: 'direct' },
    ],
    [
      { username: agent.username.toUpperCase(), wallet: 3 },
      { id: agent.id, wallet: 3 },
    ],
    [{ third_party_id: `own-${member.id}` }, { id: member.id }],
  ] as const) {
    const range = days(-1, 0)
    const view = await top.call('statement/view', { ...inOffice, ...range })
    const apart = ['drawn_up', 'seal', 'group', 'id']
    expect(without([...ours, ...apart], await api.call('statement/view', { ...asked, ...range }))).toEqual(
      without(apart, view),
    )
    const { data } = await top.call('statement/lines', { ...inOffice, ...range })
    const { rows, pages } = await allPages(api, 'statement/lines', { ...asked, ...range, per_page: 2 })
    expect(without([...ours, 'id'], rows)).toEqual(without(['id'], data))
    expect(rows.map((row) => (row as { id: string }).id)).toEqual(data.map(({ id }) => id))
    expect([rows.length, pages]).toEqual([view.lines, Math.max(1, Math.ceil(view.lines / 2))])
  }
  const one = await api.call('statement/view', { username: member.username, ...days(0, 0) })
  expect(one).toMatchObject({
    account: { username: member.username, third_party_id: `own-${member.id}`, role_id: Role.member },
    time_zone: 'Pacific/Kiritimati',
    opening: '10.0001',
    in: '8.0000',
    out: '6.5000',
    closing: '11.5001',
    lines: 4,
  })
  expect(await api.call('statement/view', { username: top.username, ...days(0, 0) })).toMatchObject({
    held: '8.0000',
    held_lines: [{ reason: 'envelope', amount: '8.0000', member: { third_party_id: `own-${member.id}` } }],
  })
})

test('[API-06] SR02 has the figures of the office, each way, of all and of one branch, over pages', async () => {
  const { top, agent, member, second, api } = await prepared()
  const rowsOf = (answer: object) => (answer as { data: { id: number }[] }).data
  for (const asked of [
    { by: 'operator' },
    { by: 'branch' },
    { by: 'person' },
    { by: 'service' },
    { by: 'member' },
    { by: 'member', what: 'bets' },
  ] as const)
    for (const under of [top, agent]) {
      const office = await top.call('report/sr02', { ...asked, ...days(-1, 0), under: under.id })
      const body = { ...asked, ...days(-1, 0), username: under.username }
      const whole = (await api.call('sr02/view', body)) as Page
      expect(whole).toMatchObject({ total: office.total, days: office.days, cut: false, next: null })
      const byNumber = rowsOf(office).toSorted((one, other) => one.id - other.id)
      expect([asked, without(ours, whole.data)]).toEqual([asked, without(['id'], byNumber)])
      const { rows, pages } = await allPages(api, 'sr02/view', { ...body, per_page: 1 })
      expect([rows, pages]).toEqual([whole.data, Math.max(1, byNumber.length)])
    }
  const { data } = (await api.call('sr02/view', { by: 'member', ...days(0, 0) })) as Page
  expect(data).toMatchObject([
    { username: member.username, third_party_id: `own-${member.id}`, total_in: '8.0000', total_out: '2.5000' },
    { username: second.username, third_party_id: null, total_in: '7.0000' },
  ])
})

test('[API-06] closed periods and settlements of the top account are listed newest first, over pages', async () => {
  const { top, agent, api, give } = await prepared()
  const other = await server.person({ role: Role.agent, under: top, points: '7' })
  for (const back of [3, 2, 1]) {
    await nextDay()
    await give(top, agent, String(back))
    await give(top, other, '1')
  }
  await nextDay()
  for (const day of [-4, -3, -2, -1]) await top.call('period/close', days(day, day))
  const periods = await top.call('period/list', {})
  expect(periods.data).toHaveLength(4)
  expect(await allPages(api, 'period/list', { per_page: 3 })).toEqual({ rows: periods.data, pages: 2 })
  const settlements = (await top.call('settlement/list', {})).data
  expect(settlements.length).toBeGreaterThan(4)
  const [first] = settlements
  await top.call('settlement/settle', { id: first?.id ?? 0, remark: 'cash' })
  const office = await top.call('settlement/list', {})
  const found = await allPages(api, 'settlement/list', { per_page: 2 })
  expect(without(ours, found.rows)).toEqual(without(['upline', 'own'], office.data))
  expect(found.pages).toBe(Math.ceil(office.data.length / 2))
  expect(found.rows[0]).toMatchObject({ state: 'settled', remark: 'cash' })
  // A key settles what is open, once, and the log names it.
  const open = settlements.find(({ state, id }) => state === 'open' && id !== first?.id)?.id ?? 0
  const settling = { id: open, remark: 'bank 5512', request_id: randomUUID() }
  const settled = await api.call('settlement/settle', settling)
  expect([settled, await api.call('settlement/settle', settling)]).toEqual([{ id: open, state: 'settled' }, settled])
  expect((await top.call('settlement/list', {})).data.find(({ id }) => id === open)).toMatchObject({
    state: 'settled',
    remark: 'bank 5512',
  })
  expect(await refusalOf(api, 'settlement/settle', { ...settling, request_id: randomUUID() })).toBe(
    'settlement.already_settled',
  )
  const foreign = await platform(server, (await server.family()).top)
  expect(await refusalOf(foreign, 'settlement/settle', { ...settling, request_id: randomUUID() })).toBe(
    'settlement.not_found',
  )
  expect((await top.call('audit/list', { actor: api.id })).data.map(({ kind }) => kind)).toEqual([
    'settlement_settled',
    'account_edited',
  ])
  // An agent's own periods are its own: the platform sees those of its top account.
  await agent.call('period/close', days(-1, -1))
  expect(await allPages(api, 'period/list', {})).toEqual({ rows: periods.data, pages: 1 })
  const { closing } = periods.data[0] ?? {}
  expect(await api.call('statement/view', { scope: 'branch', ...days(-1, -1) })).toMatchObject({
    closing,
    closed_until: dayOf(-1),
  })
})

test('[API-06] a key reads below its top account alone, and each wrong input has a refusal of its own', async () => {
  const { top, agent, member, api } = await prepared()
  const stranger = (await server.family()).top
  const foreign = await platform(server, stranger)
  const calls = ['statement/view', 'statement/lines', 'sr02/view'] as const
  const third = { third_party_id: `own-${member.id}` }
  for (const name of calls) {
    for (const who of [{ username: member.username }, { username: agent.username }, { username: top.username }, third])
      expect(await refusalOf(foreign, name, { ...who, ...days(0, 0) })).toBe('account.not_found')
    for (const username of ['nobody', api.id, stranger.username])
      expect(await refusalOf(api, name, { username, ...days(0, 0) })).toBe('account.not_found')
    for (const [from, to] of [
      [0, -1],
      [-400, 0],
    ] as const)
      expect(await refusalOf(api, name, days(from, to))).toBe('report.range_invalid')
    expect(await refusalOf(api, name, { ...third, username: member.username, ...days(0, 0) })).toBe('request.invalid')
  }
  for (const name of ['statement/view', 'statement/lines'] as const) {
    expect(await refusalOf(api, name, days(0, 1))).toBe('statement.in_future')
    for (const by of ['nobody', stranger.username])
      expect(await refusalOf(api, name, { by, ...days(0, 0) })).toBe('statement.unknown_person')
  }
  expect(await foreign.call('period/list', {})).toEqual({ data: [], next: null })
  expect(await foreign.call('settlement/list', {})).toEqual({ data: [], next: null })
  const cursors = { 'statement/lines': 'lines-1-9999999999-1', 'sr02/view': 'sr02-1', 'period/list': 'period-1' }
  const asked = { 'statement/lines': days(0, 0), 'sr02/view': days(0, 0), 'period/list': {}, 'settlement/list': {} }
  for (const [name, body] of Object.entries(asked))
    for (const [of, after] of Object.entries({ ...cursors, 'settlement/list': 'settlement-1', none: '1' })) {
      const { reply } = await api.post(name, { ...body, after })
      const reason = 'Not a cursor of this call: send `next` of its last answer'
      if (of === name) expect([name, after, reply.refusal]).toEqual([name, after, undefined])
      else
        expect([name, after, reply.data]).toEqual([
          name,
          after,
          { field: 'after', errors: [{ pointer: '/after', reason }] },
        ])
    }
})
