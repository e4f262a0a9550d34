import { randomUUID } from 'node:crypto'
import type { GuardedKind } from '@tallyroom/contract/limits'
import { Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { mayDecideSensitiveChange } from '../../identity/approvers.ts'
import { startTestServer, type Person } from '../../testing/app.ts'
import { balanceOf, limit } from '../../testing/approvals.ts'
import { asSuperuser } from '../../testing/postgres.ts'

const server = await startTestServer()
const { db } = server.services
const refusal = async (answer: Promise<{ refusal?: string | undefined }>) => (await answer).refusal

/** A platform with two admins that wants a second account for these changes. */
const guarded = async (...kinds: GuardedKind[]) => {
  const family = await server.family()
  await family.top.call('user/saveAbilities', { id: family.agent.id, limit_of_credit: '100' })
  const second = await server.person({ role: Role.admin, under: family.top })
  expect(await family.top.call('change/saveRules', { kinds })).toEqual({ approval: 0 })
  return { ...family, second }
}
const waitingFor = async (who: Person) => {
  const { data } = await who.call('change/list', {})
  const [row] = data
  if (!row || data.length > 1) throw new Error(`${data.length} changes wait for the account, not one`)
  return row
}
const approve = async (who: Person) => who.call('change/approve', { id: (await waitingFor(who)).id })
const creditOf = async (who: Person, { id }: Person) => (await who.call('user/abilities', { id })).limit_of_credit
const auditKinds = async (admin: Person) => (await admin.call('audit/list', {})).data.map(({ kind }) => kind)

test('[CAPS-04] off by default, and only where another admin could approve', async () => {
  const { top, agent, cs } = await server.family()
  expect(await top.call('change/rules', {})).toEqual({ kinds: [] })
  expect(await refusal(top.ask('change/saveRules', { kinds: ['credit'] }))).toBe('change.needs_two')
  expect(await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '50' })).not.toHaveProperty('approval')
  for (const who of [agent, cs]) expect(await refusal(who.ask('change/saveRules', { kinds: [] }))).toBe('access.denied')
  expect((await top.call('userMenu/list', {})).some(({ name }) => name === 'approvals')).toBe(false)
})

test('[CAPS-04] raised credit waits, is shown with both values, and is made as it was shown; lowering does not wait', async () => {
  const { top, second, agent } = await guarded('credit')
  const before = await creditOf(top, agent)
  const saved = await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '90000', is_sub: 1 })
  expect(saved).toMatchObject({ approval: 1, limit_of_credit: before, is_sub: 1 })
  expect((await top.call('userMenu/list', {})).some(({ name }) => name === 'approvals')).toBe(true)
  const shown = await waitingFor(second)
  expect(shown).toMatchObject({
    kind: 'credit',
    state: 'waiting',
    maker_id: top.id,
    target_id: agent.id,
    target_username: agent.username,
    facts: [{ field: 'limit_of_credit', before, after: '90000.0000' }],
    may_decide: 1,
    is_own: 0,
  })
  expect(await second.call('approval/open', {})).toEqual({ open: 1 })
  expect(await top.call('approval/open', {})).toEqual({ open: 0 })
  expect(await waitingFor(top)).toMatchObject({ id: shown.id, is_own: 1, may_decide: 0 })
  // Neither the maker, nor an account below, nor another platform.
  const stranger = await server.family()
  for (const who of [top, agent, stranger.top]) {
    expect(await refusal(who.ask('change/approve', { id: shown.id }))).toBe('approval.not_found')
    expect(await refusal(who.ask('change/refuse', { id: shown.id, reason: 'x' }))).toBe('approval.not_found')
  }
  expect(await refusal(second.ask('change/withdraw', { id: shown.id }))).toBe('approval.not_found')
  expect(await second.call('change/approve', { id: shown.id })).toEqual({ id: shown.id, state: 'approved' })
  expect(await creditOf(top, agent)).toBe('90000.0000')
  expect(await refusal(second.ask('change/approve', { id: shown.id }))).toBe('approval.ended')
  expect((await second.call('change/list', { ended: 1 })).data).toMatchObject([{ state: 'approved', may_decide: 0 }])
  expect(await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '10' })).not.toHaveProperty('approval')
  expect(await creditOf(top, agent)).toBe('10.0000')
  expect(await auditKinds(top)).toEqual(
    expect.arrayContaining(['approval_asked', 'approval_given', 'abilities_changed']),
  )
})

test('[CAPS-04] one change of a thing waits at a time; the same again is the same, and taking it back frees it', async () => {
  const { top, second, agent } = await guarded('credit')
  const raise = (limit_of_credit: string) => top.ask('user/saveAbilities', { id: agent.id, limit_of_credit })
  expect((await raise('70000')).data).toMatchObject({ approval: 1 })
  expect((await raise('70000')).data).toMatchObject({ approval: 1 })
  expect(await refusal(raise('80000'))).toBe('change.waits_already')
  const { id } = await waitingFor(top)
  expect(await top.call('change/withdraw', { id })).toEqual({ id, state: 'withdrawn' })
  expect(await refusal(second.ask('change/approve', { id }))).toBe('approval.ended')
  expect((await raise('80000')).data).toMatchObject({ approval: 1 })
  const again = await waitingFor(second)
  await second.call('change/refuse', { id: again.id, reason: 'Too much' })
  expect((await top.call('change/list', { id: again.id })).data).toMatchObject([
    { state: 'refused', answer: 'Too much', ended_name: `Nick ${second.username}` },
  ])
})

test('[CAPS-04] what has changed meanwhile is not approved, and ends as failed; an overdue one has expired', async () => {
  const { top, second, agent } = await guarded('credit', 'rights')
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '70000' })
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '5' })
  const { id } = await waitingFor(second)
  expect(await refusal(second.ask('change/approve', { id }))).toBe('approval.changed')
  expect((await second.call('change/list', { id })).data).toMatchObject([{ state: 'failed' }])
  expect(await creditOf(top, agent)).toBe('5.0000')

  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '70000' })
  const overdue = await waitingFor(second)
  await asSuperuser((tx) => run(tx, sql`update sensitive_changes set expires_at = now() where id = ${overdue.id}`))
  expect(await refusal(second.ask('change/approve', { id: overdue.id }))).toBe('approval.ended')
  expect((await second.call('change/list', {})).data).toEqual([])
  expect((await second.call('change/list', { ended: 1 })).data[0]).toMatchObject({ id: overdue.id, state: 'expired' })
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '70000' })
  await run(db, sql`update accounts set status = 0 where id = ${top.id}`)
  expect(await refusal(second.ask('change/approve', { id: (await waitingFor(second)).id }))).toBe('change.maker_frozen')
})

test('[CAPS-04] rights that an agent gives wait for those above it; taking a right away does not', async () => {
  const { top, second, agent, cs } = await guarded('rights')
  await run(db, sql`update accounts set may_approve = 0, deduct_point_button_visible = 1 where id = ${agent.id}`)
  await run(db, sql`update accounts set deduct_point_button_visible = 0 where id = ${cs.id}`)
  const given = await agent.call('user/saveAbilities', { id: cs.id, deduct_point_button_visible: 1, is_sub: 1 })
  expect(given).toMatchObject({ approval: 1, deduct_point_button_visible: 0, is_sub: 1 })
  const { id } = await waitingFor(top)
  // Another admin that is not above the maker is not asked.
  expect(await refusal(second.ask('change/approve', { id }))).toBe('approval.not_found')
  await approve(top)
  expect(await agent.call('user/abilities', { id: cs.id })).toMatchObject({ deduct_point_button_visible: 1 })
  expect(await agent.call('user/saveAbilities', { id: cs.id, deduct_point_button_visible: 0 })).not.toHaveProperty(
    'approval',
  )
  // The agent loses the right while it waits: nobody below may get it any more.
  await agent.call('user/saveAbilities', { id: cs.id, deduct_point_button_visible: 1 })
  await top.call('user/saveAbilities', { id: agent.id, deduct_point_button_visible: 0 })
  expect(await refusal(top.ask('change/approve', { id: (await waitingFor(top)).id }))).toBe('account.not_yours_to_give')
})

test('[CAPS-04] raised limits wait, lower ones do not', async () => {
  const { top, agent, cs } = await guarded('rights')
  expect(await limit(agent, cs, 1, { transfer: '100', day: '500' })).toBeNull()
  const raised = await agent.call('limit/save', {
    id: cs.id,
    limits: [
      { type: TransferKind.send, transfer: '200', hour: null, day: null, member: null },
      { type: TransferKind.gift, transfer: '7', hour: null, day: null, member: null },
    ],
  })
  expect(raised).toEqual({ approval: 1 })
  const limits = async () => (await agent.call('limit/view', { id: cs.id })).limits
  expect(await limits()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: TransferKind.send, transfer: '100.0000', day: '500.0000' }),
      expect.objectContaining({ type: TransferKind.gift, transfer: '7.0000' }),
    ]),
  )
  expect((await waitingFor(top)).facts).toEqual([
    { field: 'limit_1_transfer', before: '100.0000', after: '200.0000' },
    { field: 'limit_1_day', before: '500.0000', after: null },
  ])
  await approve(top)
  expect(await limits()).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: TransferKind.send, transfer: '200.0000', day: null })]),
  )
})

test('[CAPS-04] the API address waits while the rest of the settings is saved', async () => {
  const { top, second } = await guarded('api_url')
  const saved = await top.call('setting/save', { name: 'North', api_url: 'https://new.example/hook' })
  expect(saved).toEqual({ approval: 1 })
  expect(await top.call('setting/view', {})).toMatchObject({ name: 'North', api_url: '' })
  expect((await waitingFor(second)).facts).toEqual([
    { field: 'api_url', before: '', after: 'https://new.example/hook' },
  ])
  await approve(second)
  expect(await top.call('setting/view', {})).toMatchObject({ name: 'North', api_url: 'https://new.example/hook' })
})

test('[CAPS-04] a correction waits, moves nothing before, and is made once with its approval in one transaction', async () => {
  const { top, second, agent, member } = await guarded('correction')
  const { transaction_id } = await agent.call('user/transaction', { id: member.id, amount: '40', remark: 'x' })
  const asked = await top.call('transaction/correct', { transaction_id, remark: 'mistake' })
  expect(asked).toMatchObject({ approval: 1, status: TransferStatus.pending, target_balance: '40.0000' })
  expect(await balanceOf(server, member)).toBe(40)
  const shown = await waitingFor(second)
  expect(shown).toMatchObject({ kind: 'correction', target_id: member.id })
  expect(shown.facts.map(({ after }) => after)).toEqual(expect.arrayContaining([transaction_id, '40.0000', 'mistake']))
  const request_id = randomUUID()
  const both = await Promise.all([1, 2, 3].map(() => second.call('change/approve', { id: shown.id, request_id })))
  expect(both.map(({ state }) => state)).toEqual(['approved', 'approved', 'approved'])
  expect(await balanceOf(server, member)).toBe(0)
  const corrections = await many<{ actor: number }>(
    db,
    sql`select actor_id as actor from transfers where corrects = (select id from transfers where transaction_id = ${transaction_id})`,
  )
  expect(corrections).toEqual([{ actor: top.id }])
  expect(await refusal(second.ask('change/approve', { id: shown.id }))).toBe('approval.ended')
  expect(await refusal(top.ask('transaction/correct', { transaction_id, remark: 'again' }))).toBe(
    'transfer.already_corrected',
  )
  // Spent meanwhile: refused, and it waits on, because the points may come back.
  const other = await agent.call('user/transaction', { id: member.id, amount: '5', remark: 'x' })
  await top.call('transaction/correct', { transaction_id: other.transaction_id, remark: 'mistake' })
  await server.meetTurnover(member)
  await agent.call('user/transaction', { id: member.id, amount: '-3', remark: 'x' })
  const { id } = await waitingFor(second)
  expect(await refusal(second.ask('change/approve', { id }))).toBe('transfer.member_not_enough')
  expect((await waitingFor(second)).state).toBe('waiting')
  expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
})

test('[CAPS-04] a file with full names waits, and is made as it was approved; masked names do not wait', async () => {
  const { top, agent, member } = await guarded('export')
  const filter = { menu_id: 13, username: member.username.slice(0, 4) } as const
  expect(await agent.call('user/export', filter)).toMatchObject({ approval: 1, csv: '' })
  expect(await agent.call('user/export', filter)).toMatchObject({ approval: 1, csv: '' })
  const shown = await waitingFor(top)
  // Not the top account, whose name the agent does not see.
  expect(shown.target_id).toBe(agent.id)
  expect(shown.facts).toEqual([
    { field: 'what', before: null, after: 'users' },
    { field: 'rows', before: null, after: '1' },
    { field: 'username', before: null, after: filter.username },
  ])
  await approve(top)
  const [own] = (await agent.call('change/list', { ended: 1 })).data
  expect(own?.file?.call).toBe('user/export')
  expect(await agent.call('user/export', { menu_id: 13 })).toMatchObject({ approval: 1, csv: '' })
  expect((await agent.call('user/export', own?.file?.input as typeof filter)).csv).toContain(member.username)
  const now = new Date()
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const time = { start_time: `${at(-2)} 00:00:00`, end_time: `${at(2)} 00:00:00`, min_amount: '1.5' }
  expect(await agent.call('transaction/export', time)).toMatchObject({ approval: 1 })
  const { data } = await top.call('change/list', {})
  await top.call('change/approve', { id: data.at(-1)?.id ?? 0 })
  const [file] = (await agent.call('change/list', { ended: 1 })).data
  expect(await agent.call('transaction/export', file?.file?.input as typeof time)).not.toHaveProperty('approval')
  await run(db, sql`update accounts set masks_usernames = 1 where id = ${agent.id}`)
  expect((await agent.call('user/export', { menu_id: 13 })).csv).not.toBe('')
})

test('[CAPS-04] taking a kind out of the rules needs the other admin too', async () => {
  const { top, second } = await guarded('credit', 'export')
  expect(await top.call('change/saveRules', { kinds: ['credit'] })).toEqual({ approval: 1 })
  expect(await top.call('change/rules', {})).toEqual({ kinds: ['credit', 'export'] })
  expect(await waitingFor(second)).toMatchObject({
    kind: 'four_eyes',
    facts: [{ field: 'four_eyes', before: 'credit, export', after: 'credit' }],
  })
  await approve(second)
  expect(await second.call('change/rules', {})).toEqual({ kinds: ['credit'] })
})

test('[CAPS-04] [CAPS-05] nobody approves its own change: 0 of 200 tries, at once and in turn, by any call', async () => {
  const { top, second, agent } = await guarded('credit')
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '70000' })
  const { id } = await waitingFor(top)
  const tries = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0 ? top.ask('change/approve', { id }) : agent.ask('change/approve', { id }),
    ),
  )
  expect(tries.filter(({ code }) => code === OK)).toEqual([])
  // The database itself refuses it, and a change of what was shown.
  await expect(
    run(
      db,
      sql`update sensitive_changes set state = 'approved', ended_at = now(), ended_by = maker_id where id = ${id}`,
    ),
  ).rejects.toThrow(/check constraint/)
  await expect(run(db, sql`update sensitive_changes set facts = '{}' where id = ${id}`)).rejects.toThrow(
    /permission denied|as it was shown/,
  )
  expect(await second.call('change/approve', { id })).toMatchObject({ state: 'approved' })
  expect(await one(db, sql`select state from sensitive_changes where id = ${id}`)).toEqual({ state: 'approved' })
})

test('[CAPS-04] [CAPS-05] an admin is not approved by admins that it made, nor they by each other', async () => {
  const { top, second, agent } = await guarded('credit')
  const added = async () => {
    const username = `a${randomUUID().slice(0, 8)}`
    const passwords = { password: 'secret1', password_confirmation: 'secret1' }
    return top.call('tree/add', { parent_id: top.id, role_id: Role.admin, username, nickname: 'New', ...passwords })
  }
  const made = await Promise.all([added(), added()])
  const [first] = made
  await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '70000' })
  const open = (id: number) =>
    one<{ n: number }>(
      db,
      sql`select count(*)::int as n from sensitive_changes c join accounts a on a.id = c.maker_id
        where c.state = 'waiting' and c.top_id = ${top.id} and ${mayDecideSensitiveChange(sql`${id}::int`)}`,
    )
  for (const { id } of made) expect(await open(id)).toEqual({ n: 0 })
  expect(await open(second.id)).toEqual({ n: 1 })
  await asSuperuser((tx) =>
    run(tx, sql`update sensitive_changes set maker_id = ${first?.id ?? 0} where top_id = ${top.id}`),
  )
  for (const id of [top.id, ...made.map((one) => one.id)]) expect(await open(id)).toEqual({ n: 0 })
  expect(await open(second.id)).toEqual({ n: 1 })
})
