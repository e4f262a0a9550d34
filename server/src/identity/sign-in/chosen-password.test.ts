import { randomBytes } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { bare, codeOf, withAuthenticator } from '../../testing/sign-in.ts'
import { issueToken } from './tokens.ts'
import { type Outcome, outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const GIVEN = 'given123'
const login = (username: string, password: string, more: object = {}) =>
  bare(server)('login', { username, password, face: 'office', ...more })
const chosen = (word: string, again = word) => ({ new_password: word, new_password_confirmation: again })
const setPassword = (who: Person, whom: { id: number }, more: object = {}) =>
  who.ask('user/edit', { id: whom.id, password: GIVEN, password_confirmation: GIVEN, ...more })
const hoursPass = (who: Person) =>
  run(server.services.db, sql`update sessions set created_at = now() - interval '5 hours' where account_id = ${who.id}`)

describe('[W18] setting somebody else’s password', () => {
  test('needs the own password when the sign-in is not fresh, for every account below', async () => {
    const { top, agent, cs, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    await hoursPass(agent)
    await hoursPass(top)
    for (const whom of [sub, cs, member]) {
      expect(await setPassword(agent, whom)).toBeRefusal('session.needs_password')
      expect(await setPassword(agent, whom, { current_password: 'wrong12' })).toBeRefusal('session.wrong_password')
      expect(await login(whom.username, GIVEN)).toBeRefusal('session.wrong_login')
    }
    expect(await setPassword(top, agent)).toBeRefusal('session.needs_password')
    // Other fields need no password.
    await agent.call('user/edit', { id: cs.id, nickname: 'Helper' })
    expect((await setPassword(agent, cs, { current_password: PASSWORD })).code).toBe(OK)
  })

  test.each(['cs', 'member'] as const)('the %s must choose a new one first', async (kind) => {
    const { top, agent, ...rest } = await server.family()
    const who = rest[kind]
    const face = { face: kind === 'member' ? 'member' : 'office' }
    await setPassword(agent, who)
    expect(await who.ask('user/view', {})).toBeRefusal('session.dead')
    expect(await login(who.username, GIVEN, face)).toMatchObject({ refusal: 'session.needs_new_password', data: null })
    const bent: [object, Outcome][] = [
      [chosen(GIVEN), 'account.password_not_new'],
      [chosen('mine123', 'mine124'), 'account.passwords_differ'],
      [chosen('abc'), 'request.invalid'],
      [chosen('no way!'), 'request.invalid'],
    ]
    for (const [words, code] of bent)
      expect(outcomeOf(await login(who.username, GIVEN, { ...face, ...words }))).toBe(code)
    expect(await login(who.username, 'wrong12', { ...face, ...chosen('mine123') })).toBeRefusal('session.wrong_login')
    const entered = await login(who.username, GIVEN, { ...face, ...chosen('mine123') })
    expect(entered).toMatchObject({ code: OK, data: { username: who.username } })
    expect(await login(who.username, GIVEN, face)).toBeRefusal('session.wrong_login')
    expect((await login(who.username, 'mine123', face)).code).toBe(OK)
    expect(await login(who.username, 'mine123', { ...face, ...chosen('other12') })).toBeRefusal('request.invalid')
    const { data } = await top.call('audit/list', { target: who.username, kind: 'password_changed' })
    expect(data.map(({ actor_id }) => actor_id)).toEqual([who.id, agent.id])
  })

  test('a chosen password is not asked for again', async () => {
    const { agent } = await server.family()
    await setPassword(agent, agent)
    expect((await login(agent.username, GIVEN)).code).toBe(OK)
  })

  test('an account that was added with a password chooses its own', async () => {
    const { agent } = await server.family()
    const username = `c${randomBytes(4).toString('hex')}`
    await agent.call('user/add', { username, password: GIVEN, password_confirmation: GIVEN })
    expect(await login(username, GIVEN)).toBeRefusal('session.needs_new_password')
    expect((await login(username, GIVEN, chosen('mine123'))).code).toBe(OK)
  })

  test('a token of the platform still signs the account in', async () => {
    const { agent, cs } = await server.family()
    await setPassword(agent, cs)
    const landing_token = await issueToken(server.services.db, { kind: 'landing', accountId: cs.id })
    const { code, data } = await bare(server)('login', { landing_token })
    expect(code).toBe(OK)
    const landed = server.here({ ...cs, token: (data as { token: string }).token })
    expect((await landed.ask('user/view', {})).code).toBe(OK)
    // Choosing a password ends it, like every new password.
    expect((await login(cs.username, GIVEN, chosen('mine123'))).code).toBe(OK)
    expect(await landed.ask('user/view', {})).toBeRefusal('session.dead')
  })

  test('with a second factor, choosing needs its code', async () => {
    const { agent, cs } = await server.family()
    const { secret } = await withAuthenticator(server, cs)
    await setPassword(agent, cs)
    const waits = await login(cs.username, GIVEN, chosen('mine123'))
    expect(waits).toBeRefusal('session.needs_authenticator')
    expect(await login(cs.username, 'mine123')).toBeRefusal('session.wrong_login')
    const { challenge } = waits.data as { challenge: string }
    const proof = await bare(server)('googleAuth', {
      username: cs.username,
      secret: await codeOf(server, secret, 1),
      challenge,
    })
    const { auth_done } = proof.data as { auth_done: string }
    expect((await login(cs.username, GIVEN, { ...chosen('mine123'), auth_done })).code).toBe(OK)
  })

  test('it is not the payment password', async () => {
    const { agent, cs } = await server.family()
    const payment_password = 'pay123'
    const payment = { payment_password, payment_password_confirmation: payment_password }
    await cs.call('user/paymentPassword', { password: PASSWORD, ...payment })
    await setPassword(agent, cs)
    expect(await login(cs.username, GIVEN, chosen('pay123'))).toBeRefusal('account.passwords_same')
    expect((await login(cs.username, GIVEN, chosen('mine123'))).code).toBe(OK)
  })

  test('of two that choose at once one signs in', async () => {
    const { agent, cs } = await server.family()
    await setPassword(agent, cs)
    const words = ['mine1', 'mine2', 'mine3', 'mine4']
    const replies = await Promise.all(words.map((word) => login(cs.username, GIVEN, chosen(word))))
    const codes = replies.map(outcomeOf)
    expect(codes.filter((code) => code === 'done')).toHaveLength(1)
    expect((await login(cs.username, words[codes.indexOf('done')] ?? '')).code).toBe(OK)
  })
})
