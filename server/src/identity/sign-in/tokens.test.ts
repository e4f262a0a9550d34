import { Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type Reply, type TestServer, startTestServer } from '../../testing/app.ts'
import { bare, browser, withAuthenticator } from '../../testing/sign-in.ts'
import { addressOf, issueToken, type TokenKind } from './tokens.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const issue = (kind: TokenKind, person: Person) => issueToken(server.services.db, { kind, accountId: person.id })
/** Sends the token as the auto-login page does. */
const asAgent = (agent_token: string, agent_username: string) => ({
  username: agent_username,
  password: '-',
  auth_done: '-',
  agent_token,
  agent_username,
})
const tokenOf = (reply: Reply) => (reply.data as { token: string }).token

describe('agent login', () => {
  test('[AUTH-10] opens a shorter session without logout', async () => {
    const { agent } = await server.family()
    await withAuthenticator(server, agent)
    const { ask } = browser(server)
    const reply = await ask('login', asAgent(await issue('agent', agent), agent.username))
    expect(reply).toMatchObject({ code: OK, data: { id: agent.id, agent_login: 1 } })
    const token = tokenOf(reply)
    expect((await ask('user/view', {}, token)).data).toMatchObject({ agent_login: 1 })
    expect(await ask('logout', {}, token)).toBeRefusal('access.denied')
    expect(await ask('session/end', { id: '1' }, token)).toBeRefusal('access.denied')
    expect(await ask('session/endOthers', {}, token)).toBeRefusal('access.denied')
    expect((await ask('user/view', {}, token)).code).toBe(OK)
    const limits = await one(
      server.services.db,
      sql`select idle_minutes, extract(epoch from expires_at - created_at)::int / 3600 as hours from sessions
        where account_id = ${agent.id} and agent_login`,
    )
    expect(limits).toEqual({ idle_minutes: 15, hours: 8 })
  })

  test('[AUTH-10] ends after 15 idle minutes', async () => {
    const { agent } = await server.family()
    const { ask } = browser(server)
    const token = tokenOf(await ask('login', asAgent(await issue('agent', agent), agent.username)))
    await run(
      server.services.db,
      sql`update sessions set seen_at = now() - interval '16 minutes' where account_id = ${agent.id} and agent_login`,
    )
    expect(await ask('user/view', {}, token)).toMatchObject({ refusal: 'session.dead', data: { reason: 'expired' } })
  })

  test('[AUTH-10] [S8] a token works for its account and method, for one minute, unless the account is frozen', async () => {
    const { top, agent, cs, member } = await server.family()
    const ask = bare(server)
    const refused = async (input: Parameters<typeof ask<'login'>>[1]) =>
      expect(await ask('login', input)).toBeRefusal('session.link_over')
    await refused(asAgent(await issue('agent', agent), cs.username))
    await refused(asAgent(await issue('landing', agent), agent.username))
    await refused({ landing_token: await issue('agent', agent) })
    await refused(asAgent(await issue('agent', member), member.username))
    await refused({ agent_token: await issue('agent', agent) })
    const late = await issue('agent', agent)
    await run(server.services.db, sql`update one_time_tokens set expires_at = expires_at - interval '60 seconds'`)
    await refused(asAgent(late, agent.username))
    const frozen = await issue('agent', cs)
    await top.call('user/delete', { id: cs.id })
    await refused(asAgent(frozen, cs.username))
    expect(await ask('login', { username: agent.username, password: '-', auth_done: '-' })).toBeRefusal(
      'session.wrong_login',
    )
  })
})

describe('landing', () => {
  test('[AUTH-09] opens an ordinary session on the account’s page', async () => {
    const { agent, member } = await server.family()
    const { ask, jar } = browser(server)
    const reply = await ask('login', { landing_token: await issue('landing', agent) })
    expect(reply).toMatchObject({ code: OK, data: { id: agent.id, agent_login: 0 } })
    expect((await ask('logout', {}, tokenOf(reply))).code).toBe(OK)
    expect((await ask('login', { landing_token: await issue('landing', member) })).data).toMatchObject({
      role_id: Role.member,
    })
    expect([...jar.keys()]).toEqual(['tallyroom_office', 'tallyroom_device', 'tallyroom_member'])
  })

  test('the addresses with tokens', () => {
    const account = { id: 7, username: 'a.b' }
    expect(addressOf('https://x.example', 'landing', 'T', account)).toBe('https://x.example/WebLogin/T/7/0')
    expect(addressOf('', 'agent', 'T', account)).toBe('/AgentLogin?agentToken=T&agentUsername=a.b')
    expect(addressOf('https://x.example', 'widget', 'T', account)).toBe('')
  })
})

test('[API-13] a token for the widget signs in its member once, and no token of another kind or account does', async () => {
  const { agent, cs, member } = await server.family()
  const { ask } = browser(server)
  const widget_token = await issue('widget', member)
  for (const wrong of [
    { landing_token: widget_token },
    asAgent(widget_token, member.username),
    { widget_token: await issue('landing', member) },
    { widget_token: await issue('agent', agent) },
    { widget_token: await issue('widget', agent) },
    { widget_token: await issue('widget', cs) },
  ])
    expect(await ask('login', wrong)).toBeRefusal('session.link_over')
  const reply = await ask('login', { widget_token, face: 'member' })
  expect(reply).toMatchObject({ code: OK, data: { id: member.id, agent_login: 0, start_page: '/m' } })
  expect((await ask('logout', {}, tokenOf(reply))).code).toBe(OK)
  expect(await ask('login', { widget_token })).toBeRefusal('session.link_over')
  const late = await issue('widget', member)
  await run(server.services.db, sql`update one_time_tokens set expires_at = expires_at - interval '60 seconds'`)
  expect(await ask('login', { widget_token: late })).toBeRefusal('session.link_over')
  const frozen = await issue('widget', member)
  await agent.call('user/delete', { id: member.id })
  expect(await ask('login', { widget_token: frozen })).toBeRefusal('session.link_over')
})

test('[S11] 100 tokens, each used 20 times at once, open 100 sessions', async () => {
  const { agent } = await server.family()
  const ask = bare(server)
  const count = () =>
    one<{ n: number }>(server.services.db, sql`select count(*)::int as n from sessions where account_id = ${agent.id}`)
  const before = (await count())?.n ?? 0
  for (let batch = 0; batch < 10; batch++) {
    const tokens = await Promise.all(
      Array.from({ length: 10 }, (_, n) => issue(n % 2 ? 'agent' : 'landing', agent).then((token) => ({ token, n }))),
    )
    const all = tokens.flatMap(({ token, n }) =>
      Array.from({ length: 20 }, () =>
        ask('login', n % 2 ? asAgent(token, agent.username) : { landing_token: token, password: PASSWORD }),
      ),
    )
    const replies = await Promise.all(all)
    expect(replies.filter(({ code }) => code === OK)).toHaveLength(10)
    expect(replies.filter(({ refusal }) => refusal === 'session.link_over')).toHaveLength(190)
  }
  expect((await count())?.n).toBe(before + 100)
}, 60_000)
