import { randomUUID } from 'node:crypto'
import type { RoomChange, ServerEvents } from '@tallyroom/contract/events'
import { Role, RoomStatus } from '@tallyroom/contract/codes'
import type { Socket } from 'socket.io-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../../testing/app.ts'
import { contents, settledCursor, text } from '../../testing/rooms.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

/** The next room event that matches. */
const nextEvent = (socket: Socket<ServerEvents>, matches: (change: RoomChange) => boolean = () => true) =>
  new Promise<RoomChange>((resolve) => {
    const listen = (change: RoomChange) => {
      if (!matches(change)) return
      socket.off('room', listen)
      resolve(change)
    }
    socket.on('room', listen)
  })
describe('room/list and room/enter', () => {
  test('[CHAT-02] the group sees its rooms with the last message; the partner sees one', async () => {
    const { agent, cs, member, room } = await server.family()
    await member.call('sendMessage', text(room, 'is it there?'))
    const mine = {
      code: room,
      username: member.username,
      message_content: 'is it there?',
      message_read: 0,
      last_seq: 1,
      read_seq: 0,
    }
    for (const person of [agent, cs]) expect((await person.call('room/list', {})).data).toMatchObject([mine])
    expect((await member.call('room/list', {})).data).toMatchObject([
      { code: room, name: `Nick ${agent.username}`, username: '', message_read: 1 },
    ])
  })

  test('[ROOM-01] opens by code, by room and by friend', async () => {
    const { agent, member, room } = await server.family()
    const byCode = await agent.call('room/enter', { code: room })
    expect(byCode.room.username).toBe(member.username)
    expect(await agent.call('room/enter', { room_id: byCode.room.id })).toEqual(byCode)
    expect(await agent.call('room/enter', { friend_id: member.id })).toEqual(byCode)
    expect(await agent.ask('room/enter', {})).toBeRefusal('room.not_found')
  })

  test('[ROOM-10] nobody enters, reads, syncs or writes in others’ rooms', async () => {
    const { top, room } = await server.family()
    const stranger = await server.family()
    for (const person of [stranger.agent, stranger.cs, stranger.member, top]) {
      expect(await person.ask('room/enter', { code: room })).toBeRefusal('room.not_found')
      expect(await person.ask('room/history', { code: room })).toBeRefusal('room.not_found')
      expect(await person.ask('room/sync', { code: room, version: 0 })).toBeRefusal('room.not_found')
      expect(await person.ask('sendMessage', text(room, 'x'))).toBeRefusal('room.not_found')
      expect(await person.ask('readMessage', { code: room, message_id: randomUUID() })).toBeRefusal('room.not_found')
    }
    expect(await stranger.agent.ask('room/changeStatus', { code: room, status: RoomStatus.hidden })).toBeRefusal(
      'room.not_found',
    )
  })

  test('[ROOM-04] older history by page and by seq', async () => {
    const { agent, member, room } = await server.family()
    for (let n = 1; n <= 70; n++) await member.call('sendMessage', text(room, String(n)))
    const entered = await agent.call('room/enter', { code: room })
    expect([contents(entered.messages)[0], contents(entered.messages).at(-1), entered.has_more]).toEqual([
      '41',
      '70',
      true,
    ])
    const second = await agent.call('room/history', { code: room, page: 2 })
    expect([contents(second.messages)[0], contents(second.messages).at(-1), second.has_more]).toEqual([
      '11',
      '40',
      true,
    ])
    const before = await agent.call('room/history', { code: room, before: 11 })
    expect([before.messages.length, contents(before.messages).at(-1), before.has_more]).toEqual([10, '10', false])
  })
})

describe('live', () => {
  test('[ROOM-13] a message of one side reaches the other, each in its own view', async () => {
    const { agent, cs, member, room } = await server.family()
    const [toAgent, toCs, toMember] = await Promise.all([agent, cs, member].map((person) => person.socket()))
    const all = [toAgent, toCs, toMember].map((socket) => nextEvent(socket as Socket))
    await cs.call('sendMessage', text(room, 'hello'))
    const [a, b, m] = await Promise.all(all)
    expect(a).toEqual(b)
    expect(a).toMatchObject({
      code: room,
      since: 0,
      version: 1,
      messages: [{ content: 'hello', is_self: true, user_username: cs.username }],
    })
    expect(m).toMatchObject({ code: room, messages: [{ content: 'hello', is_self: false, user_username: '' }] })
    const back = nextEvent(toCs as Socket)
    await member.call('sendMessage', text(room, 'hi'))
    expect((await back).messages).toMatchObject([{ content: 'hi', is_self: false }])
  })

  test('[ROOM-10] [S14] a stranger gets no event and joins no room', async () => {
    const { agent, member, room } = await server.family()
    const stranger = await server.family()
    const sockets = await Promise.all([stranger.agent, stranger.member].map((person) => person.socket()))
    const leaked: unknown[] = []
    for (const socket of sockets) {
      socket.on('room', (change) => leaked.push(change))
      expect(await socket.emitWithAck('join', room)).toEqual({ ok: false })
    }
    const mine = await member.socket()
    expect(await mine.emitWithAck('join', room)).toEqual({ ok: true })
    const event = nextEvent(mine)
    await agent.call('sendMessage', text(room, 'for us'))
    await event
    // An event of their own that arrives later proves that no earlier one is still on its way.
    const own = nextEvent(sockets[0] as Socket)
    await stranger.member.call('sendMessage', text(stranger.room, 'ours'))
    await own
    expect(leaked.map((change) => (change as RoomChange).code)).not.toContain(room)
  })

  test('[S14] a socket without a session does not open', async () => {
    const { agent } = await server.family()
    await agent.call('logout', {})
    await expect(agent.socket()).rejects.toThrow('session.dead')
  })

  test('[ROOM-12] after a gap the difference brings a room to the same state', async () => {
    const { agent, member, room } = await server.family()
    await member.call('sendMessage', text(room, '1'))
    const { room: known } = await agent.call('room/enter', { code: room })
    await member.call('sendMessage', text(room, '2'))
    await member.call('sendMessage', text(room, '3'))
    const change = await agent.call('room/sync', { code: room, version: known.version })
    expect(change).toMatchObject({ since: known.version, reset: false, room: { last_seq: 3 } })
    expect(contents(change.messages)).toEqual(['2', '3'])
    expect(await agent.call('room/sync', { code: room, version: 9999 })).toMatchObject({ reset: true })
  })

  test('[ROOM-12] a difference that is too long says to load the room again', async () => {
    const { agent, member, room } = await server.family()
    await Promise.all(Array.from({ length: 201 }, (_, n) => member.call('sendMessage', text(room, String(n)))))
    expect(await agent.call('room/sync', { code: room, version: 0 })).toMatchObject({ reset: true, messages: [] })
  })

  test('[CHAT-08] the list asks for what changed since its cursor', async () => {
    const { agent, member, room } = await server.family()
    const other = await server.person({ role: Role.member, under: agent })
    const cursor = await settledCursor(agent)
    await member.call('sendMessage', text(room, 'new'))
    await other.call('room/list', {})
    const changed = await agent.call('room/list', { since: cursor })
    expect(changed.data.map(({ code }) => code)).toContain(room)
    await agent.call('room/changeStatus', { code: room, status: RoomStatus.hidden })
    const after = await agent.call('room/list', { since: changed.cursor })
    // A transaction that runs beside this test, also in another database, holds the cursor back: then more comes.
    expect(after.data.find(({ code }) => code === room)).toMatchObject({ status: RoomStatus.hidden })
  })
})

describe('readMessage and room/changeStatus', () => {
  test('[ROOM-02] reading is per account; the other side sees how far', async () => {
    const { agent, cs, member, room } = await server.family()
    const sent = await member.call('sendMessage', text(room, 'hello'))
    await agent.call('readMessage', { code: room, message_id: sent.message_id })
    expect((await agent.call('room/list', {})).data).toMatchObject([{ message_read: 1, read_seq: 1 }])
    expect((await cs.call('room/list', {})).data).toMatchObject([{ message_read: 0, read_seq: 0 }])
    expect((await member.call('room/list', {})).data).toMatchObject([{ other_read_seq: 1 }])
    // A colleague has read further, so the room does not change: the reader's own other pages still get the read mark.
    const cursor = await settledCursor(cs)
    await cs.call('readMessage', { code: room, message_id: sent.message_id })
    expect((await cs.call('room/list', { since: cursor })).data).toMatchObject([{ read_seq: 1, message_read: 1 }])
  })

  test('[ROOM-11] a missing message cannot be marked as read', async () => {
    const { agent, room } = await server.family()
    expect(await agent.ask('readMessage', { code: room, message_id: randomUUID() })).toBeRefusal('message.not_found')
  })

  test('[S3] a message of one room is not read through another', async () => {
    const { agent, member, room } = await server.family()
    const other = await server.person({ role: Role.member, under: agent })
    const sent = await member.call('sendMessage', text(room, 'hello'))
    const { data } = await other.call('room/list', {})
    expect(await agent.ask('readMessage', { code: data[0]?.code ?? '', message_id: sent.message_id })).toBeRefusal(
      'message.not_found',
    )
  })

  test('[CHAT-04] [CHAT-05] a hidden room is in the hidden list until the member writes again', async () => {
    const { agent, member, room } = await server.family()
    await agent.call('room/changeStatus', { code: room, status: RoomStatus.hidden })
    const codes = async (status: 1 | 2) => (await agent.call('room/list', { status })).data.map(({ code }) => code)
    expect([await codes(RoomStatus.shown), await codes(RoomStatus.hidden)]).toEqual([[], [room]])
    expect(await member.ask('room/changeStatus', { code: room, status: RoomStatus.hidden })).toBeRefusal(
      'access.denied',
    )
    await member.call('sendMessage', text(room, 'still here'))
    expect([await codes(RoomStatus.shown), await codes(RoomStatus.hidden)]).toEqual([[room], []])
  })
})
