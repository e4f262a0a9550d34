import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const codeOf = async (who: Person, input: { id: number } & Record<string, unknown>) =>
  outcomeOf(await who.ask('user/saveAbilities', input))
const balance = async ({ id }: Person, kind: WalletKind = WalletKind.main) =>
  (
    await many<{ balance: bigint; floor: bigint | null }>(
      server.services.db,
      sql`select balance, floor from wallets where account_id = ${id} and kind = ${kind}`,
    )
  )[0]

describe('user/abilities and user/saveAbilities', () => {
  test('[GUARD-07] an upline reads and sets abilities; nobody sets their own, their upline’s or a stranger’s', async () => {
    const { top, agent, cs, member } = await server.family()
    const stranger = await server.family()
    expect(await agent.call('user/abilities', { id: cs.id })).toMatchObject({
      username: cs.username,
      send_red_envelope_button_visible: 1,
      unlimited: false,
    })
    const saved = await agent.call('user/saveAbilities', { id: cs.id, send_red_envelope_button_visible: 0 })
    expect(saved.send_red_envelope_button_visible).toBe(0)
    expect(await agent.call('user/abilities', { id: cs.id })).toEqual(saved)
    for (const id of [top.id, stranger.agent.id, 99_999_999])
      expect(await codeOf(agent, { id, is_sub: 1 })).toBe('account.not_found')
    expect(await codeOf(agent, { id: agent.id, is_sub: 1 })).toBe('account.not_yourself')
    expect(await agent.ask('user/abilities', { id: agent.id })).toBeRefusal('account.not_yourself')
    for (const person of [cs, member]) expect(await codeOf(person, { id: member.id, is_sub: 1 })).toBe('access.denied')
  })

  test('[GUARD-07] a switched-off ability is refused at once', async () => {
    const { agent, cs, member } = await server.family()
    const give = () => cs.ask('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    expect((await give()).code).toBe(OK)
    await agent.call('user/saveAbilities', { id: cs.id, red_envelope_button_visible: 0 })
    expect(await give()).toBeRefusal('access.denied')
    await agent.call('user/saveAbilities', { id: cs.id, red_envelope_button_visible: 1 })
    await agent.call('user/saveAbilities', { id: member.id, event_mode: 1 })
    expect(await give()).toBeRefusal('transfer.event_mode')
  })

  test('[GUARD-07] an agent gives only what it has; an admin gives all', async () => {
    const { top, agent, cs } = await server.family()
    const rights = { flow_limit_modify_permission: 1, deduct_point_button_visible: 1 } as const
    for (const [name, value] of Object.entries(rights))
      expect(await codeOf(agent, { id: cs.id, [name]: value })).toBe('account.not_yours_to_give')
    expect(await codeOf(agent, { id: cs.id, transfer_member_flow_limit_multiple: 0 })).toBe('account.not_yours_to_give')
    await top.call('user/saveAbilities', { id: agent.id, ...rights })
    expect(await agent.call('user/saveAbilities', { id: cs.id, ...rights })).toMatchObject(rights)
    expect(await codeOf(agent, { id: cs.id, transfer_member_flow_limit_multiple: 0 })).toBe('done')
  })

  test('[S2] [GUARD-07] balance, role and parent are not abilities', async () => {
    const { agent, cs } = await server.family()
    const before = await agent.call('user/view', { id: cs.id })
    await agent.ask('user/saveAbilities', {
      id: cs.id,
      balance: '5',
      role_id: Role.admin,
      parent_id: 1,
      is_funded: true,
    } as never)
    expect(await agent.call('user/view', { id: cs.id })).toEqual(before)
  })
})

describe('the credit limit', () => {
  test('[GUARD-07] an admin sets it, an agent only lowers it, and members have none', async () => {
    const { top, agent, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    expect(await top.call('user/saveAbilities', { id: sub.id, limit_of_credit: '50' })).toMatchObject({
      limit_of_credit: '50.0000',
    })
    expect((await balance(sub))?.floor).toBe(-500_000n)
    const theirs = await server.person({ role: Role.member, under: sub })
    await sub.call('user/transaction', { id: theirs.id, amount: '50' })
    expect(await sub.ask('user/transaction', { id: theirs.id, amount: '0.0001' })).toBeRefusal('transfer.over_credit')
    expect(await codeOf(agent, { id: sub.id, limit_of_credit: '51' })).toBe('account.not_yours_to_give')
    expect(await codeOf(agent, { id: sub.id, unlimited: true })).toBe('account.not_yours_to_give')
    const below = await top.ask('user/saveAbilities', { id: sub.id, limit_of_credit: '49.9999' })
    expect(below).toMatchObject({ refusal: 'account.below_credit', data: { balance: '-50.0000' } })
    await sub.call('user/transaction', { id: theirs.id, amount: '-20' })
    expect(await codeOf(agent, { id: sub.id, limit_of_credit: '30' })).toBe('done')
    expect(await codeOf(top, { id: member.id, limit_of_credit: '1' })).toBe('account.has_no_credit')
    expect(await codeOf(top, { id: sub.id, limit_of_credit: '-1' })).toBe('request.invalid')
  })

  test('[S21] unlimited has its own field, and ending it is checked like any limit', async () => {
    const { top, agent } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    expect(await top.call('user/saveAbilities', { id: sub.id, unlimited: true })).toMatchObject({
      unlimited: true,
      limit_of_credit: '-1',
    })
    expect((await balance(sub))?.floor).toBeNull()
    const theirs = await server.person({ role: Role.member, under: sub })
    await sub.call('user/transaction', { id: theirs.id, amount: '5' })
    expect(await codeOf(top, { id: sub.id, unlimited: false })).toBe('account.below_credit')
    expect(await codeOf(agent, { id: sub.id, limit_of_credit: '5' })).toBe('account.not_yours_to_give')
    expect(await top.call('user/saveAbilities', { id: sub.id, limit_of_credit: '5' })).toMatchObject({
      unlimited: false,
    })
  })

  test('[R10] a limit lowered while points are given: the floor holds in either order', async () => {
    const { top, agent } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent, limit: '100' })
    const theirs = await server.person({ role: Role.member, under: sub })
    const moves = Array.from({ length: 20 }, () => sub.ask('user/transaction', { id: theirs.id, amount: '10' }))
    const lowered = await codeOf(top, { id: sub.id, limit_of_credit: '30' })
    await Promise.all(moves)
    const after = await balance(sub)
    expect(after && after.floor !== null && after.balance >= after.floor).toBe(true)
    expect(after?.floor).toBe(lowered === 'done' ? -300_000n : -1_000_000n)
  })
})

test('[GUARD-07] is_multiple_wallet opens the game wallet, and closes only an empty one', async () => {
  const { top, agent, member } = await server.family()
  await top.call('user/saveAbilities', { id: agent.id, is_multiple_wallet: 1 })
  expect(await balance(agent, WalletKind.game)).toMatchObject({ balance: 0n })
  await agent.call('user/saveAbilities', { id: member.id, is_multiple_wallet: 1 })
  await agent.call('user/transaction', { id: member.id, amount: '3', type: WalletKind.game })
  expect(await codeOf(agent, { id: member.id, is_multiple_wallet: 0 })).toBe('account.game_wallet_in_use')
  expect(await codeOf(top, { id: agent.id, is_multiple_wallet: 0 })).toBe('done')
})

describe('user/path and user/export', () => {
  test('[ACC-12] user/path begins at the viewer and shows nobody above', async () => {
    const { top, agent, cs } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const below = await server.person({ role: Role.member, under: sub })
    const path = async (who: Person, id: number) =>
      (await who.call('user/path', { id })).path.map(({ username }) => username)
    const chain = [top, agent, sub, below].map(({ username }) => username)
    expect(await path(top, below.id)).toEqual(chain)
    expect(await path(agent, below.id)).toEqual(chain.slice(1))
    expect(await path(cs, below.id)).toEqual([below.username])
    expect(await sub.ask('user/path', { id: agent.id })).toBeRefusal('account.not_found')
  })

  test('[S31] user/export is what the list shows, and no spreadsheet takes a cell for a formula', async () => {
    const { top, agent, cs, member } = await server.family()
    const bent = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx', '\rx', 'a"b', 'a,b']
    for (const nickname of bent) {
      const made = await server.person({ role: Role.member, under: agent })
      await run(server.services.db, sql`update accounts set nickname = ${nickname} where id = ${made.id}`)
    }
    const { name, csv } = await top.call('user/export', { menu_id: 13, username: '' })
    expect(name).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
    const cells = [...csv.matchAll(/"((?:[^"]|"")*)"/g)].map((found) => found[1] ?? '')
    expect(cells).toContain(member.username)
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
    for (const nickname of bent.slice(0, 6)) expect(cells).toContain(`'${nickname}`)
    expect(cells).toContain('a""b')
    expect((await agent.call('user/export', { menu_id: 13 })).csv).not.toContain('Balance')
    expect(await cs.ask('user/export', { menu_id: 13 })).toBeRefusal('access.denied')
    expect(
      (await agent.call('user/export', { menu_id: 13, username: member.username })).csv.trim().split('\r\n'),
    ).toHaveLength(2)
  })
})
