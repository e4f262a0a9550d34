import { randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import type { MemberApi } from '@tallyroom/contract/member-api'
import { beforeAll, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { besideTransaction, one, run, sql } from '../../data/sql.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/app.ts'
import { limit } from '../../testing/approvals.ts'
import { bankRules } from '../../testing/bank.ts'
import { type Platform, platform } from '../../testing/fakes/platform.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const db = () => server.services.db
type Data<N extends keyof MemberApi> = z.output<MemberApi[N]['response']>
const ask = async (api: Platform, name: keyof MemberApi, body: object) =>
  (await api.post(name, { request_id: randomUUID(), ...body })).reply
const call = async <N extends keyof MemberApi>(api: Platform, name: N, body: object) =>
  (await api.call(name, body)) as Data<N>
const world = async (rights?: Parameters<typeof platform>[2]) => {
  const family = await server.family()
  return { ...family, api: await platform(server, family.top, rights) }
}
/** A platform with two admins that wants a second one for credit and rights. */
const guarded = async () => {
  const family = await world()
  const second = await server.person({ role: Role.admin, under: family.top })
  await family.top.call('change/saveRules', { kinds: ['credit', 'rights'] })
  return { ...family, second }
}
const kindsOf = async (top: Person, api: Platform) =>
  (await top.call('audit/list', { actor: api.id })).data.map(({ kind }) => kind)

test('[API-05] an account without a username gets its own id as one, or one with its first letters, once', async () => {
  const { api, top } = await world()
  const short = randomUUID().slice(0, 8)
  expect(await api.call('member/add', { third_party_id: short })).toMatchObject({ username: short })
  const long = randomUUID()
  const body = { third_party_id: long, request_id: randomUUID() }
  const made = await call(api, 'member/add', body)
  expect(made.username).toMatch(new RegExp(`^${long.slice(0, 4)}[a-z2-9]{6}$`))
  expect(await call(api, 'member/add', body)).toEqual(made)
  expect(outcomeOf(await ask(api, 'member/add', { third_party_id: long }))).toBe('account.third_party_id_taken')
  // The id is a name, but not a free one.
  const { api: other } = await world()
  const taken = await call(other, 'member/add', { third_party_id: short })
  expect(taken.username).toMatch(new RegExp(`^${short.slice(0, 4)}[a-z2-9]{6}$`))
  for (const third_party_id of ['用户-7', '…']) {
    const { username } = await call(api, 'member/add', { third_party_id })
    expect(username).toMatch(/^[A-Za-z0-9]{6,10}$/)
  }
  const agent = await call(api, 'agent/add', { third_party_id: 'Branch 12' })
  const below = await call(api, 'member/add', { third_party_id: `m-${long}`, parent_third_party_id: 'Branch 12' })
  expect(await api.call('account/view', { username: below.username })).toMatchObject({ parent: agent.username })
  const neither = await ask(api, 'member/add', {})
  expect([outcomeOf(neither), neither.data]).toMatchObject(['request.invalid', { field: 'username' }])
  const both = await ask(api, 'member/add', { third_party_id: 'x', parent: top.username, parent_third_party_id: 'y' })
  expect([outcomeOf(both), both.data]).toMatchObject(['request.invalid', { field: 'parent' }])
})

test('[API-05] accounts are found and listed as a tree, with credit and balance, page by page', async () => {
  const { api, top, agent, cs, member } = await world()
  const sub = await server.person({ role: Role.agent, under: agent, limit: '100' })
  const below = await server.person({ role: Role.member, under: sub })
  await sub.call('transaction/add', { member_id: below.id, type: 1, amount: '30' })
  expect(await api.call('account/view', { username: sub.username })).toMatchObject({
    username: sub.username,
    role_id: 2,
    parent: agent.username,
    group: sub.username,
    balance: '-30.0000',
    limit_of_credit: '100.0000',
    used_credit: '30.0000',
    unlimited: false,
    abilities: { may_approve: 0, gift_red_envelope_button_visible: 1, transfer_member_flow_limit_multiple: 1 },
    limits: [1, 2, 3, 4, 5, 6].map((type) => ({ type, transfer: null, hour: null, day: null, member: null })),
  })
  expect(await api.call('account/view', { username: below.username })).toMatchObject({
    parent: sub.username,
    group: sub.username,
    balance: '30.0000',
    abilities: null,
    limits: null,
  })
  expect(await api.call('account/view', { username: top.username })).toMatchObject({ parent: '', unlimited: true })
  const rows: Data<'account/list'>['data'] = []
  let after: string | undefined
  do {
    const page = await call(api, 'account/list', { per_page: 2, ...(after ? { after } : {}) })
    rows.push(...page.data)
    after = page.next ?? undefined
  } while (after)
  expect(rows.map(({ username, parent, role_id }) => [username, parent, role_id])).toEqual([
    [agent.username, top.username, 2],
    [cs.username, agent.username, 3],
    [member.username, agent.username, 4],
    [sub.username, agent.username, 2],
    [below.username, sub.username, 4],
  ])
  const namesOf = async (body: object) => (await call(api, 'account/list', body)).data.map(({ username }) => username)
  expect(await namesOf({ username: agent.username, direct: true, role_id: 4 })).toEqual([member.username])
  expect(await namesOf({ username: sub.username })).toEqual([below.username])
  expect(await namesOf({ direct: true })).toEqual([agent.username])
  const stranger = await platform(server, (await server.family()).top)
  for (const username of [agent.username, api.id, 'nobody'])
    for (const name of ['account/view', 'account/list'] as const)
      expect(outcomeOf((await stranger.post(name, { username })).reply)).toBe('account.not_found')
})

test('[API-05] an agent is renamed, given credit, abilities and limits, and frozen; the log names the key', async () => {
  const { api, top, agent } = await world()
  const set = {
    nickname: 'North branch',
    limit_of_credit: '500',
    abilities: { deduct_point_button_visible: 1, transfer_member_flow_limit_multiple: 3 },
    limits: [{ type: 1, transfer: '100', hour: null, day: '1000.5', member: null }],
  }
  const changed = await call(api, 'agent/set', { username: agent.username, set })
  expect(changed).toMatchObject({
    nickname: 'North branch',
    limit_of_credit: '500.0000',
    abilities: { deduct_point_button_visible: 1, transfer_member_flow_limit_multiple: 3, may_approve: 0 },
  })
  expect(changed.limits[0]).toEqual({ type: 1, transfer: '100.0000', hour: null, day: '1000.5000', member: null })
  expect(changed).not.toHaveProperty('approval')
  expect(await top.call('user/abilities', { id: agent.id })).toMatchObject({ limit_of_credit: '500.0000' })
  await api.call('agent/set', { username: agent.username, set: { status: 0 } })
  expect(await agent.ask('room/list', {})).toBeRefusal('session.dead')
  expect(await kindsOf(top, api)).toEqual([
    'account_frozen',
    'account_edited',
    'limits_changed',
    // Its customer service has the higher multiple, too.
    'abilities_changed',
    'abilities_changed',
  ])
})

test('[API-05] nobody below an agent gets what the agent lacks, and loses what it loses', async () => {
  const { api, top, agent } = await world()
  const sub = await server.person({ role: Role.agent, under: agent })
  const give = { deduct_point_button_visible: 1 }
  expect(outcomeOf(await ask(api, 'agent/set', { username: sub.username, set: { abilities: give } }))).toBe(
    'account.upline_has_not',
  )
  for (const { username } of [agent, sub]) await api.call('agent/set', { username, set: { abilities: give } })
  await api.call('agent/set', { username: agent.username, set: { abilities: { deduct_point_button_visible: 0 } } })
  expect(await top.call('user/abilities', { id: sub.id })).toMatchObject({ deduct_point_button_visible: 0 })
  // A limit below what is used would stand above the balance.
  const low = await server.person({ role: Role.agent, under: top, limit: '100' })
  const below = await server.person({ role: Role.member, under: low })
  await low.call('transaction/add', { member_id: below.id, type: 1, amount: '30' })
  const refused = await ask(api, 'agent/set', { username: low.username, set: { limit_of_credit: '29.9999' } })
  expect([outcomeOf(refused), refused.data]).toEqual(['account.below_credit', { balance: '-30.0000' }])
  expect(outcomeOf(await ask(api, 'agent/set', { username: low.username, set: { limit_of_credit: '30' } }))).toBe(
    'done',
  )
})

test('[API-05] [CAPS-04] raised credit, rights and limits wait for an admin that does not hold the key; all else is done', async () => {
  const { api, top, second, agent } = await guarded()
  await limit(top, agent, 1, { transfer: '10' })
  const set = {
    nickname: 'New name',
    limit_of_credit: '500',
    abilities: { may_approve: 1, gift_red_envelope_button_visible: 0 },
    limits: [{ type: 1, transfer: '20', hour: null, day: null, member: null }],
  }
  const asked = await call(api, 'agent/set', { username: agent.username, set })
  expect(asked).toMatchObject({
    approval: 1,
    nickname: 'New name',
    limit_of_credit: '0.0000',
    abilities: { may_approve: 0, gift_red_envelope_button_visible: 0 },
  })
  expect(asked.limits[0]?.transfer).toBe('10.0000')
  // Another key of the platform asks for something else meanwhile.
  const other = await platform(server, top)
  const more = { username: agent.username, set: { limit_of_credit: '900' } }
  expect(outcomeOf(await ask(other, 'agent/set', more))).toBe('change.waits_already')
  const rows = (await second.call('change/list', {})).data
  expect(rows.map(({ kind, maker_username }) => [kind, maker_username])).toEqual([
    ['rights', api.id],
    ['credit', api.id],
    ['rights', api.id],
  ])
  for (const { id } of rows) {
    expect(await top.ask('change/approve', { id })).toBeRefusal('approval.not_found')
    await second.call('change/approve', { id })
  }
  const after = await call(api, 'account/view', { username: agent.username })
  expect(after).toMatchObject({ limit_of_credit: '500.0000', abilities: { may_approve: 1 } })
  expect(after.limits?.[0]?.transfer).toBe('20.0000')
})

test('[API-05] [CAPS-04] what a key has asked for is not made once it has lost the right', async () => {
  const { api, second, agent } = await guarded()
  await api.call('agent/set', { username: agent.username, set: { limit_of_credit: '500' } })
  await run(db(), sql`update api_keys set rights = '{accounts:read}' where id = ${api.id}`)
  const [row] = (await second.call('change/list', {})).data
  expect(await second.ask('change/approve', { id: row?.id ?? 0 })).toBeRefusal('access.denied')
  expect(await api.call('account/view', { username: agent.username })).toMatchObject({ limit_of_credit: '0.0000' })
})

test('[API-05] an account moves with all below it, or waits if it leaves a limit, by the rules of the office', async () => {
  const { api, top, second, agent, cs, member } = await guarded()
  const other = await server.person({ role: Role.agent, under: top })
  const sub = await server.person({ role: Role.agent, under: agent })
  expect(await api.call('account/move', { username: member.username, to: sub.username })).toEqual({
    username: member.username,
    parent: sub.username,
  })
  for (const [username, to, refusal] of [
    [agent.username, sub.username, 'tree.under_itself'],
    [cs.username, other.username, 'tree.stays_with_group'],
    [sub.username, agent.username, 'tree.same_place'],
    [sub.username, cs.username, 'account.wrong_place'],
    [top.username, other.username, 'account.not_found'],
    [second.username, other.username, 'account.not_found'],
    [sub.username, 'nobody', 'account.not_found'],
  ] as const)
    expect([to, outcomeOf(await ask(api, 'account/move', { username, to }))]).toEqual([to, refusal])
  await limit(top, agent, 1, { transfer: '10' })
  expect(await api.call('account/move', { username: sub.username, to: other.username })).toEqual({
    username: sub.username,
    parent: agent.username,
    approval: 1,
  })
  const [row] = (await second.call('change/list', {})).data
  await second.call('change/approve', { id: row?.id ?? 0 })
  expect(await api.call('account/view', { username: sub.username })).toMatchObject({ parent: other.username })
  expect(await kindsOf(top, api)).toEqual(['account_moved', 'approval_asked', 'account_moved'])
  const where = await ask(api, 'account/move', { username: sub.username })
  expect([outcomeOf(where), where.data]).toMatchObject(['request.invalid', { field: 'to' }])
})

test('[API-05] a key signs members, agents and customer service out, and no admin', async () => {
  const { api, top, cs, member } = await world()
  const second = await server.person({ role: Role.admin, under: top })
  for (const person of [member, cs]) {
    expect(await api.call('session/end', { username: person.username })).toEqual({ ended: 1 })
    expect(await person.ask('room/list', {})).toBeRefusal('session.dead')
  }
  expect(await api.call('session/end', { username: cs.username })).toEqual({ ended: 0 })
  for (const { username } of [top, second])
    expect(outcomeOf(await ask(api, 'session/end', { username }))).toBe('account.not_found')
  expect(await top.call('home/view', {})).toBeDefined()
  expect(await kindsOf(top, api)).toEqual(['session_ended', 'session_ended'])
})

test('[API-05] bank accounts are set by the name of the bank; whole numbers need the right to pay, and the log names them', async () => {
  const { api, top, cs, member } = await world(['cash:read', 'bank:write'])
  const { username } = member
  expect(outcomeOf(await ask(api, 'bank/list', { username }))).toBe('account.not_found')
  await top.call('bank_setting/save', { ...bankRules, has_bank_card_setting: 1, bank_card_amount: 2 })
  await top.call('orderType/save', { name: 'North' })
  const account = { bank: 'north', account_name: 'Ann Lee', account_no: '12345678' }
  const made = await call(api, 'bank/set', { username, accounts: [account] })
  const [first] = made.data
  expect(made).toMatchObject({
    banks: ['North'],
    data: [{ bank: 'North', account_no: '****5678', changed_until: null }],
  })
  expect(await call(api, 'bank/list', { username })).toEqual(made)
  const changed = await call(api, 'bank/set', {
    username,
    accounts: [{ ...account, id: first?.id, account_no: '87654321' }],
  })
  expect(changed.data).toMatchObject([
    { id: first?.id, account_no: '****4321', changed_until: expect.stringMatching(/Z$/) as string },
  ])
  expect((await cs.call('members/bank-card', { member_id: member.id })).data).toMatchObject([
    { account_no: '****4321' },
  ])
  const payer = await platform(server, top, ['cash:read', 'cash:fulfil'])
  expect((await call(payer, 'bank/list', { username })).data).toMatchObject([{ account_no: '87654321' }])
  expect(await kindsOf(top, payer)).toEqual(['masked_shown'])
  expect(await kindsOf(top, api)).toEqual(['bank_account_changed', 'bank_account_changed'])
  const refusalFor = async (accounts: object[]) => outcomeOf(await ask(api, 'bank/set', { username, accounts }))
  expect(await refusalFor([{ ...account, bank: 'South' }])).toBe('bank.unknown')
  expect(await refusalFor([{ ...account, id: 99_999_999 }])).toBe('bank.not_found')
  expect(await refusalFor([{ ...account, account_no: '!' }])).toBe('bank.number_invalid')
  expect(await refusalFor([{ bank: 'North', account_name: 'Ann Lee' }])).toBe('bank.incomplete')
  expect(await refusalFor([account, account])).toBe('bank.too_many')
  expect(await refusalFor([])).toBe('request.invalid')
})

test('[API-05] [API-01] a right that is withdrawn while an agent is changed takes effect before it', async () => {
  const { api, agent } = await world()
  const body = { username: agent.username, set: { limit_of_credit: '500' }, request_id: randomUUID() }
  const { answer } = await db().transact(async (tx) => {
    await run(tx, sql`update api_keys set rights = '{}' where id = ${api.id}`)
    const changing = ask(api, 'agent/set', body)
    await vi.waitFor(async () => {
      const waiting = sql`select 1 as is from pg_stat_activity where wait_event_type = 'Lock' and query like '%for share%'`
      expect(await besideTransaction(() => one(db(), waiting))).toBeDefined()
    })
    return { answer: changing }
  })
  expect([outcomeOf(await answer), (await answer).data]).toEqual(['api.not_allowed', { right: 'accounts:write' }])
})

test('[API-05] each field that does not fit is named with its reason', async () => {
  const { api, agent, member, top } = await world()
  const faults = async (set: object) => {
    const reply = await ask(api, 'agent/set', { username: agent.username, set })
    return [outcomeOf(reply), (reply.data as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)]
  }
  const none = { transfer: null, hour: null, day: null, member: null }
  for (const [set, pointer] of [
    [{}, '/set'],
    [{ abilities: {} }, '/set/abilities'],
    [{ abilities: { may_fly: 1, may_approve: 1 } }, '/set/abilities/may_fly'],
    [{ abilities: { may_approve: 2 } }, '/set/abilities/may_approve'],
    [
      { abilities: { transfer_member_flow_limit_multiple: 1001 } },
      '/set/abilities/transfer_member_flow_limit_multiple',
    ],
    [{ limit_of_credit: '1.00001' }, '/set/limit_of_credit'],
    [{ limit_of_credit: '-1' }, '/set/limit_of_credit'],
    [{ limits: [] }, '/set/limits'],
    [{ limits: [{ type: 7, ...none }] }, '/set/limits/0/type'],
    [
      {
        limits: [
          { type: 1, ...none },
          { type: 1, ...none },
        ],
      },
      '/set/limits',
    ],
    [{ limits: [{ type: 1, ...none, week: '1' }] }, '/set/limits/0/week'],
    [{ username: 'other', status: 1 }, '/set/username'],
  ] as const)
    expect([set, ...(await faults(set))]).toEqual([set, 'request.invalid', [pointer]])
  for (const { username } of [member, top])
    expect(outcomeOf(await ask(api, 'agent/set', { username, set: { status: 0 } }))).toBe('account.not_found')
})
