import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { run, sql } from '../../data/sql.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { bare } from '../../testing/sign-in.ts'
import { type Outcome, outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const setPassword = (who: Person, current_password?: string, password = 'mine123') =>
  who.ask('user/edit', {
    id: who.id,
    password,
    password_confirmation: password,
    ...(current_password ? { current_password } : {}),
  })
const signIn = async (who: Person, password: string) => {
  const reply = await bare(server)('login', { username: who.username, password, face: 'member' })
  const { data } = reply
  return { ...reply, person: server.here({ ...who, token: (data as { token?: string } | null)?.token ?? '' }) }
}
const auditOf = async (top: Person, who: Person) =>
  (await top.call('audit/list', { target: who.username })).data.map(({ kind, actor_id }) => [kind, actor_id])

describe('[SELF-01] a member changes', () => {
  test('its password: its other sessions end, this one stays, and the change is audited', async () => {
    const { top, member } = await server.family()
    const other = await signIn(member, PASSWORD)
    const socket = await other.person.socket()
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    expect((await setPassword(member, PASSWORD)).code).toBe(OK)
    await closed
    expect((await member.ask('user/view', {})).code).toBe(OK)
    expect(await other.person.ask('user/view', {})).toBeRefusal('session.dead')
    expect([outcomeOf(await signIn(member, PASSWORD)), outcomeOf(await signIn(member, 'mine123'))]).toEqual([
      'session.wrong_login',
      'done',
    ])
    expect(await auditOf(top, member)).toContainEqual(['password_changed', member.id])
  })

  test('its password only with the current one, which is not guessed', async () => {
    const { member } = await server.family()
    await run(
      server.services.db,
      sql`update sessions set created_at = now() - interval '1 hour' where account_id = ${member.id}`,
    )
    expect(await setPassword(member)).toBeRefusal('session.needs_password')
    const codes: Outcome[] = []
    for (let n = 0; n < 7; n++) codes.push(outcomeOf(await setPassword(member, `wrong${n}`)))
    expect(codes).toEqual([
      'session.wrong_password',
      'session.wrong_password',
      'session.wrong_password',
      'session.wrong_password',
      'session.wrong_password',
      'request.too_often',
      'request.too_often',
    ])
    expect((await signIn(member, 'mine123')).code).not.toBe(OK)
  })

  test('its nickname and picture, which its group sees; a file that is no image changes nothing', async () => {
    const { top, agent, member } = await server.family()
    await member.call('user/edit', { id: member.id, nickname: 'Gina' })
    await member.call('user/edit', { id: member.id, thumbnail: DOT })
    const { thumbnail } = await member.call('user/view', {})
    expect(thumbnail).toMatch(/^\/media\/[0-9a-f]{32}$/)
    expect(await agent.call('member/view', { member_id: member.id })).toMatchObject({ nickname: 'Gina', thumbnail })
    const svg = `data:image/png;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`
    expect(await member.ask('user/edit', { id: member.id, thumbnail: svg })).toBeRefusal('account.image_invalid')
    expect(await member.call('user/view', {})).toMatchObject({ nickname: 'Gina', thumbnail })
    await member.call('user/edit', { id: member.id, thumbnail: '' })
    expect(await member.call('user/view', {})).toMatchObject({ thumbnail: '' })
    expect((await auditOf(top, member)).filter(([kind]) => kind === 'account_edited')).toHaveLength(3)
  })

  test('[S16] its nickname without what turns the text behind it; joiners that scripts need stay', async () => {
    const { agent, member } = await server.family()
    const saved = async (nickname: string) => {
      await member.call('user/edit', { id: member.id, nickname })
      return (await agent.call('member/view', { member_id: member.id })).nickname
    }
    expect(await saved('Ann\u202e\u2066\u200b\u0007')).toBe('Ann')
    expect(await saved('\u0995\u09cd\u200d\u09b7')).toBe('\u0995\u09cd\u200d\u09b7')
  })

  test('nothing of its status, its consent or another account', async () => {
    const { agent, member } = await server.family()
    const sibling = await server.person({ role: Role.member, under: agent })
    expect(await member.ask('user/edit', { id: member.id, status: AccountStatus.frozen })).toBeRefusal(
      'account.not_yourself',
    )
    expect(await member.ask('user/edit', { id: member.id, withdraw_confirm: 0 })).toBeRefusal('account.not_yourself')
    expect(await member.ask('user/edit', { id: sibling.id, nickname: 'x' })).toBeRefusal('account.not_found')
  })
})

test('[SHELL-08] customer service sees the wallet that pays, by the name it knows; others and those who may not pay, none', async () => {
  const { agent, cs, member } = await server.family()
  // Half of the 1,000 points are a credit of its own.
  await asSuperuser((tx) =>
    run(tx, sql`update wallets set balance = 5000000, floor = -5000000 where account_id = ${agent.id} and kind = 1`),
  )
  const payer = { id: agent.id, name: `Nick ${agent.username}`, available: '1000.0000', unlimited: false }
  expect((await cs.call('member/view', { member_id: member.id })).payer).toMatchObject({ id: agent.id })
  expect((await cs.call('user/view', {})).payer).toEqual(payer)
  await agent.call('user/transaction', { id: member.id, amount: '10.5', remark: 'x' })
  expect((await cs.call('user/view', {})).payer).toEqual({ ...payer, available: '989.5000' })
  expect((await agent.call('user/view', {})).payer).toBeNull()
  expect((await agent.call('user/view', { id: cs.id })).payer).toBeNull()
  expect((await member.call('user/view', {})).payer).toBeNull()
  const rights = ['chat.transaction', 'requests.transaction', 'user.transaction', 'user.deposit'].map((name) => ({
    name,
    given: false,
  }))
  await agent.call('right/save', { id: cs.id, rights: rights.slice(0, 3) })
  expect((await cs.call('user/view', {})).payer?.id).toBe(agent.id)
  await agent.call('right/save', { id: cs.id, rights })
  expect((await cs.call('user/view', {})).payer).toBeNull()
})
