import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { io } from 'socket.io-client'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../data/sql.ts'
import { makeSessions } from '../identity/sessions.ts'
import { unmeasured } from '../lib/measures.ts'
import { type Person, type TestServer, startTestServer } from '../testing/app.ts'
import { noRelay, type OpenRelay } from './relay.ts'
import { openSockets } from './sockets.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const open = (auth: object, headers: Record<string, string> = {}) =>
  new Promise<string>((resolve) => {
    const options = { path: '/socket', auth, transports: ['websocket'], reconnection: false, extraHeaders: headers }
    const socket = io(server.address, options)
    const end = (word: string) => {
      socket.disconnect()
      resolve(word)
    }
    socket.once('connect', () => end('open'))
    socket.once('connect_error', ({ message }) => end(message))
  })

test('[S14] every account joins exactly its own rooms', async () => {
  const [ours, theirs] = [await server.family(), await server.family()]
  const below = await server.person({ role: Role.agent, under: ours.agent })
  const belowMember = await server.person({ role: Role.member, under: below })
  const { data } = await belowMember.call('room/list', {})
  const belowRoom = data[0]?.code ?? ''
  const mayJoin: [Person, string[]][] = [
    [ours.top, []],
    [ours.agent, [ours.room]],
    [ours.cs, [ours.room]],
    [ours.member, [ours.room]],
    [below, [belowRoom]],
    [belowMember, [belowRoom]],
    [theirs.top, []],
    [theirs.agent, [theirs.room]],
    [theirs.cs, [theirs.room]],
    [theirs.member, [theirs.room]],
  ]
  for (const [who, rooms] of mayJoin) {
    const socket = await who.socket()
    for (const code of [ours.room, theirs.room, belowRoom, `${ours.room}:partner`, `group:${ours.agent.id}`, '', 'x']) {
      expect([who.username, code, await socket.emitWithAck('join', code)]).toEqual([
        who.username,
        code,
        { ok: rooms.includes(code) },
      ])
    }
  }
})

test('[CONV-16] the server answers the question whether the line is alive, and survives a wrong one', async () => {
  const { agent } = await server.family()
  const socket = await agent.socket()
  socket.emit('alive', 'no function' as never)
  expect(await new Promise((resolve) => socket.emit('alive', () => resolve('alive')))).toBe('alive')
})

test('[S14] pages of other sites, missing, wrong and ended tokens are refused', async () => {
  const { agent, cs } = await server.family()
  await cs.call('logout', {})
  expect(await open({ token: agent.token })).toBe('open')
  expect(await open({ token: agent.token }, { origin: 'https://evil.example' })).not.toBe('open')
  expect(await open({ token: agent.token }, { origin: 'nonsense' })).not.toBe('open')
  for (const token of [undefined, '', 'x'.repeat(43), 7, { toString: 1 }, cs.token])
    expect(await open({ token })).toBe('session.dead')
})

test('[S14] a connection without credentials is closed', async () => {
  const door = `${server.address}/socket/?EIO=4&transport=polling`
  const opened = await (await fetch(door)).text()
  const { sid } = JSON.parse(opened.slice(1)) as { sid: string }
  // Long polling: the first answer is the handshake, the second one the end.
  const hear = async () => (await fetch(`${door}&sid=${sid}`)).text()
  let said = await hear()
  while (said === '2') said = await hear()
  expect(said).toBe('1')
  expect((await fetch(`${door}&sid=${sid}`)).status).toBe(400)
})

test('[S13] a socket that is being admitted while its session ends or its account moves does not stay', async () => {
  const { services } = server
  const { top, agent, cs, member } = await server.family()
  const to = await server.person({ role: Role.agent, under: top })
  const before = services.limits
  /** Opens a socket whose admission is held, after its session has been read, until `work` is done. */
  const openDuring = async (who: Person, work: () => Promise<unknown>) => {
    let isPaused = false
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    services.limits = async (...counted) => {
      if (counted[0] === 'read' && !isPaused) {
        isPaused = true
        await released
      }
      return before(...counted)
    }
    const options = { path: '/socket', auth: { token: who.token }, transports: ['websocket'], reconnection: false }
    const socket = io(server.address, options)
    const end = new Promise((resolve) => {
      socket.once('disconnect', () => resolve('closed'))
      socket.once('connect_error', () => resolve('refused'))
    })
    await expect.poll(() => isPaused).toBe(true)
    await work()
    release()
    const connected = new Promise((resolve) => socket.once('connect', () => resolve('open')))
    await Promise.race([connected, end])
    const still = new Promise((resolve) => setTimeout(() => resolve('open'), 300))
    const found = await Promise.race([end, still])
    socket.disconnect()
    services.limits = before
    return found
  }
  expect(await openDuring(cs, async () => {})).toBe('open')
  expect(await openDuring(agent, () => cs.call('logout', {}))).toBe('open')
  expect(await openDuring(member, () => top.call('tree/move', { id: member.id, to_id: to.id }))).toBe('closed')
  expect(await openDuring(agent, () => top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 }))).toBe(
    'closed',
  )
  expect(await openDuring(member, () => member.call('logout', {}))).toBe('closed')
  expect(await openDuring(agent, () => top.call('user/delete', { id: agent.id }))).toBe('closed')
})

test('[S14] a flood and a frame that is too big harm only their sender', async () => {
  const { agent, cs, member, room } = await server.family()
  const [flooding, bloated, quiet] = await Promise.all([agent.socket(), member.socket(), cs.socket()])
  const gone = [flooding, bloated].map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)))
  for (let n = 0; n < 3000; n++) flooding.emit('leave', room, () => {})
  bloated.emit('join', 'x'.repeat(100_000), () => {})
  expect(await Promise.all(gone)).toEqual(['io server disconnect', expect.any(String)])
  expect(await quiet.emitWithAck('join', room)).toEqual({ ok: true })
  expect((await agent.ask('user/view', {})).code).toBe(OK)
})

test('[S14] many joins of one session at once leave connections to the others', async () => {
  const { agent, room } = await server.family()
  const sockets = await Promise.all(Array.from({ length: 3 }, () => agent.socket()))
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, server.services.db.connections().waiting)
  }, 1)
  const joins = sockets.flatMap((socket) => Array.from({ length: 300 }, () => socket.emitWithAck('join', room)))
  const answers = await Promise.all(joins).finally(() => clearInterval(watch))
  expect(answers.every(({ ok }) => ok)).toBe(true)
  // One waits while a connection is opened; without the limit nearly all of the 900 do.
  expect(most).toBeLessThan(50)
})

test('[S14] an open member’s room gets an event when the member’s points move anywhere; other sockets do not', async () => {
  const { top, agent, cs, member, room } = await server.family()
  const masked = await server.person({ role: Role.customerService, under: agent })
  const other = await server.person({ role: Role.member, under: agent })
  await run(server.services.db, sql`update accounts set masks_usernames = 1 where id = ${masked.id}`)
  await top.call('user/saveAbilities', { id: member.id, is_multiple_wallet: 1 })
  const theirs = await server.family()
  const people = { cs, masked, agent, member, theirs: theirs.cs }
  const notified = new Map<string, number[]>()
  const sockets = new Map<string, Awaited<ReturnType<Person['socket']>>>()
  for (const [name, person] of Object.entries(people)) {
    const socket = await person.socket()
    socket.on('member', ({ account_id }) => notified.set(name, [...(notified.get(name) ?? []), account_id]))
    sockets.set(name, socket)
    // The agent has another room open.
    const code = name === 'agent' ? ((await other.call('room/list', {})).data[0]?.code ?? '') : room
    await socket.emitWithAck('join', code)
  }
  /** An event that was sent before a message arrives before it. */
  const after = async (work: Promise<unknown>) => {
    notified.clear()
    await work
    const received = [
      ['cs', room],
      ['masked', room],
      ['agent', room],
      ['member', room],
      ['theirs', theirs.room],
    ].map(
      ([name = '', code]) =>
        new Promise<void>((resolve) =>
          sockets.get(name)?.on('room', (change) => change.code === code && change.messages.length && resolve()),
        ),
    )
    await member.call('sendMessage', { code: room, type: MessageType.text, content: 'there' })
    await theirs.member.call('sendMessage', { code: theirs.room, type: MessageType.text, content: 'there' })
    await Promise.all(received)
    return Object.fromEntries(notified)
  }
  const both = { cs: [member.id], masked: [member.id] }
  expect(await after(agent.call('user/transaction', { id: member.id, amount: '10' }))).toEqual(both)
  expect(await after(member.call('wallet/toGame', { amount: '2' }))).toEqual(both)
  const bet = { topId: top.id, memberId: member.id, betId: 'b1', amount: 10_000n }
  expect(await after(server.services.ledger.bet(bet))).toEqual(both)
  expect(await after(server.services.ledger.win(bet))).toEqual(both)
  await sockets.get('cs')?.emitWithAck('leave', room)
  expect(await after(agent.call('user/transaction', { id: member.id, amount: '1' }))).toEqual({ masked: [member.id] })
})

/** Sockets on an HTTP server of the test's own, with the database of the server. */
const socketsOf = (http: Server, relay: OpenRelay) => {
  const { db, log } = server.services
  const sockets = openSockets({
    db,
    sessions: makeSessions(db, { timeZone: 'UTC' }),
    limits: () => Promise.resolve(undefined),
    isOverLimit: () => false,
    log,
    origins: [],
    measures: unmeasured,
    traces: undefined,
    settings: { timeZone: 'UTC' },
    announceRooms: () => Promise.resolve(),
    relay,
  })
  sockets.attach(http)
  return sockets
}

test('[RUN-10] a socket is connected when its topics are received, and not before', async () => {
  const { agent } = await server.family()
  const http = createServer((_, answer) => answer.end())
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const wanted: string[] = []
  let receive = () => {}
  const received = new Promise<void>((resolve) => {
    receive = resolve
  })
  const relay = () => ({
    ...noRelay,
    subscribed: Promise.resolve(),
    want: (topics: string[]) => {
      wanted.push(...topics)
      return received
    },
  })
  const sockets = socketsOf(http, relay)
  const socket = io(address, { path: '/socket', auth: { token: agent.token }, transports: ['websocket'] })
  const connected = new Promise((resolve) => socket.once('connect', () => resolve('connected')))
  await expect.poll(() => wanted).toEqual(expect.arrayContaining([`user:${agent.id}`, `group:${agent.id}`]))
  // What was sent before these answers has arrived.
  for (let n = 0; n < 3; n++) await fetch(address)
  expect(socket.connected).toBe(false)
  receive()
  expect(await connected).toBe('connected')
  socket.disconnect()
  await sockets.close()
})

test('[RUN-01] a copy that stops answers 503 to new sockets, so that a proxy asks another copy', async () => {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const sockets = socketsOf(http, () => ({ ...noRelay, subscribed: Promise.resolve() }))
  const statusOf = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      }
      const asked = request({ port, path: '/socket/?EIO=4&transport=websocket', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.once('upgrade', (answer, socket) => {
        socket.destroy()
        resolve(answer.statusCode)
      })
      asked.once('error', reject)
      asked.end()
    })
  expect(await statusOf()).toBe(101)
  sockets.drain(0)
  expect(await statusOf()).toBe(503)
  await sockets.close()
})
