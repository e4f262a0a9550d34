import { randomBytes, randomUUID } from 'node:crypto'
import { askedRights } from '@tallyroom/contract/asked-rights'
import { Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { one, sql } from '../../data/sql.ts'
import { policy } from '../../identity/policy.ts'
import { PASSWORD, type Person, type Reply, type TestServer, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const login = (
  username: string,
  password: string,
  face: 'office' | 'member' = 'office',
  headers: Record<string, string> = {},
) => server.post('login', server.wire.seal('login', { username, password, face }), headers)
const view = (token: string, headers: Record<string, string> = {}) =>
  server.post('user/view', server.wire.seal('user/view', {}), { authorization: `Bearer ${token}`, ...headers })
const tokenOf = (reply: Reply) => (reply.data as { token: string }).token
const shareCodeOf = async (person: Person) => (await person.call('user/view', {})).share_code

describe('login', () => {
  test('[AUTH-04] gives the token once, with what the browser keeps', async () => {
    const { agent } = await server.family()
    const { reply } = await login(agent.username.toUpperCase(), PASSWORD)
    expect(reply).toMatchObject({
      code: OK,
      data: {
        id: agent.id,
        username: agent.username,
        role_id: Role.agent,
        member_id: agent.id,
        EventMode: 0,
        transaction_all: 0,
        domain: '',
      },
    })
    const own = await view(tokenOf(reply))
    expect(own.reply.code).toBe(OK)
    expect(JSON.stringify(own.reply)).not.toContain(tokenOf(reply))
  })

  test('[S10] unknown, wrong, frozen and wrong face get the same answer', async () => {
    const { agent, cs, member } = await server.family()
    await agent.call('user/delete', { id: cs.id })
    const replies = await Promise.all([
      login('nobody99', PASSWORD),
      login(agent.username, 'wrong'),
      login(cs.username, PASSWORD),
      login(member.username, PASSWORD, 'office'),
      login(agent.username, PASSWORD, 'member'),
    ])
    expect(new Set(replies.map(({ reply }) => JSON.stringify(reply))).size).toBe(1)
    expect(replies[0]?.reply).toMatchObject({
      refusal: 'session.wrong_login',
      message: 'The username or password is wrong.',
    })
  })

  test('a bound session is worthless without its cookie', async () => {
    const { agent } = await server.family()
    const { reply, headers } = await login(agent.username, PASSWORD, 'office', { 'x-bound-session': 'office' })
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^tallyroom_office=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/)
    const pair = cookie.split(';')[0] ?? ''
    expect((await view(tokenOf(reply), { cookie: pair })).reply.code).toBe(OK)
    expect((await view(tokenOf(reply))).reply).toBeRefusal('session.dead')
    expect((await view(tokenOf(reply), { cookie: `${pair}x` })).reply).toBeRefusal('session.dead')
  })

  test('tokens, cookies and passwords are stored hashed', async () => {
    const { agent } = await server.family()
    const { reply } = await login(agent.username, PASSWORD)
    const dump = await one<{ text: string }>(
      server.services.db,
      sql`select (select string_agg(s::text, '') from sessions s) || (select string_agg(a::text, '') from accounts a)
        || coalesce((select string_agg(r::text, '') from requests r), '') as text`,
    )
    expect(dump?.text).not.toContain(tokenOf(reply))
    expect(dump?.text).not.toContain(Buffer.from(tokenOf(reply)).toString('hex'))
    expect(dump?.text).not.toContain(PASSWORD)
  })
})

describe('the end of a session', () => {
  test('[AUTH-11] [S13] after a sign-out the token is dead and its socket closed', async () => {
    const { agent } = await server.family()
    const socket = await agent.socket()
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    await agent.call('logout', {})
    expect(await agent.ask('user/view', {})).toMatchObject({ refusal: 'session.dead', data: { reason: 'ended' } })
    await closed
  })

  test('[AUTH-14] [S13] freezing ends sessions and sockets with the reason', async () => {
    const { agent, cs } = await server.family()
    const socket = await cs.socket()
    const ended = new Promise((resolve) => socket.once('ended', resolve))
    await agent.call('user/delete', { id: cs.id })
    expect(await cs.ask('user/view', {})).toMatchObject({ refusal: 'session.dead', data: { reason: 'frozen' } })
    expect(await ended).toEqual({ reason: 'frozen' })
  })

  test('[S13] a new password ends all sessions but the one that set it', async () => {
    const { agent } = await server.family()
    const other = tokenOf((await login(agent.username, PASSWORD)).reply)
    await agent.call('user/edit', { id: agent.id, password: 'other123', password_confirmation: 'other123' })
    expect((await view(other)).reply).toMatchObject({ refusal: 'session.dead', data: { reason: 'password' } })
    expect((await agent.ask('user/view', {})).code).toBe(OK)
    expect((await login(agent.username, 'other123')).reply.code).toBe(OK)
  })

  test('[GUARD-04] an expired session is refused with the reason', async () => {
    const { agent } = await server.family()
    await one(
      server.services.db,
      sql`update sessions set expires_at = now() - interval '1 second' where account_id = ${agent.id}`,
    )
    expect(await agent.ask('user/view', {})).toMatchObject({ refusal: 'session.dead', data: { reason: 'expired' } })
  })
})

describe('member/signup', () => {
  const form = (share_code: string) => ({
    share_code,
    username: `m${randomBytes(4).toString('hex')}`,
    nickname: 'New',
    password: 'secret1',
    password_confirmation: 'secret1',
  })
  const signUp = (input: object) => server.post('member/signup', server.wire.seal('member/signup', input))

  test('[ROOM-13] makes a member below the share code with a room in its group', async () => {
    const { agent, cs } = await server.family()
    const input = form(await shareCodeOf(cs))
    const { reply } = await signUp(input)
    expect(reply).toMatchObject({ code: OK, data: { role_id: Role.member, username: input.username } })
    const rooms = await agent.call('room/list', {})
    expect(rooms.data.map((room) => room.username)).toContain(input.username)
    const members = await agent.call('user/list', { menu_id: 13 })
    expect(members.data.map((row) => row.username)).toContain(input.username)
  })

  test('a sign-up whose answer was lost can be repeated', async () => {
    const { agent } = await server.family()
    const input = { ...form(await shareCodeOf(agent)), request_id: randomUUID() }
    const first = await signUp(input)
    const second = await signUp(input)
    expect(second.reply).toMatchObject({ code: OK, data: { id: (first.reply.data as { id: number }).id } })
    expect((await signUp({ ...input, nickname: 'Other' })).reply).toBeRefusal('request.id_reused')
    const other = { password: 'another1', password_confirmation: 'another1' }
    expect((await signUp({ ...input, ...other })).reply).toBeRefusal('request.id_reused')
    await agent.call('user/delete', { id: (first.reply.data as { id: number }).id })
    expect((await signUp(input)).reply).toBeRefusal('request.id_reused')
  })

  test('[ACC-13] a taken name is refused by name, whatever its case', async () => {
    const { agent, member } = await server.family()
    const input = { ...form(await shareCodeOf(agent)), username: member.username.toUpperCase() }
    expect((await signUp(input)).reply).toMatchObject({
      refusal: 'account.username_taken',
      data: { username: input.username },
    })
  })

  test.each([
    ['an unknown share code', { share_code: 'nosuchcode' }, 'signup.unknown_share_code'],
    ['a short name', { username: 'abc' }, 'request.invalid'],
    ['a long name', { username: 'abcdefghijk' }, 'request.invalid'],
    ['other letters', { username: 'ab cd' }, 'request.invalid'],
    ['a short password', { password: 'abc', password_confirmation: 'abc' }, 'request.invalid'],
    ['another confirmation', { password_confirmation: 'secret2' }, 'account.passwords_differ'],
  ])('refuses %s', async (_, bent, code) => {
    const { agent } = await server.family()
    expect(outcomeOf((await signUp({ ...form(await shareCodeOf(agent)), ...bent })).reply)).toBe(code)
  })

  test('[FIRST-03] member/invitation tells who invites and how the group looks, and nothing else', async () => {
    const { top, agent, cs } = await server.family()
    const ask = async (share_code: string) =>
      (await server.post('member/invitation', server.wire.seal('member/invitation', { share_code }))).reply
    const look = { name: `Nick ${agent.username}`, picture: '', header_background_color: '', header_font_color: '' }
    expect((await ask(await shareCodeOf(agent))).data).toEqual({ nickname: `Nick ${agent.username}`, ...look })
    await top.call('setting/save', {
      name: 'Main office',
      header_background_color: '#3d2466',
      background_color: '#eeeeee',
    })
    const inherited = { ...look, name: 'Main office', header_background_color: '#3d2466' }
    expect((await ask(await shareCodeOf(agent))).data).toMatchObject(inherited)
    await agent.call('setting/save', { name: 'Dana’s table', header_font_color: '#ffffff' })
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await agent.call('user/edit', { id: agent.id, thumbnail: `data:image/png;base64,${dot}` })
    // Customer service invites into its group.
    expect((await ask(await shareCodeOf(cs))).data).toEqual({
      nickname: `Nick ${cs.username}`,
      name: 'Dana’s table',
      picture: expect.stringMatching(/^data:image\/webp;base64,/),
      header_background_color: '#3d2466',
      header_font_color: '#ffffff',
    })
    expect(await ask('nosuchcode')).toBeRefusal('signup.unknown_share_code')
    const code = await shareCodeOf(agent)
    await top.call('user/delete', { id: agent.id })
    expect(await ask(code)).toBeRefusal('signup.unknown_share_code')
  })
})

describe('userMenu', () => {
  test('[ACC-10] userMenu/list gives each role its pages and actions', async () => {
    const { top, agent, cs } = await server.family()
    const menu = async (person: Person) =>
      Object.fromEntries((await person.call('userMenu/list', {})).map(({ url, action }) => [url, action]))
    expect(await menu(top)).toMatchObject({ '/agent': 'transaction,deposit,edit,delete', '/report/sr02': '' })
    expect(await menu(agent)).toMatchObject({ '/customer_service': 'add,edit,delete' })
    const ids = (await top.call('userMenu/list', {})).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await menu(cs)).toEqual({
      '/index': '',
      // RIGHT-01: points in conversations are an action of the chat.
      '/chat': 'transaction',
      '/user': 'transaction,deposit',
      '/transaction/list': '',
      '/report/statement': '',
      '/report/work': '',
      '/MessageTemplate': '',
      '/setup/self': '',
    })
  })

  const mayOf = async (person: Person) => (await person.call('userMenu/list', {})).flatMap(({ may }) => may)

  test('[CODE-04] userMenu/list says what of the buttons that the browser asks about the caller has', async () => {
    const { top, agent, cs } = await server.family()
    expect(new Set(await mayOf(top))).toEqual(new Set(askedRights.filter((name) => name !== 'cash/export')))
    expect(await mayOf(cs)).toEqual(['chat.quick_replies', 'user/addMember', 'user.points'])
    expect(await mayOf(agent)).toEqual(expect.arrayContaining(['statement/export', 'user/abilities', 'view.share']))
    expect(await mayOf(agent)).not.toContain('transaction/correct')
    // A right that was taken takes what hangs on it.
    await top.call('right/save', { id: agent.id, rights: [{ name: 'statement', given: false }] })
    expect(await mayOf(agent)).not.toContain('statement/export')
    expect(await mayOf(agent)).toContain('user/export')
  })

  test('[CODE-04] a ceiling that moves in the policy also moves in the menu', async () => {
    const { cs } = await server.family()
    const rules: Record<string, unknown> = policy
    const before = rules['statement/export']
    onTestFinished(() => void (rules['statement/export'] = before))
    expect(await mayOf(cs)).not.toContain('statement/export')
    rules['statement/export'] = { roles: [1, 2, 3], needs: 'statement' }
    expect(await mayOf(cs)).toContain('statement/export')
  })

  test('[CODE-04] the own account says where its work begins', async () => {
    const { top, agent, cs, member } = await server.family()
    const pages = [top, agent, cs, member].map(async (person) => (await person.call('user/view', {})).start_page)
    expect(await Promise.all(pages)).toEqual(['/index', '/index', '/chat/messaging', '/m'])
  })

  test('[GUARD-03] userMenu/auth says whether an address may be opened', async () => {
    const { cs } = await server.family()
    const allowed = async (url: string) => (await cs.call('userMenu/auth', { url })).allowed
    expect(
      await Promise.all(['/chat/messaging', '/login', '/agent', '/chatter', '/chat/../agent', ''].map(allowed)),
    ).toEqual([true, true, false, false, false, false])
  })
})
