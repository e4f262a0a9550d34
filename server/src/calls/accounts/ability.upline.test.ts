import type { AbilityFlag } from '@tallyroom/contract/ability-flags'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const codeOf = async (who: Person, input: { id: number } & Record<string, unknown>) =>
  outcomeOf(await who.ask('user/saveAbilities', input))

/** A second statement, written differently from abilities.ts: what an agent may give only while it has it. */
const handedOn = {
  is_sub: false,
  is_multiple_wallet: true,
  transaction_all: true,
  event_mode: false,
  red_envelope_button_visible: true,
  send_red_envelope_button_visible: true,
  receive_red_envelope_button_visible: true,
  gift_red_envelope_button_visible: true,
  point_button_visible: true,
  deduct_point_button_visible: true,
  cs_flow_limit_button_visible: true,
  chat_ai_bot_visible: true,
  customized_has_qrcode_show: true,
  flow_limit_modify_permission: true,
  may_approve: true,
  masks_usernames: false,
} as const satisfies Record<AbilityFlag, boolean>
type Made = { id: number }
const flags = Object.entries(handedOn) as [AbilityFlag, boolean][]

describe('[GUARD-07] no account can do more than the agent above it', () => {
  const addService = async (agent: Person) => {
    const username = `s${Math.random().toString(36).slice(2, 10)}`
    const password = { password: 'secret1', password_confirmation: 'secret1' }
    return (await agent.call('user/add', { username, ...password })).id
  }
  const set = (id: number, flag: string, value: number) =>
    run(server.services.db, { text: `update accounts set ${flag} = ${value} where id = ${id}`, values: [] })

  test.each(flags)('%s is given by an agent only while it has it: %s', async (flag, isRight) => {
    const { top, agent, cs, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const people = [sub, cs, member]
    for (const { id } of [agent, ...people]) await set(id, flag, 0)
    for (const { id } of people)
      expect(await codeOf(agent, { id, [flag]: 1 })).toBe(isRight ? 'account.not_yours_to_give' : 'done')
    if (!isRight) return
    // An admin cannot give it past the agent above either. Members have no back office: an admin gives them all.
    for (const { id } of [sub, cs]) {
      const refused = await top.ask('user/saveAbilities', { id, [flag]: 1 })
      expect(refused).toMatchObject({
        refusal: 'account.upline_has_not',
        message: expect.stringContaining('The agent above'),
      })
    }
    expect(await codeOf(top, { id: member.id, [flag]: 1 })).toBe('done')
    await set(member.id, flag, 0)
    await top.call('user/saveAbilities', { id: agent.id, [flag]: 1 })
    for (const { id } of people) expect(await codeOf(agent, { id, [flag]: 1 })).toBe('done')
  })

  test.each(flags.filter(([, isRight]) => isRight))(
    '%s: new customer service has it only if its agent has',
    async (flag) => {
      const { top, agent } = await server.family()
      const first = (await top.call('user/abilities', { id: await addService(top) }))[flag]
      for (const has of [0, 1] as const) {
        await set(agent.id, flag, has)
        const made = await agent.call('user/abilities', { id: await addService(agent) })
        expect(made[flag]).toBe(Math.min(has, first))
      }
    },
  )

  test.each(flags.filter(([, isRight]) => isRight))('%s: what an agent loses its downline loses too', async (flag) => {
    const { top, agent, cs, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const subCs = await server.person({ role: Role.customerService, under: sub })
    const office = [agent, cs, sub, subCs]
    for (const { id } of [...office, member]) await set(id, flag, 1)
    await top.call('user/saveAbilities', { id: agent.id, [flag]: 0 })
    for (const { id } of office) expect((await top.call('user/abilities', { id }))[flag]).toBe(0)
    expect((await top.call('user/abilities', { id: member.id }))[flag]).toBe(1)
    const { data } = await top.call('audit/list', { target: subCs.username, kind: 'abilities_changed' })
    expect(data[0]?.facts).toEqual([{ field: flag, before: '1', after: '0' }])
    await top.call('user/saveAbilities', { id: agent.id, [flag]: 1 })
    expect((await top.call('user/abilities', { id: cs.id }))[flag]).toBe(0)
  })

  test('customer service made by a restricted agent moves no points', async () => {
    const { top, agent, member } = await server.family()
    const buttons = flags.map(([flag]) => flag).filter((flag) => /(envelope|point)_button/.test(flag))
    await top.call('user/saveAbilities', { id: agent.id, ...Object.fromEntries(buttons.map((flag) => [flag, 0])) })
    const id = await addService(agent)
    const theirs = await server.person({ role: Role.customerService, under: agent })
    for (const type of [TransferKind.send, TransferKind.receive, TransferKind.gift, TransferKind.makeUp] as const) {
      const asked = { member_id: member.id, type, amount: '1', remark: 'x' }
      expect(await theirs.ask('transaction/add', asked)).toBeRefusal('access.denied')
    }
    expect(await agent.call('user/abilities', { id })).toMatchObject(
      Object.fromEntries(buttons.map((flag) => [flag, 0])),
    )
  })

  test('an agent that the platform adds has no right that the agent above it lacks', async () => {
    const { top, agent } = await server.family()
    const api = await platform(server, top)
    for (const [flag] of flags.filter(([, isRight]) => isRight)) await set(agent.id, flag, 0)
    await set(agent.id, 'transfer_member_flow_limit_multiple', 7)
    const made = (await api.call('agent/add', {
      username: `p${agent.username.slice(1)}`,
      parent: agent.username,
    })) as Made
    const abilities = await top.call('user/abilities', { id: made.id })
    for (const [flag] of flags) expect(abilities[flag]).toBe(0)
    expect(abilities.transfer_member_flow_limit_multiple).toBe(7)
  })

  test('the turnover multiple is at least that of the agent, unless the agent may change turnover', async () => {
    const { top, agent, cs } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const multiple = async (id: number) =>
      (await top.call('user/abilities', { id })).transfer_member_flow_limit_multiple
    await top.call('user/saveAbilities', { id: agent.id, transfer_member_flow_limit_multiple: 5 })
    for (const id of [cs.id, sub.id, await addService(agent)]) expect(await multiple(id)).toBe(5)
    expect(await codeOf(top, { id: sub.id, transfer_member_flow_limit_multiple: 4 })).toBe('account.upline_has_not')
    await top.call('user/saveAbilities', { id: agent.id, flow_limit_modify_permission: 1 })
    expect(await codeOf(agent, { id: sub.id, transfer_member_flow_limit_multiple: 0 })).toBe('done')
    await top.call('user/saveAbilities', { id: agent.id, flow_limit_modify_permission: 0 })
    expect(await multiple(sub.id)).toBe(5)
  })

  test('new customer service has no credit, whatever its agent’s credit', async () => {
    const { top, agent } = await server.family()
    await top.call('user/saveAbilities', { id: agent.id, limit_of_credit: '500' })
    const id = await addService(agent)
    expect(await top.call('user/abilities', { id })).toMatchObject({ unlimited: false, limit_of_credit: '0.0000' })
    await top.call('user/saveAbilities', { id: agent.id, unlimited: true })
    const other = await addService(agent)
    expect(await top.call('user/abilities', { id: other })).toMatchObject({
      unlimited: false,
      limit_of_credit: '0.0000',
    })
  })

  test('masked names are masked for the agents below as well, and event mode begins with the account', async () => {
    const { top, agent } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1, event_mode: 1 })
    expect(await top.call('user/abilities', { id: sub.id })).toMatchObject({ masks_usernames: 1, event_mode: 0 })
    expect(await codeOf(top, { id: sub.id, masks_usernames: 0 })).toBe('account.upline_has_not')
    const later = await server.person({ role: Role.agent, under: agent })
    expect(await top.call('user/abilities', { id: later.id })).toMatchObject({ masks_usernames: 1, event_mode: 1 })
  })

  test('an account added while its agent loses a right does not have the right', async () => {
    const { top, agent } = await server.family()
    const flag = 'point_button_visible'
    for (let round = 0; round < 5; round++) {
      await top.call('user/saveAbilities', { id: agent.id, [flag]: 1 })
      const added = Array.from({ length: 4 }, () => addService(agent))
      await top.call('user/saveAbilities', { id: agent.id, [flag]: 0 })
      for (const id of await Promise.all(added)) expect((await agent.call('user/abilities', { id }))[flag]).toBe(0)
    }
  })
})
