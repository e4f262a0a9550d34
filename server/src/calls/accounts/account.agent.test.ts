import { randomBytes, randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { bare } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const fresh = (more: object = {}) => ({
  username: `a${randomBytes(4).toString('hex')}`,
  nickname: 'Branch',
  password: 'secret1',
  password_confirmation: 'secret1',
  ...more,
})
const agentsOf = async (who: Person) => (await who.call('user/list', { menu_id: 2 })).data.map(({ id }) => id)

describe('[FIRST-01] adding an agent', () => {
  test('makes one that chooses its own password, is audited, and heads a group of its own', async () => {
    const { top, agent } = await server.family()
    const input = fresh()
    const { id } = await top.call('user/addAgent', input)
    expect(await agentsOf(top)).toEqual([agent.id, id])
    expect(await top.call('user/view', { id })).toMatchObject({
      role_id: Role.agent,
      nickname: 'Branch',
      balance: '0.0000',
    })
    const login = (more: object) => bare(server)('login', { username: input.username, password: 'secret1', ...more })
    expect(await login({})).toBeRefusal('session.needs_new_password')
    const { code, data } = await login({ new_password: 'mine123', new_password_confirmation: 'mine123' })
    expect(code).toBe(OK)
    const made = server.here({ ...top, id, token: (data as { token: string }).token })
    await made.call('user/add', fresh())
    const { data: entries } = await top.call('audit/list', { target: input.username, kind: 'account_added' })
    expect(entries.map(({ actor_id }) => actor_id)).toEqual([top.id])
  })

  test('is done below oneself or below an agent in sight, and nowhere else', async () => {
    const { agent, cs, member, top } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const stranger = await server.family()
    const { id } = await agent.call('user/addAgent', fresh({ parent_id: sub.id }))
    expect(await agentsOf(sub)).toEqual([id])
    for (const { id: parent_id } of [top, stranger.agent, cs, member])
      expect(await agent.ask('user/addAgent', fresh({ parent_id }))).toBeRefusal('account.not_found')
    for (const who of [cs, member]) expect(await who.ask('user/addAgent', fresh())).toBeRefusal('access.denied')
    await agent.call('user/delete', { id: sub.id })
    expect(await agent.ask('user/addAgent', fresh({ parent_id: sub.id }))).toBeRefusal('account.not_found')
  })

  test('gives no right that the account above lacks, and nothing that the call does not name', async () => {
    const { top, agent } = await server.family()
    await top.call('user/saveAbilities', { id: agent.id, gift_red_envelope_button_visible: 0 })
    const bent = {
      ...fresh(),
      role_id: Role.admin,
      unlimited: true,
      limit_of_credit: '500',
      gift_red_envelope_button_visible: 1,
    }
    const { id } = await agent.call('user/addAgent', bent)
    expect(await agent.call('user/view', { id })).toMatchObject({
      role_id: Role.agent,
      unlimited: false,
      limit_of_credit: '0.0000',
      gift_red_envelope_button_visible: 0,
    })
  })

  test('once, when it is repeated; a taken name and other passwords make none', async () => {
    const { top, agent } = await server.family()
    const input = { ...fresh(), request_id: randomUUID() }
    const [first, second] = [await top.call('user/addAgent', input), await top.call('user/addAgent', input)]
    expect(second).toEqual(first)
    expect(await top.ask('user/addAgent', fresh({ username: input.username.toUpperCase() }))).toBeRefusal(
      'account.username_taken',
    )
    expect(await top.ask('user/addAgent', fresh({ password_confirmation: 'secret2' }))).toBeRefusal(
      'account.passwords_differ',
    )
    expect(await agentsOf(top)).toEqual([agent.id, first.id])
  })
})

test('[MEMB-02] the office adds a member to its own group, with a conversation and a password for one sign-in', async () => {
  const { agent, cs, member } = await server.family()
  for (const who of [agent, cs]) {
    const input = fresh({ nickname: 'By phone' })
    const { id } = await who.call('user/addMember', input)
    const members = (await who.call('user/list', { menu_id: 13 })).data
    expect(members.find((row) => row.id === id)).toMatchObject({ nickname: 'By phone', agent_id: agent.id })
    expect((await cs.call('customer/list', {})).data.some((row) => row.username === input.username)).toBe(true)
    const login = (more: object) =>
      bare(server)('login', { username: input.username, password: 'secret1', face: 'member', ...more })
    expect(await login({})).toBeRefusal('session.needs_new_password')
    expect((await login({ new_password: 'mine123', new_password_confirmation: 'mine123' })).code).toBe(OK)
  }
  expect(await member.ask('user/addMember', fresh())).toBeRefusal('access.denied')
})
