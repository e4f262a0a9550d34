import { randomBytes } from 'node:crypto'
import { AccountRow } from '@tallyroom/contract/calls/accounts/account'
import { AccountStatus, Role, TransferKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const idsOf = async (person: Person, menu_id: 2 | 3 | 13) =>
  (await person.call('user/list', { menu_id })).data.map(({ id }) => id)

describe('user/list', () => {
  test('[ACC-12] each account sees only its own downline', async () => {
    const { top, agent, cs, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const below = await server.person({ role: Role.member, under: sub })
    const stranger = await server.family()

    expect(await idsOf(top, 2)).toEqual([agent.id, sub.id])
    expect(await idsOf(agent, 2)).toEqual([sub.id])
    expect(await idsOf(agent, 13)).toEqual([member.id, below.id])
    expect(await idsOf(sub, 13)).toEqual([below.id])
    expect(await idsOf(cs, 13)).toEqual([member.id, below.id])
    expect(await idsOf(cs, 2)).toEqual([])
    expect(await idsOf(agent, 3)).toEqual([cs.id])
    expect(await idsOf(stranger.agent, 13)).toEqual([stranger.member.id])
  })

  test('[ACC-04] [ACC-05] role_id chooses the list; names match in part, in any case', async () => {
    const { agent, cs, member } = await server.family()
    const rows = async (input: object) => (await agent.call('user/list', input)).data.map(({ id }) => id)
    expect(await rows({ role_id: Role.customerService, page: 1, per_page: 50_000 })).toEqual([cs.id])
    expect(await rows({ menu_id: 13, username: member.username.slice(1, 5).toUpperCase() })).toEqual([member.id])
    expect(await rows({ menu_id: 13, nickname: 'nick' })).toEqual([member.id])
    expect(await rows({ menu_id: 13, username: '%' })).toEqual([])
    expect(await rows({ menu_id: 13, username: '_' })).toEqual([])
  })

  test('[LIM-01] [S2] a list of thousands is sent in pieces, complete, in order, with only the contract’s fields', async () => {
    const { agent, member } = await server.family()
    await run(
      server.services.db,
      sql`with made as (
          insert into accounts (id, top_id, parent_id, group_id, path, role_id, username, nickname, password_hash, share_code)
          select n.id, p.top_id, p.id, p.group_id, p.path || n.id || '/', 4, 'crowd' || n.id, 'nick, "' || n.id, '!', 'c' || n.id
          from accounts p, (select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id
            from generate_series(1, 2500)) n
          where p.id = ${agent.id} returning id, top_id)
        insert into wallets (top_id, account_id, kind, floor)
        select made.top_id, made.id, kind, 0 from made, unnest(array[1, 2]) kind`,
    )
    const { data, total } = await agent.call('user/list', { menu_id: 13 })
    expect([data.length, total]).toEqual([2501, 2501])
    const ids = data.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(ids[0]).toBe(member.id)
    expect(data.at(-1)?.nickname).toBe(`nick, "${ids.at(-1)}`)
    const { shares_wallet: _, ...ofMembers } = AccountRow.shape
    expect(Object.keys(data.at(-1) ?? {}).sort()).toEqual([...Object.keys(ofMembers), 'agent_id'].sort())
  })

  test('[LIM-01] pages are counted', async () => {
    const { agent } = await server.family()
    await server.person({ role: Role.member, under: agent })
    const page = await agent.call('user/list', { menu_id: 13, page: 2, per_page: 1 })
    expect([page.data.length, page.total]).toEqual([1, 2])
  })
})

describe('user/view', () => {
  test('[ACC-12] [S4] foreign and absent accounts look the same', async () => {
    const { agent, top } = await server.family()
    const stranger = await server.family()
    const answers = await Promise.all(
      [top.id, stranger.member.id, 99_999_999].map((id) => agent.ask('user/view', { id })),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toBeRefusal('account.not_found')
  })

  test('[SHELL-08] [S21] `unlimited` says so, not a balance of -1', async () => {
    const { top } = await server.family()
    expect(await top.call('user/view', {})).toMatchObject({ unlimited: true, balance: '-1', limit_of_credit: '-1' })
    const debtor = await server.person({ role: Role.agent, under: top, limit: '5' })
    const member = await server.person({ role: Role.member, under: debtor })
    await debtor.call('user/transaction', { id: member.id, amount: '1', remark: 'x' })
    expect(await debtor.call('user/view', {})).toMatchObject({
      unlimited: false,
      balance: '-1.0000',
      limit_of_credit: '5.0000',
      used_credit: '1.0000',
    })
  })
})

describe('user/add', () => {
  const fresh = (bent: object = {}) => ({
    username: `c${randomBytes(4).toString('hex')}`,
    nickname: 'Help',
    password: 'secret1',
    password_confirmation: 'secret1',
    ...bent,
  })

  test('[ACC-07] makes customer service that can sign in', async () => {
    const { agent } = await server.family()
    const input = fresh()
    const { id } = await agent.call('user/add', input)
    expect(await idsOf(agent, 3)).toContain(id)
    const own = { new_password: 'mine123', new_password_confirmation: 'mine123' }
    const sealed = server.wire.seal('login', { username: input.username, password: 'secret1', ...own })
    expect((await server.post('login', sealed)).reply.code).toBe(OK)
  })

  test.each([
    ['a name of 3', { username: 'abc' }, 'request.invalid'],
    ['a name of 11', { username: 'abcdefghijk' }, 'request.invalid'],
    ['no name', { username: '' }, 'request.invalid'],
    ['a password of 3', { password: 'abc', password_confirmation: 'abc' }, 'request.invalid'],
    ['a password of 16', { password: 'a'.repeat(16), password_confirmation: 'a'.repeat(16) }, 'request.invalid'],
    ['a password with signs', { password: 'abc!!', password_confirmation: 'abc!!' }, 'request.invalid'],
    ['another confirmation', { password_confirmation: 'secret2' }, 'account.passwords_differ'],
    [
      'an avatar that is none',
      { thumbnail: `data:image/png;base64,${Buffer.from('text').toString('base64')}` },
      'account.image_invalid',
    ],
  ])('[ACC-07] refuses %s', async (_, bent, code) => {
    const { agent } = await server.family()
    expect(outcomeOf(await agent.ask('user/add', fresh(bent)))).toBe(code)
    expect(await idsOf(agent, 3)).toHaveLength(1)
  })

  test('[S2] fields that nobody may set are ignored', async () => {
    const { agent } = await server.family()
    const bent = {
      ...fresh(),
      role_id: Role.admin,
      parent_id: 1,
      balance: '999',
      limit_of_credit: '-1',
      is_funded: true,
      unlimited: true,
    }
    const { id } = await agent.call('user/add', bent)
    expect(await agent.call('user/view', { id })).toMatchObject({
      role_id: Role.customerService,
      balance: '0.0000',
      limit_of_credit: '0.0000',
      unlimited: false,
    })
  })

  test('[ACC-03] customer service adds nobody', async () => {
    const { cs } = await server.family()
    expect(await cs.ask('user/add', fresh())).toBeRefusal('access.denied')
  })
})

describe('user/edit and user/delete', () => {
  test('[ACC-08] [ACC-09] delete freezes, and edit unfreezes', async () => {
    const { agent, member } = await server.family()
    await agent.call('user/delete', { id: member.id })
    expect(await agent.call('user/view', { id: member.id })).toMatchObject({ status: AccountStatus.frozen })
    await agent.call('user/edit', { id: member.id, status: AccountStatus.active, withdraw_confirm: 1, nickname: 'Ann' })
    expect(await agent.call('user/view', { id: member.id })).toMatchObject({
      status: AccountStatus.active,
      withdraw_confirm: 1,
      nickname: 'Ann',
    })
  })

  test('[ACC-09] who has the member’s room open hears that it was frozen or unfrozen', async () => {
    const { agent, cs, member, room } = await server.family()
    const socket = await cs.socket()
    await socket.emitWithAck('join', room)
    const heard = () => new Promise((resolve) => socket.once('member', resolve))
    const frozen = heard()
    await agent.call('user/delete', { id: member.id })
    expect(await frozen).toEqual({ account_id: member.id })
    const free = heard()
    await agent.call('user/edit', { id: member.id, status: AccountStatus.active })
    expect(await free).toEqual({ account_id: member.id })
  })

  test('[ACC-12] nobody edits or freezes their own account, their upline or a stranger', async () => {
    const { top, agent, cs, member } = await server.family()
    const stranger = await server.family()
    expect(await agent.ask('user/delete', { id: agent.id })).toBeRefusal('account.not_yourself')
    expect(await agent.ask('user/edit', { id: agent.id, status: AccountStatus.frozen })).toBeRefusal(
      'account.not_yourself',
    )
    expect(await agent.ask('user/edit', { id: agent.id, withdraw_confirm: 0 })).toBeRefusal('account.not_yourself')
    for (const id of [top.id, stranger.agent.id, stranger.member.id]) {
      expect(await agent.ask('user/delete', { id })).toBeRefusal('account.not_found')
      expect(await agent.ask('user/edit', { id, nickname: 'x' })).toBeRefusal('account.not_found')
    }
    expect(await cs.ask('user/edit', { id: member.id, nickname: 'x' })).toBeRefusal('access.denied')
    expect(await member.ask('user/edit', { id: agent.id, nickname: 'x' })).toBeRefusal('account.not_found')
  })

  test('[ACC-08] an avatar is re-encoded and shown below its own top account only', async () => {
    const { agent } = await server.family()
    const stranger = await server.family()
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await agent.call('user/edit', { id: agent.id, thumbnail: `data:image/png;base64,${dot}` })
    const { thumbnail } = await agent.call('user/view', {})
    expect(thumbnail).toMatch(/^\/media\/[0-9a-f]{32}$/)
    const get = (person?: Person) =>
      fetch(server.address + thumbnail, person ? { headers: { authorization: `Bearer ${person.token}` } } : {})
    const image = await get(agent)
    expect([image.status, image.headers.get('content-type'), image.headers.get('x-content-type-options')]).toEqual([
      200,
      'image/webp',
      'nosniff',
    ])
    expect((await get(stranger.agent)).status).toBe(404)
    expect((await get()).status).toBe(404)
    await agent.call('user/edit', { id: agent.id, thumbnail: '' })
    expect((await agent.call('user/view', {})).thumbnail).toBe('')
  })

  test('user/paymentPassword needs the own password', async () => {
    const { agent } = await server.family()
    const input = { password: 'wrong', payment_password: 'pay123', payment_password_confirmation: 'pay123' }
    expect((await agent.ask('user/paymentPassword', input)).refusal).toBe('session.wrong_password')
    await agent.call('user/paymentPassword', { ...input, password: 'secret123' })
    expect((await agent.call('user/view', {})).has_payment_password).toBe(true)
  })
})

describe('member/view', () => {
  test('[ACC-12] shows a member of the own downline and nobody else', async () => {
    const { agent, cs, member } = await server.family()
    const stranger = await server.family()
    expect(await cs.call('member/view', { member_id: member.id })).toMatchObject({
      username: member.username,
      event_mode: 0,
    })
    expect(await stranger.agent.ask('member/view', { member_id: member.id })).toBeRefusal('account.not_found')
    expect(await agent.ask('member/view', { member_id: cs.id })).toBeRefusal('account.not_found')
  })

  test('[CONV-15] customer service sees the wallet that pays: its group’s, with the credit', async () => {
    const { top, agent, cs, member } = await server.family()
    const before = await agent.call('user/view', {})
    await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '30.5' })
    const { payer } = await cs.call('member/view', { member_id: member.id })
    const available = Number(before.limit_of_credit) - Number(before.used_credit) - 30.5
    expect(payer).toEqual({ id: agent.id, name: before.nickname, available: available.toFixed(4), unlimited: false })
    expect((await top.call('member/view', { member_id: member.id })).payer).toMatchObject({
      id: top.id,
      unlimited: true,
    })
  })

  test('[ENV-06] says whether an envelope would wait for consent', async () => {
    const { top, agent, cs, member } = await server.family()
    await top.call('user/transaction', { id: agent.id, amount: '100', remark: 'opening' })
    const set = (id: number, withdraw_confirm: 0 | 1) => top.call('user/edit', { id, withdraw_confirm })
    const consentNeeded = async (by: typeof cs) => {
      const { withdraw_confirm, consent_needed } = await by.call('member/view', { member_id: member.id })
      const made = await by.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
      expect(made.status).toBe(consent_needed === 1 ? 4 : 1)
      return [withdraw_confirm, consent_needed]
    }
    expect(await consentNeeded(cs)).toEqual([0, 0])
    // The agent's wallet pays, also for customer service.
    await set(agent.id, 1)
    expect(await consentNeeded(cs)).toEqual([0, 1])
    expect(await consentNeeded(agent)).toEqual([0, 1])
    await set(member.id, 1)
    expect(await consentNeeded(agent)).toEqual([1, 1])
    await set(agent.id, 0)
    expect(await consentNeeded(cs)).toEqual([1, 1])
    // With a wallet of its own, customer service pays itself: the agent's setting does not count.
    await set(member.id, 0)
    await set(agent.id, 1)
    const shares = async () => (await agent.call('user/list', { menu_id: 3 })).data.map((row) => row.shares_wallet)
    expect(await shares()).toEqual([true])
    await run(server.services.db, sql`update accounts set is_funded = true where id = ${cs.id}`)
    expect(await cs.call('member/view', { member_id: member.id })).toMatchObject({ consent_needed: 0 })
    expect(await shares()).toEqual([undefined])
  })
})

test('[ACC-05] the list of members says whose they are, and whether the caller’s group has their conversation', async () => {
  const { agent, cs, member } = await server.family()
  const below = await server.person({ role: Role.agent, under: agent })
  const theirs = await server.person({ role: Role.member, under: below })
  const { data, agents } = await agent.call('user/list', { menu_id: 13 })
  expect(data.map(({ id, agent_id }) => [id, agent_id])).toEqual([
    [member.id, agent.id],
    [theirs.id, below.id],
  ])
  expect(agents).toEqual([
    { id: agent.id, name: `Nick ${agent.username}`, is_own: 1 },
    { id: below.id, name: `Nick ${below.username}`, is_own: 0 },
  ])
  const ofService = await cs.call('user/list', { menu_id: 13 })
  expect(ofService.agents?.find(({ is_own }) => is_own === 1)?.id).toBe(agent.id)
  expect((await agent.call('user/list', { menu_id: 2 })).agents).toBeUndefined()
})
