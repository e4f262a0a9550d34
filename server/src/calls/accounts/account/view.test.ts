import { AccountStatus, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../../../data/sql.ts'
import { erasedName } from '../../../retention/person.ts'
import { type Person, type TestServer, startTestServer } from '../../../testing/app.ts'
import { bankRules } from '../../../testing/bank.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const view = (who: Person, { id }: Person) => who.call('account/view', { id })
const around = () => {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return { start_time: `${at(-2)} 00:00:00`, end_time: `${at(2)} 00:00:00` }
}

/** A family that takes requests, whose members have bank accounts, and an agent below with a member of its own. */
const familyWithAll = async () => {
  const family = await server.family()
  await family.top.call('bank_setting/save', bankRules)
  await family.agent.call('setting/save', { name: 'Room', cash_requests: 1 })
  const sub = await server.person({ role: Role.agent, under: family.agent })
  return { ...family, sub, theirs: await server.person({ role: Role.member, under: sub }) }
}

test('[MEMB-01] rights decide each part of a member’s page, and each act on it', async () => {
  const { top, agent, cs, member, room, theirs } = await familyWithAll()
  const own = await view(agent, member)
  expect(own).toMatchObject({ id: member.id, username: member.username, is_self: false, is_erased: false })
  expect(own.room?.code).toBe(room)
  expect(own.parts).toEqual(['overview', 'transactions', 'requests', 'bank', 'notes', 'sessions'])
  expect(own.acts).toEqual(['chat', 'transaction', 'deposit', 'statement', 'edit', 'move', 'freeze'])
  // The conversation, its notes and its requests are those of the member's own group.
  const far = await view(agent, theirs)
  expect([far.room, far.parts]).toEqual([null, ['overview', 'transactions', 'bank', 'sessions']])
  expect(far.acts).not.toContain('chat')
  expect((await view(top, member)).parts).toContain('audit')
  const seen = await view(cs, member)
  expect(seen.parts).toEqual(['overview', 'transactions', 'requests', 'bank', 'notes'])
  expect(seen.acts).toEqual(['chat', 'transaction', 'deposit', 'statement'])
})

test('[MEMB-01] a right that is taken takes its part with the next answer, and its call refuses', async () => {
  const { agent, cs, member } = await familyWithAll()
  const names = ['transaction_log', 'chat', 'requests', 'statement', 'user.transaction']
  await agent.call('right/save', { id: cs.id, rights: names.map((name) => ({ name, given: false, hours: null })) })
  const { parts, acts, room } = await view(cs, member)
  expect([parts, acts, room]).toEqual([['overview'], ['deposit'], null])
  expect(await cs.ask('transaction/list', { ...around(), member_id: member.id })).toBeRefusal('access.denied')
  expect(await cs.ask('members/bank-card/history', { member_id: member.id })).toBeRefusal('access.denied')
})

test('[MEMB-01] a name of another tree, one that nobody has and one of a key get the same answer', async () => {
  const { agent, cs, member, sub } = await familyWithAll()
  const stranger = await server.family()
  for (const who of [agent, cs])
    for (const username of [stranger.member.username, stranger.agent.username, 'nobody-at-all'])
      expect(await who.ask('account/view', { username })).toBeRefusal('account.not_found')
  expect(await agent.ask('account/view', {})).toBeRefusal('account.not_found')
  expect(await member.ask('account/view', { id: member.id })).toBeRefusal('access.denied')
  // Customer service sees no colleagues.
  expect(await cs.ask('account/view', { username: sub.username })).toBeRefusal('account.not_found')
  expect((await agent.call('account/view', { username: member.username.toUpperCase() })).id).toBe(member.id)
})

test('[MEMB-01] a member that was moved out of the tree is gone, one that was erased says so', async () => {
  const { top, agent, member, sub, theirs } = await familyWithAll()
  const other = await server.person({ role: Role.agent, under: top })
  await top.call('tree/move', { id: theirs.id, to_id: other.id })
  expect(await agent.ask('account/view', { id: theirs.id })).toBeRefusal('account.not_found')
  expect(await sub.ask('account/view', { username: theirs.username })).toBeRefusal('account.not_found')
  await run(server.services.db, sql`update accounts set username = ${erasedName(member.id)} where id = ${member.id}`)
  expect(await agent.ask('account/view', { username: member.username })).toBeRefusal('account.not_found')
  const gone = await view(agent, member)
  expect([gone.is_erased, gone.acts]).toEqual([true, ['statement']])
})

test('[MEMB-01] masked names stay masked, and only the whole name finds one', async () => {
  const { top, agent, cs, member } = await familyWithAll()
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  for (const who of [agent, cs]) {
    const { username } = await view(who, member)
    expect([username.includes('***'), username]).toEqual([true, expect.not.stringContaining(member.username)])
    expect((await who.call('account/view', { username: member.username })).username).toBe(username)
    expect(await who.ask('account/view', { username: member.username.slice(0, -1) })).toBeRefusal('account.not_found')
  }
})

test('[MEMB-04] a colleague’s page has rights, limits and sessions; nobody has those acts on the own one', async () => {
  const { top, agent, cs, sub } = await familyWithAll()
  expect((await view(agent, cs)).parts).toEqual(['overview', 'rights', 'limits', 'sessions'])
  expect((await view(agent, cs)).acts).toEqual(['edit', 'freeze'])
  expect((await view(top, sub)).parts).toEqual(['overview', 'transactions', 'rights', 'limits', 'sessions', 'audit'])
  // The agent directly below has a conversation with the group.
  expect((await view(agent, sub)).acts).toContain('chat')
  const self = await view(cs, cs)
  expect([self.is_self, self.parts, self.acts]).toEqual([true, ['overview', 'rights'], []])
  await agent.call('user/delete', { id: cs.id })
  const frozen = await view(agent, cs)
  expect([frozen.status, frozen.acts]).toEqual([AccountStatus.frozen, ['edit']])
})

test('[MEMB-01] the transactions and the audit log of one account are its own, also of names that begin alike', async () => {
  const { top, agent, cs, member } = await familyWithAll()
  const other = await server.person({ role: Role.member, under: agent })
  await run(server.services.db, sql`update accounts set username = ${`${member.username}9`} where id = ${other.id}`)
  for (const { id } of [member, other])
    await agent.call('transaction/add', { member_id: id, type: TransferKind.send, amount: '1' })
  const rows = (await cs.call('transaction/list', { ...around(), member_id: member.id })).data
  expect(rows.map(({ member_username }) => member_username)).toEqual([member.username])
  expect((await cs.call('redEnvelope/record', { ...around(), member_id: other.id })).data).toHaveLength(1)
  const stranger = await server.family()
  expect((await stranger.top.call('transaction/list', { ...around(), member_id: member.id })).data).toEqual([])
  await agent.call('user/edit', { id: member.id, nickname: 'Mia' })
  const log = (await top.call('audit/list', { account_id: member.id })).data
  expect(log.length).toBeGreaterThan(0)
  expect(log.every((row) => [row.actor_id, row.target_id].includes(member.id))).toBe(true)
  expect((await stranger.top.call('audit/list', { account_id: member.id })).data).toEqual([])
})

test('[MEMB-01] how the bank accounts have changed: by whom, with masked numbers, and without names under CJ7', async () => {
  const { top, agent, cs, member, theirs } = await familyWithAll()
  const bank_id = (await top.call('orderType/save', { name: 'North' })).id
  const account = { bank_id, account_name: 'Ann Lee', account_no: '12345678' }
  await cs.call('members/bank-account/create', { member_id: member.id, ...account })
  const [card] = (await cs.call('members/bank-card', { member_id: member.id })).data
  await run(server.services.db, sql`update sessions set created_at = now() where account_id = ${cs.id}`)
  await cs.call('members/bank-card/delete', { member_id: member.id, id: card?.id ?? 0 })
  const { data } = await cs.call('members/bank-card/history', { member_id: member.id })
  expect(data.map(({ kind, actor_username }) => [kind, actor_username])).toEqual([
    ['bank_account_deleted', cs.username],
    ['bank_account_changed', cs.username],
  ])
  expect(data[1]?.facts).toContainEqual({ field: 'account_no', before: null, after: '****5678' })
  expect(JSON.stringify(data)).toContain('Ann Lee')
  await top.call('bank_setting/save', { ...bankRules, cj7: 1 })
  const hidden = await agent.call('members/bank-card/history', { member_id: member.id })
  expect([hidden.data.length, JSON.stringify(hidden).includes('Ann Lee')]).toEqual([2, false])
  expect((await agent.call('members/bank-card/history', { member_id: theirs.id })).data).toEqual([])
})
