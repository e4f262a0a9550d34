import dns from 'node:dns'
import { Socket } from 'node:net'
import { Role } from '@tallyroom/contract/codes'
import { errors } from '@tallyroom/contract'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const COLOURS = ['background_color', 'header_background_color', 'header_font_color'] as const
const picture = async (colour = '#336699') =>
  `data:image/png;base64,${(
    await sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
      .png()
      .toBuffer()
  ).toString('base64')}`
const receives = (person: Person) =>
  person.socket().then((socket) => {
    const events = { count: 0, next: new Promise<void>(() => {}) }
    events.next = new Promise((resolve) => {
      socket.on('settings', () => {
        events.count++
        resolve()
      })
    })
    return events
  })

describe('[SET-01] [SET-03] setting/view and setting/save', () => {
  test('nothing is set up; then the top account’s settings apply below, until a group has its own', async () => {
    const { top, agent, cs, member } = await server.family()
    for (const person of [top, agent, cs, member]) {
      const reply = await person.ask('setting/view', {})
      expect([outcomeOf(reply), reply.message]).toEqual(['setting.not_set_up', 'The system is not yet set up.'])
    }
    await top.call('setting/save', { name: 'Talk to us', background_color: '#FFEEDD', api_url: 'https://a.example/in' })
    const looks = { name: 'Talk to us', background_color: '#ffeedd', header_background_color: '', background_image: '' }
    expect(await top.call('setting/view', {})).toMatchObject({
      ...looks,
      inherited: false,
      is_top: true,
      api_url: 'https://a.example/in',
    })
    for (const person of [agent, cs, member])
      expect(await person.call('setting/view', {})).toMatchObject({
        ...looks,
        inherited: true,
        is_top: false,
        api_url: '',
      })
    // Missing fields are copied from above, and belong to the group from then on.
    await agent.call('setting/save', { header_font_color: '#102030' })
    await top.call('setting/save', { name: 'Changed above' })
    for (const person of [agent, cs, member])
      expect(await person.call('setting/view', {})).toMatchObject({
        ...looks,
        header_font_color: '#102030',
        inherited: false,
      })
    const other = await server.family()
    expect(await other.agent.ask('setting/view', {})).toBeRefusal('setting.not_set_up')
    for (const person of [cs, member])
      expect(await person.ask('setting/save', { name: 'x' })).toBeRefusal('access.denied')
  })

  test('[SET-02] an image is re-encoded and served to the rooms’ people; missing it stays, empty removes it', async () => {
    const { top, agent, member } = await server.family()
    const stranger = await server.family()
    const read = (address: string, who: Person) =>
      fetch(`${server.address}${address}`, { headers: { authorization: `Bearer ${who.token}` } })
    await agent.call('setting/save', { background_image: await picture() })
    const { background_image: first } = await member.call('setting/view', {})
    expect(first).toMatch(/^\/media\/[0-9a-f]{32}$/)
    const answer = await read(first, member)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await read(first, stranger.member)).status).toBe(404)
    await agent.call('setting/save', { name: 'Other' })
    expect((await member.call('setting/view', {})).background_image).toBe(first)
    for (const bad of ['https://evil.example/a.png', 'http://127.0.0.1/', '/media/x', 'data:text/html;base64,PGI+'])
      expect((await agent.ask('setting/save', { background_image: bad })).code).toBe(errors['request.invalid'])
    expect((await member.call('setting/view', {})).background_image).toBe(first)
    // An agent whose settings began with this image keeps it when its upline takes another.
    const sub = await server.person({ role: Role.agent, under: agent })
    await sub.call('setting/save', { name: 'Below' })
    await agent.call('setting/save', { background_image: await picture() })
    expect((await sub.call('setting/view', {})).background_image).toBe(first)
    expect((await read(first, sub)).status).toBe(200)
    const { background_image: second } = await member.call('setting/view', {})
    await agent.call('setting/save', { background_image: '' })
    expect((await member.call('setting/view', {})).background_image).toBe('')
    expect((await read(second, member)).status).toBe(404)
    expect(await top.ask('setting/view', {})).toBeRefusal('setting.not_set_up')
  })

  test.each([...COLOURS])('%s: only #rrggbb, refused naming the field', async (field) => {
    const { agent } = await server.family()
    const bad = [
      'red',
      '#fff',
      '#12345g',
      'rgb(1,2,3)',
      '#123456;}',
      'url(//evil)',
      '#1234567',
      ' #123456',
      '#１２３４５６',
    ]
    for (const text of bad) {
      const reply = await agent.ask('setting/save', { name: 'never stored', [field]: text })
      expect([text, outcomeOf(reply), (reply.data as { field: string }).field]).toEqual([
        text,
        'request.invalid',
        field,
      ])
    }
    expect(await agent.ask('setting/view', {})).toBeRefusal('setting.not_set_up')
    await agent.call('setting/save', { [field]: '#A1b2C3' })
    expect((await agent.call('setting/view', {}))[field]).toBe('#a1b2c3')
    await agent.call('setting/save', { [field]: '' })
    expect((await agent.call('setting/view', {}))[field]).toBe('')
  })

  test('[SET-04] the group and all below get an event, and nobody else', async () => {
    const { top, agent, cs, member } = await server.family()
    const stranger = await server.family()
    const sibling = await server.person({ role: Role.agent, under: top })
    const [toMember, toCs, toSibling, toStranger] = await Promise.all(
      [member, cs, sibling, stranger.member].map((person) => receives(person)),
    )
    await agent.call('setting/save', { name: 'Hello' })
    await Promise.all([toMember?.next, toCs?.next])
    expect(toSibling?.count).toBe(0)
    await top.call('setting/save', { name: 'All' })
    await toSibling?.next
    expect(toStranger?.count).toBe(0)
  })

  test('[CONV-07] the group says after how many minutes a waiting member is late and overdue', async () => {
    const { top, agent, cs } = await server.family()
    await agent.call('setting/save', { name: 'ours' })
    expect(await cs.call('setting/view', {})).toMatchObject({ late_after: 2, overdue_after: 5 })
    for (const bad of [0, 1441, 2.5])
      expect(await agent.ask('setting/save', { late_after: bad })).toBeRefusal('request.invalid')
    expect(await agent.ask('setting/save', { late_after: 5 })).toMatchObject({ refusal: 'setting.wait_order' })
    await agent.call('setting/save', { late_after: 10, overdue_after: 30 })
    expect(await cs.call('setting/view', {})).toMatchObject({ name: 'ours', late_after: 10, overdue_after: 30 })
    const { data } = await top.call('audit/list', { kind: 'settings_changed', actor: agent.username })
    expect(data[0]?.facts).toContainEqual({ field: 'late_after', before: '2', after: '10' })
  })

  test('every change is in the audit log, without the image itself', async () => {
    const { top } = await server.family()
    await top.call('setting/save', { name: 'A', background_image: await picture() })
    await top.call('setting/save', { name: 'B' })
    await top.call('setting/save', { name: 'B' })
    const { data } = await top.call('audit/list', { kind: 'settings_changed' })
    expect(data.map(({ facts }) => facts)).toEqual([
      [{ field: 'name', before: 'A', after: 'B' }],
      [
        { field: 'name', before: '', after: 'A' },
        { field: 'background_image', before: null, after: 'changed' },
      ],
    ])
  })
})

describe('api_url', () => {
  test('only the top account sets it, with its password when the sign-in is old', async () => {
    const { top, agent } = await server.family()
    expect(await agent.ask('setting/save', { api_url: 'https://a.example/' })).toBeRefusal('setting.url_not_yours')
    await agent.call('setting/save', { api_url: '', name: 'fine' })
    await run(
      server.services.db,
      sql`update sessions set created_at = now() - interval '1 hour' where account_id = ${top.id}`,
    )
    const url = 'https://a.example/hook'
    expect(await top.ask('setting/save', { api_url: url })).toBeRefusal('session.needs_password')
    expect(await top.ask('setting/save', { api_url: url, current_password: 'wrong1' })).toBeRefusal(
      'session.wrong_password',
    )
    await top.call('setting/save', { api_url: url, current_password: PASSWORD })
    // Setting the same value is no change.
    await top.call('setting/save', { api_url: url, name: 'x' })
  })

  test('[S19] sixty bad addresses: each is refused, without a DNS lookup or connection', async () => {
    const { top } = await server.family()
    const opened: unknown[] = []
    const looked: unknown[] = []
    const own = server.app.server.address()
    const ownPort = typeof own === 'object' && own ? own.port : 0
    const databasePort = /:(\d+)\//.exec(inject('postgres').url)?.[1] ?? 'PGSQL'
    // oxlint-disable-next-line typescript/unbound-method -- called with its own socket below.
    const connect = Socket.prototype.connect
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
      const to = JSON.stringify(args)
      // Only the test's own calls and the database's connections are allowed.
      if (!to.includes(String(ownPort)) && !to.includes('PGSQL') && !to.includes(databasePort)) opened.push(to)
      return connect.apply(this, args as never)
    })
    for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const)
      vi.spyOn(dns, name).mockImplementation(((...args: unknown[]) => looked.push(args)) as never)
    expect(tricks.length).toBeGreaterThanOrEqual(60)
    const through: string[] = []
    for (const url of tricks) {
      const reply = await top.ask('setting/save', { api_url: url })
      if (reply.code !== errors['request.invalid']) through.push(`${url}: ${reply.code}`)
      for (const background_image of [url, `data:${url}`])
        expect(await top.ask('setting/save', { background_image })).toBeRefusal('request.invalid')
      expect(await top.ask('user/edit', { id: top.id, thumbnail: url })).toBeRefusal('request.invalid')
    }
    expect(through).toEqual([])
    // A good address is stored without trying it.
    await top.call('setting/save', { api_url: 'https://platform.example.com/hooks/tally?x=1' })
    expect(looked).toEqual([])
    expect(opened).toEqual([])
    const rows = await many<{ api_url: string }>(
      server.services.db,
      sql`select url as api_url from webhook_endpoints where top_id = ${top.id}`,
    )
    expect(rows).toEqual([{ api_url: 'https://platform.example.com/hooks/tally?x=1' }])
  })
})

const tricks = `127.0.0.1 127.1 0.0.0.0 0 2130706433 0x7f000001 0177.0.0.1 0x7f.1 127.0.0.1. 10.0.0.1
172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 198.18.0.1 224.0.0.1 255.255.255.255 [::1] [::] [::ffff:127.0.0.1]
[::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [fc00::1] [fe80::1] [ff02::1] [2001:db8::1] [2001::1] ①②⑦.⓪.⓪.①
１２７.0.0.1 localhost LOCALHOST localhost. a.localhost db db.internal metadata.google.internal x.local router.lan
a.home a.corp a.intranet a.test a.invalid`
  .split(/\s/)
  .map((host) => `https://${host}/hook`)
  .concat([
    'http://a.example/hook',
    'ftp://a.example/hook',
    'file:///etc/passwd',
    'gopher://a.example/1',
    'javascript:alert(1)',
    'data:text/plain,x',
    '//a.example/hook',
    'https:a.example/hook',
    'https:///a.example',
    'https://user@a.example/',
    'https://user:secret@a.example/',
    'https://a.example@127.0.0.1/',
    'https://a.example\\@127.0.0.1/',
    'https://a.example/#fragment',
    'https://a.example:25/',
    'https://a.example:6379/',
    'https://a.example:99999/',
    'https://a .example/',
    'https://a.exa\tmple/',
    'https://a.example/\u200b',
    'https://a.example/\r\nX-Evil: 1',
    'https://',
    'unix:/tmp/socket',
    `https://a.example/${'x'.repeat(400)}`,
  ])
