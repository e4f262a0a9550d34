import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { passkeyEnv, signInWith, withPasskey } from '../../testing/fakes/passkey.ts'
import { bare, browser } from '../../testing/sign-in.ts'
import { issueToken, type TokenKind } from './tokens.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(passkeyEnv)
})

const signIn = ({ username }: Person) => ({ username, password: PASSWORD })
const kindsOf = async (person: Person) => (await person.call('security/list', {})).data.map(({ kind }) => kind)
const tokenOf = (person: Person, kind: TokenKind) => issueToken(server.services.db, { kind, accountId: person.id })

describe('[PASS-04] a sign-in on a new device', () => {
  test('is reported at once on the other devices, and listed with browser and address', async () => {
    const { agent } = await server.family()
    const socket = await agent.socket()
    const told = new Promise((resolve) => socket.on('security', resolve))
    const device = browser(server)
    await device.ask('login', signIn(agent))
    expect(await told).toEqual({ kind: 'new_device', user_agent: expect.any(String), address: '127.0.0.1' })
    const { data } = await agent.call('security/list', {})
    expect(data).toMatchObject([{ kind: 'new_device', address: '127.0.0.1' }])
    // The same device again is known, also for another account's sign-in in between.
    const { cs } = await server.family()
    await device.ask('login', signIn(cs))
    await device.ask('login', signIn(agent))
    expect(await kindsOf(agent)).toEqual(['new_device'])
  })

  test('is not the first one of an account', async () => {
    const { agent } = await server.family()
    const username = `n${agent.username}`.slice(0, 10)
    const made = { username, password: PASSWORD, password_confirmation: PASSWORD }
    await agent.call('user/add', made)
    const chosen = { new_password: 'mine123', new_password_confirmation: 'mine123' }
    const first = await bare(server)('login', { username, password: PASSWORD, ...chosen })
    const { id, token } = first.data as { id: number; token: string }
    expect(await kindsOf(server.here({ ...agent, id, token }))).toEqual([])
  })

  test('is reported at every door', async () => {
    const { agent, member } = await server.family()
    const { passkey } = await withPasskey(server, agent)
    await signInWith(server, passkey)
    await browser(server).ask('login', { landing_token: await tokenOf(agent, 'landing') })
    const agent_token = await tokenOf(agent, 'agent')
    await browser(server).ask('login', { agent_token, agent_username: agent.username })
    expect(await kindsOf(agent)).toEqual(['new_device', 'new_device', 'new_device', 'passkey_added'])
    await browser(server).ask('login', { ...signIn(member), face: 'member' })
    expect(await kindsOf(member)).toEqual(['new_device'])
  })

  test('without cookies is one with another browser or address', async () => {
    const { agent } = await server.family()
    const from = (agentName: string) =>
      server.post('login', server.wire.seal('login', signIn(agent)), { 'user-agent': agentName })
    await from('Loader 1')
    await from('Loader 1')
    await from('Loader 2')
    expect(await kindsOf(agent)).toEqual(['new_device', 'new_device'])
  })

  test('reaches its account only', async () => {
    const { agent, cs } = await server.family()
    const heard: unknown[] = []
    const socket = await cs.socket()
    socket.on('security', (notice) => heard.push(notice))
    await browser(server).ask('login', signIn(agent))
    expect(await kindsOf(cs)).toEqual([])
    await socket.emitWithAck('alive')
    expect(heard).toEqual([])
  })
})
