import { randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { limit } from '../../testing/approvals.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { asSuperuser } from '../../testing/postgres.ts'

const server = await startTestServer({ PUBLIC_URL: 'https://talk.example' })
const refusal = async (answer: Promise<{ refusal?: string | undefined }>) => (await answer).refusal

/** A platform with two admins that wants a second account for credit and rights. */
const guarded = async () => {
  const family = await server.family()
  const second = await server.person({ role: Role.admin, under: family.top })
  await family.top.call('change/saveRules', { kinds: ['credit', 'rights'] })
  return { ...family, second }
}
const waiting = async (who: Person) => (await who.call('change/list', {})).data
const pathOf = async ({ id }: Person) =>
  (await one<{ path: string }>(server.services.db, sql`select path from accounts where id = ${id}`))?.path

test('[CAPS-05] the top account does not approve its own change as the other admin, signed in by its API key', async () => {
  const { top, second, agent } = await guarded()
  const api = await platform(server, top)
  const { token: agent_token } = (await api.call('sign-in/token', { username: second.username, kind: 'agent' })) as {
    token: string
  }
  const asSecond = { username: '-', password: '-', agent_token, agent_username: second.username }
  const { reply } = await server.post('login', server.wire.seal('login', asSecond))
  const stolen = server.here({ ...second, token: (reply.data as { token: string }).token })
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '70000' })
  const id = (await waiting(stolen))[0]?.id ?? 0
  expect(await refusal(stolen.ask('change/approve', { id }))).toBe('change.signed_in_by_link')
  expect(await refusal(stolen.ask('change/refuse', { id, reason: 'no' }))).toBe('change.signed_in_by_link')
  expect(await second.call('change/approve', { id })).toEqual({ id, state: 'approved' })
})

test('[CAPS-05] the top account with its API key is one person: 0 of 200 tries as the other admin, by any link', async () => {
  const { top, second, agent } = await guarded()
  const below = await server.person({ role: Role.agent, under: second })
  const api = await platform(server, top)
  const entered = async (kind: 'agent' | 'landing') => {
    const { token } = (await api.call('sign-in/token', { username: second.username, kind })) as { token: string }
    const login =
      kind === 'landing'
        ? { landing_token: token }
        : { username: '-', password: '-', agent_token: token, agent_username: second.username }
    const { reply } = await server.post('login', server.wire.seal('login', login))
    return server.here({ ...second, token: (reply.data as { token: string }).token })
  }
  const before = (await top.call('user/abilities', { id: below.id })).limit_of_credit
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '70000' })
  const id = (await waiting(top))[0]?.id ?? 0
  const asSecond = [await entered('agent'), await entered('landing')]
  const tries = Array.from({ length: 100 }, (_, at) => {
    const who = asSecond[at % 2] ?? second
    const other = { id: below.id, limit_of_credit: String(80_000 + at) }
    return [who.ask('change/approve', { id }), who.ask('user/saveAbilities', other)]
  })
  const refused = await Promise.all(tries.flat().map(refusal))
  expect(new Set(refused)).toEqual(new Set(['change.signed_in_by_link']))
  // Nor does it set a password there, with which it could sign in as the other admin.
  const password = { password: 'another1', password_confirmation: 'another1' }
  for (const who of asSecond)
    expect(await refusal(who.ask('user/edit', { id: second.id, ...password }))).toBe('session.needs_password')
  for (const one of [agent, below])
    expect((await top.call('user/abilities', { id: one.id })).limit_of_credit).toBe(before)
  expect(await waiting(second)).toHaveLength(1)
  // The other admin still asks with its own password.
  expect(await second.call('user/saveAbilities', { id: below.id, limit_of_credit: '80000' })).toMatchObject({
    approval: 1,
  })
})

test('[CAPS-05] the top account makes no third admin in the name of the other one, signed in by its API key', async () => {
  const { top, second } = await guarded()
  const api = await platform(server, top)
  const enter = async (kind: 'agent' | 'landing') => {
    const { token } = (await api.call('sign-in/token', { username: second.username, kind })) as { token: string }
    const agent = { username: '-', password: '-', agent_token: token, agent_username: second.username }
    const login = kind === 'landing' ? { landing_token: token } : agent
    const { reply } = await server.post('login', server.wire.seal('login', login))
    return server.here({ ...second, token: (reply.data as { token: string }).token })
  }
  const form = (role_id: 1 | 2) => ({
    parent_id: second.id,
    role_id,
    username: `n${randomUUID().slice(0, 8)}`,
    password: 'secret123',
    password_confirmation: 'secret123',
  })
  for (const who of [await enter('agent'), await enter('landing')]) {
    expect(await refusal(who.ask('tree/add', form(1)))).toBe('change.signed_in_by_link')
    expect(await who.call('tree/add', form(2))).toMatchObject({ id: expect.any(Number) })
  }
  expect(await second.call('tree/add', form(1))).toMatchObject({ id: expect.any(Number) })
})

test('[CAPS-04] credit that the platform gives to a new agent waits too, where raised credit needs a second account', async () => {
  const { top, second } = await guarded()
  const api = await platform(server, top)
  const add = { username: `p${second.username.slice(1)}`, limit_of_credit: '5000', request_id: randomUUID() }
  const made = (await api.call('agent/add', add)) as { id: number }
  expect(made).toMatchObject({ username: add.username, approval: 1 })
  expect(await api.call('agent/add', add)).toEqual(made)
  const credit = async () => (await top.call('user/abilities', { id: made.id })).limit_of_credit
  expect(await credit()).toBe('0.0000')
  const [shown] = await waiting(second)
  expect(shown).toMatchObject({
    kind: 'credit',
    maker_id: top.id,
    target_id: made.id,
    facts: [{ field: 'limit_of_credit', before: '0.0000', after: '5000.0000' }],
  })
  expect(await refusal(top.ask('change/approve', { id: shown?.id ?? 0 }))).toBe('approval.not_found')
  await second.call('change/approve', { id: shown?.id ?? 0 })
  expect(await credit()).toBe('5000.0000')
  const poor = { username: `q${second.username.slice(1)}`, request_id: randomUUID() }
  expect(await api.call('agent/add', poor)).not.toHaveProperty('approval')
  await run(server.services.db, sql`update accounts set four_eyes = '{}' where id = ${top.id}`)
  const rich = { username: `r${second.username.slice(1)}`, limit_of_credit: '7', request_id: randomUUID() }
  const now = (await api.call('agent/add', rich)) as { id: number }
  expect((await top.call('user/abilities', { id: now.id })).limit_of_credit).toBe('7.0000')
})

test('[CAPS-04] a move that leaves a limit waits like a raised limit; any other move does not', async () => {
  const { top, second, agent, member } = await guarded()
  const to = await server.person({ role: Role.agent, under: top })
  const sub = await server.person({ role: Role.agent, under: agent })
  await limit(top, agent, 1, { transfer: '100' })
  const before = await pathOf(sub)
  expect(await top.call('tree/move', { id: sub.id, to_id: to.id })).toEqual({ approval: 1 })
  expect(await pathOf(sub)).toBe(before)
  const [shown] = await waiting(second)
  expect(shown).toMatchObject({
    kind: 'rights',
    target_id: sub.id,
    facts: [{ field: 'upline_id', before: agent.username, after: to.username }],
  })
  expect(await refusal(top.ask('change/approve', { id: shown?.id ?? 0 }))).toBe('approval.not_found')
  await second.call('change/approve', { id: shown?.id ?? 0 })
  expect(await pathOf(sub)).toBe(`/${top.id}/${to.id}/${sub.id}/`)
  const makers = async (reader: Person) =>
    (await reader.call('audit/list', { kind: 'approval_given' })).data[0]?.facts.filter(
      ({ field }) => field === 'maker',
    )
  expect(await makers(top)).toEqual([{ field: 'maker', before: null, after: top.username }])
  // Names of accounts above stay hidden in the log.
  expect(await makers(second)).toEqual([{ field: 'maker', before: null, after: '' }])
  // Into a limit, and where none is set.
  expect(await top.call('tree/move', { id: sub.id, to_id: agent.id })).toBeNull()
  expect(await top.call('tree/move', { id: to.id, to_id: agent.id })).toBeNull()
  // Moved meanwhile, it is not what was approved.
  expect(await top.call('tree/move', { id: member.id, to_id: top.id })).toEqual({ approval: 1 })
  expect(await top.call('tree/move', { id: member.id, to_id: sub.id })).toBeNull()
  const [outdated] = await waiting(second)
  expect(await refusal(second.ask('change/approve', { id: outdated?.id ?? 0 }))).toBe('approval.changed')
  expect((await second.call('change/list', { id: outdated?.id ?? 0 })).data).toMatchObject([{ state: 'failed' }])
})

test('[CAPS-04] a move away from an account that has lost a right waits like giving the right back', async () => {
  const { top, second, agent, member } = await guarded()
  const to = await server.person({ role: Role.agent, under: top })
  const sub = await server.person({ role: Role.agent, under: agent })
  const take = (who: Person, name: string) =>
    top.call('right/save', { id: who.id, rights: [{ name, given: false, hours: null }] })
  const hasSr02 = async () => (await sub.call('userMenu/list', {})).some(({ name }) => name === 'sr02')
  await take(agent, 'sr02')
  expect(await top.call('tree/move', { id: sub.id, to_id: to.id })).toEqual({ approval: 1 })
  expect(await hasSr02()).toBe(false)
  const [shown] = await waiting(second)
  await second.call('change/approve', { id: shown?.id ?? 0 })
  expect(await hasSr02()).toBe(true)
  // Back below it; then to one that has lost the same right. A member has no rights.
  expect(await top.call('tree/move', { id: sub.id, to_id: agent.id })).toBeNull()
  await take(to, 'sr02')
  expect(await top.call('tree/move', { id: sub.id, to_id: to.id })).toBeNull()
  expect(await top.call('tree/move', { id: member.id, to_id: to.id })).toBeNull()
  expect(await hasSr02()).toBe(false)
})

test('[CAPS-04] a move is not approved when its maker has lost the page of it meanwhile', async () => {
  const { top, agent } = await guarded()
  const sub = await server.person({ role: Role.agent, under: agent })
  const deep = await server.person({ role: Role.agent, under: sub })
  await limit(agent, sub, 1, { transfer: '100' })
  expect(await agent.call('tree/move', { id: deep.id, to_id: agent.id })).toEqual({ approval: 1 })
  const [shown] = await waiting(top)
  await top.call('right/save', { id: agent.id, rights: [{ name: 'tree', given: false, hours: null }] })
  expect(await refusal(top.ask('change/approve', { id: shown?.id ?? 0 }))).toBe('access.denied')
  expect(await pathOf(deep)).toBe(`/${top.id}/${agent.id}/${sub.id}/${deep.id}/`)
})

test('[CAPS-04] an approver that loses the right decides nothing more, and the change waits for the others', async () => {
  const { top, agent } = await guarded()
  const sub = await server.person({ role: Role.agent, under: agent })
  const subCs = await server.person({ role: Role.customerService, under: sub })
  await run(
    server.services.db,
    sql`update accounts set deduct_point_button_visible = 1, may_approve = 1 where id = ${agent.id}`,
  )
  await run(server.services.db, sql`update accounts set deduct_point_button_visible = 1 where id = ${sub.id}`)
  await run(server.services.db, sql`update accounts set deduct_point_button_visible = 0 where id = ${subCs.id}`)
  await sub.call('user/saveAbilities', { id: subCs.id, deduct_point_button_visible: 1 })
  const id = (await waiting(agent))[0]?.id ?? 0
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 0 })
  expect(await refusal(agent.ask('change/approve', { id }))).toBe('approval.not_found')
  expect(await refusal(agent.ask('change/refuse', { id, reason: 'x' }))).toBe('approval.not_found')
  expect(await waiting(agent)).toEqual([])
  await top.call('change/approve', { id })
  expect(await sub.call('user/abilities', { id: subCs.id })).toMatchObject({ deduct_point_button_visible: 1 })
})

test('[CAPS-04] an approval is not used up when its file fails or is lost: its maker fetches it again for ten minutes', async () => {
  const family = await server.family()
  const { top, agent, member } = family
  await server.person({ role: Role.admin, under: top })
  await top.call('change/saveRules', { kinds: ['export'] })
  const filter = { menu_id: 13, username: member.username } as const
  expect(await agent.call('user/export', filter)).toMatchObject({ approval: 1 })
  const id = (await waiting(top))[0]?.id ?? 0
  await top.call('change/approve', { id })
  const planted = (statement: string) =>
    asSuperuser((tx) => run(tx, { text: `alter table audit_log ${statement}`, values: [] }))
  await planted(`add constraint planted check (kind <> 'exported' or top_id <> ${top.id}) not valid`)
  expect(await agent.ask('user/export', filter)).toBeRefusal('server.failed')
  await planted('drop constraint planted')
  const fileOf = async () => (await agent.call('change/list', { ended: 1 })).data[0]?.file
  for (let times = 0; times < 2; times++) {
    expect(await fileOf()).toMatchObject({ call: 'user/export' })
    expect((await agent.call('user/export', filter)).csv).toContain(member.username)
  }
  await asSuperuser((tx) =>
    run(tx, sql`update sensitive_changes set used_at = used_at - interval '10 minutes' where id = ${id}`),
  )
  expect(await fileOf()).toBeNull()
  expect(await agent.call('user/export', filter)).toMatchObject({ approval: 1, csv: '' })
})
