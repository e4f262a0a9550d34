import { randomUUID } from 'node:crypto'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { startTestServer } from '../testing/app.ts'
import { platform } from '../testing/fakes/platform.ts'

const server = await startTestServer()
const world = async () => {
  const family = await server.family()
  return { ...family, api: await platform(server, family.top) }
}

test('[API-05] a member who signed up without us is given our own id, and found by it', async () => {
  const { api, agent, member } = await world()
  const id = `player-${randomUUID()}`
  const set = { username: member.username, set: { third_party_id: id }, request_id: randomUUID() }
  const answer = await api.call('member/set', set)
  expect(answer).toMatchObject({ username: member.username, third_party_id: id, status: AccountStatus.active })
  expect(await api.call('member/set', set)).toEqual(answer)
  expect(await api.call('balance/list', { third_party_ids: [id] })).toMatchObject({
    data: [{ username: member.username }],
  })
  const other = await server.person({ role: Role.member, under: agent })
  const body = { username: other.username, set: { third_party_id: id } }
  expect((await api.post('member/set', { ...body, request_id: randomUUID() })).reply).toBeRefusal(
    'account.third_party_id_taken',
  )
  await api.call('member/set', { third_party_id: id, set: { third_party_id: null } })
  await api.call('member/set', body)
  expect(await api.call('balance/list', { third_party_ids: [id] })).toMatchObject({
    data: [{ username: other.username }],
  })
})

test('[API-05] a frozen member is signed out and cannot sign in, and only what is named changes', async () => {
  const { api, top, agent, member } = await world()
  await api.call('member/set', { username: member.username, set: { nickname: 'Ann Lee', withdraw_confirm: 1 } })
  await api.call('member/set', { username: member.username, set: { status: 0 } })
  expect(await member.ask('room/list', {})).toBeRefusal('session.dead')
  expect(await agent.call('member/view', { member_id: member.id })).toMatchObject({
    nickname: 'Ann Lee',
    withdraw_confirm: 1,
    event_mode: 0,
    status: 0,
  })
  await api.call('member/set', { username: member.username, set: { status: 1, event_mode: 1 } })
  expect(await agent.call('member/view', { member_id: member.id })).toMatchObject({ status: 1, event_mode: 1 })
  const { data } = await top.call('audit/list', { target: member.username })
  const kinds = data.map(({ kind }) => kind)
  expect(kinds).toEqual(
    expect.arrayContaining([
      'account_edited',
      'withdraw_confirm_changed',
      'account_frozen',
      'account_unfrozen',
      'abilities_changed',
    ]),
  )
  expect(kinds.filter((kind) => kind === 'account_edited')).toHaveLength(1)
  expect(data.filter(({ facts }) => JSON.stringify(facts).includes(api.id))).toHaveLength(5)
})

test('[API-05] an agent is no member, and nothing to set is refused', async () => {
  const { api, agent, member } = await world()
  const ask = async (body: object) => (await api.post('member/set', { request_id: randomUUID(), ...body })).reply
  expect(await ask({ username: agent.username, set: { status: 0 } })).toBeRefusal('account.not_found')
  const empty = await ask({ username: member.username, set: {} })
  expect([empty.refusal, empty.data]).toEqual([
    'request.invalid',
    { field: 'set', errors: [{ pointer: '/set', reason: 'Give at least one field' }] },
  ])
  expect((await ask({ username: member.username, set: { role_id: 1 } })).data).toMatchObject({ field: 'set.role_id' })
})
