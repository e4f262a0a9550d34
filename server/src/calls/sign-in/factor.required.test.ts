import { callNames, OK } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { rightOf, roleMay } from '../../identity/policy.ts'
import { isSetUpCall } from '../../identity/set-up-calls.ts'
import { issueToken } from '../../identity/sign-in/tokens.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { passkeyEnv, withPasskey } from '../../testing/fakes/passkey.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { bare, codeOf, socketWith, withAuthenticator } from '../../testing/sign-in.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(passkeyEnv)
})
const NEEDS = 'session.needs_set_up'

/** A platform whose top account has a second factor and requires one of these roles. */
const requiring = async (...roles: (1 | 2 | 3)[]) => {
  const family = await server.family()
  const { recovery } = await withAuthenticator(server, family.top)
  await family.top.call('factor/require', { roles })
  return { ...family, recovery }
}
/** Signs in again: the rule has ended the sessions before it. */
const again = async (person: Person, face: 'office' | 'member' = 'office') => {
  const reply = await bare(server)('login', { username: person.username, password: PASSWORD, face })
  return server.here({ ...person, token: (reply.data as { token: string }).token })
}

describe('[PASS-03] a role needs a second factor', () => {
  test('until it is set up only the set-up opens, of all calls', async () => {
    const { agent } = await requiring(2, 3)
    expect(await agent.ask('user/view', {})).toBeRefusal('session.dead')
    const office = await again(agent)
    const closed = callNames.filter((call) => rightOf(call) !== 'anyone' && roleMay(2, call) && !isSetUpCall(call))
    const codes = await Promise.all(closed.map(async (call) => [call, outcomeOf(await office.ask(call, {} as never))]))
    expect(codes.filter(([, code]) => code !== NEEDS)).toEqual([])
    expect(closed.length).toBeGreaterThan(60)
    const { secret } = await office.call('factor/begin', { password: PASSWORD })
    await office.call('factor/confirm', { code: await codeOf(server, secret) })
    expect((await office.ask('user/view', {})).code).toBe(OK)
  })

  test('at every door: sockets, images, uploads, links of the platform; and a passkey opens it too', async () => {
    const { agent, cs, member } = await requiring(2, 3)
    const service = await again(cs)
    expect(await socketWith(server, service.token, new Map())).toBe('session.needs_set_up')
    const headers = { authorization: `Bearer ${service.token}` }
    for (const path of ['/media/0000', '/api/upload/x']) {
      const answer = await fetch(`${server.address}${path}`, {
        headers,
        method: path.includes('upload') ? 'POST' : 'GET',
      })
      expect((await answer.text()).includes('"code":1000')).toBe(false)
    }
    for (const kind of ['landing', 'agent'] as const) {
      const token = await issueToken(server.services.db, { kind, accountId: agent.id })
      const given =
        kind === 'landing' ? { landing_token: token } : { agent_token: token, agent_username: agent.username }
      const { data } = await bare(server)('login', given)
      const linked = server.here({ ...agent, token: (data as { token: string }).token })
      expect(outcomeOf(await linked.ask('home/view', {}))).toBe(NEEDS)
    }
    // Members are not asked, and write as before.
    expect((await member.ask('room/list', {})).code).toBe(OK)
    await withPasskey(server, service)
    expect((await service.ask('room/list', {})).code).toBe(OK)
    expect(await socketWith(server, service.token, new Map())).toBe('open')
  })

  test('the member API stays closed while the top account has none', async () => {
    const { top } = await requiring(1)
    const api = await platform(server, top)
    const ask = async () => (await api.post('balance/list', { usernames: ['nobody'] })).reply
    expect((await ask()).code).toBe(OK)
    await run(server.services.db, sql`update second_factors set totp_secret = null where account_id = ${top.id}`)
    expect(await ask()).toBeRefusal('api.not_signed')
  })

  test('the last one cannot be removed, another one can', async () => {
    const { top, recovery } = await requiring(1)
    const password = PASSWORD
    expect((await top.ask('factor/remove', { password, code: recovery[0] ?? '' })).refusal).toBe('factor.required')
    expect(await top.call('factor/view', {})).toMatchObject({ authenticator: true, recovery_codes: 9 })
    const { id } = await withPasskey(server, top, { code: recovery[1] ?? '' })
    await top.call('factor/remove', { password, code: recovery[2] ?? '' })
    const last = { id, password, code: recovery[3] ?? '' }
    expect((await top.ask('passkey/remove', last)).refusal).toBe('factor.required')
    await top.call('factor/require', { roles: [] })
    expect((await top.ask('passkey/remove', { ...last, code: recovery[4] ?? '' })).code).toBe(OK)
  })

  test('is required by the top account only, which has one itself, with a fresh sign-in', async () => {
    const { top } = await server.family()
    const below = await server.person({ role: Role.admin, under: top, unlimited: true })
    expect((await top.ask('factor/require', { roles: [Role.agent] })).refusal).toBe('factor.need_own')
    expect(await below.ask('factor/require', { roles: [Role.agent] })).toBeRefusal('access.denied')
    await withAuthenticator(server, top)
    await run(
      server.services.db,
      sql`update sessions set created_at = now() - interval '11 minutes' where account_id = ${top.id}`,
    )
    expect(await top.ask('factor/require', { roles: [Role.agent] })).toBeRefusal('session.needs_password')
    await top.call('factor/require', { roles: [Role.agent, Role.agent], current_password: PASSWORD })
    expect(await top.call('factor/required', {})).toEqual({ roles: [Role.agent] })
    const { data } = await top.call('audit/list', { kind: 'settings_changed' })
    expect(data[0]?.facts).toEqual([{ field: 'factor_roles', before: '', after: '2' }])
  })

  test('open sockets of those who have none are closed, others stay', async () => {
    const { top, agent, cs } = await server.family()
    await withAuthenticator(server, top)
    await withAuthenticator(server, agent)
    const [kept, closed] = [await agent.socket(), await cs.socket()]
    const ended = new Promise((resolve) => closed.on('ended', resolve))
    await top.call('factor/require', { roles: [Role.agent, Role.customerService] })
    expect(await ended).toEqual({ reason: 'ended' })
    expect(kept.connected).toBe(true)
    expect((await agent.ask('user/view', {})).code).toBe(OK)
  })
})
