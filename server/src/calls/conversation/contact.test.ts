import { unreadIn } from '@tallyroom/contract/unread'
import type { Contact } from '@tallyroom/contract/calls/conversation/contact'
import type { RoomChange } from '@tallyroom/contract/events'
import { ContactStatus, Role, RoomStatus, RoomType, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { text } from '../../testing/rooms.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const names = (contacts: Contact[]) => contacts.map(({ username }) => username)
const next = async (person: Person) => {
  const socket = await person.socket()
  return () => new Promise<RoomChange>((resolve) => socket.once('room', resolve))
}

describe('friend/list and customer/list', () => {
  test('[CONT-01] agents below, members and the upline, each with its type and its room', async () => {
    const { top, agent, cs, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const theirs = await server.person({ role: Role.member, under: sub })
    const of = async (person: Person) =>
      (await person.call('friend/list', {})).data.map(({ type, member_id, friend_id }) => [type, member_id, friend_id])
    expect(await of(agent)).toEqual([
      [0, sub.id, sub.id],
      [1, member.id, member.id],
      [2, top.id, top.id],
    ])
    expect(await of(cs)).toEqual([
      [0, sub.id, sub.id],
      [1, member.id, member.id],
    ])
    expect(await of(sub)).toEqual([
      [1, theirs.id, theirs.id],
      [2, agent.id, agent.id],
    ])
    const { data } = await cs.call('customer/list', {})
    expect(data).toMatchObject([
      {
        member_id: member.id,
        type: RoomType.member,
        status: ContactStatus.listed,
        frozen: false,
        room_id: expect.any(Number),
      },
    ])
    expect((await cs.call('friend/list', {})).data[0]).toMatchObject({ room_id: null })
    const kinds = await Promise.all(([0, 1, 2] as const).map((type) => agent.call('friend/list', { type })))
    expect(kinds.map(({ data }) => data.map((one) => one.member_id))).toEqual([[sub.id], [member.id], [top.id]])
  })

  test('[CONT-01] pages of ten: the previous, the current and the next', async () => {
    const { agent, member } = await server.family()
    const more = await Promise.all(Array.from({ length: 22 }, () => server.person({ role: Role.member, under: agent })))
    const pages = await Promise.all([1, 2, 3, 4].map((page) => agent.call('customer/list', { page })))
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { pages: 3, current: 1, previous: null, next: 2 },
      { pages: 3, current: 2, previous: 1, next: 3 },
      { pages: 3, current: 3, previous: 2, next: null },
      { pages: 3, current: 4, previous: 3, next: null },
    ])
    const all = pages.flatMap(({ data }) => names(data))
    expect([...all].sort()).toEqual([member, ...more].map(({ username }) => username).sort())
    expect(all).toEqual([...all].sort())
  })

  test('[CONT-01] whole names, or with fuzzy a part of any of them', async () => {
    const { agent, member } = await server.family()
    await agent.call('friend/edit', { member_id: member.id, nickname: 'ลูกค้าใจดี' })
    const hits = async (username: string, fuzzy: 0 | 1) =>
      (await agent.call('customer/list', { username, fuzzy })).data.length
    const part = member.username.slice(1, 7)
    expect([
      await hits(member.username.toUpperCase(), 0),
      await hits(part, 0),
      await hits(part.toUpperCase(), 1),
    ]).toEqual([1, 0, 1])
    expect([await hits('ใจดี', 0), await hits('ใจดี', 1), await hits('ลูกค้าใจดี', 0)]).toEqual([0, 1, 1])
    expect([await hits(`Nick ${part}`, 1), await hits('nick t', 1), await hits('%', 1), await hits('_', 1)]).toEqual([
      0, 1, 0, 0,
    ])
  })

  test('[S35] where usernames are masked, neither parts nor the order reveal them', async () => {
    const { top, agent, member } = await server.family()
    await Promise.all(Array.from({ length: 5 }, () => server.person({ role: Role.member, under: agent })))
    await agent.call('friend/edit', { member_id: member.id, nickname: `my ${member.username}` })
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
    const hits = async (username: string, fuzzy: 0 | 1) =>
      (await agent.call('friend/list', { username, fuzzy })).data.length
    expect([
      await hits(member.username.slice(0, 6), 1),
      await hits(member.username, 1),
      await hits(member.username, 0),
    ]).toEqual([0, 1, 1])
    const ids = (await agent.call('customer/list', {})).data.map(({ member_id }) => member_id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  })
})

describe('friend/view and friend/edit', () => {
  test('[CONT-02] the group’s own name shows in all its lists, live, and not on the account', async () => {
    const { agent, cs, member, room } = await server.family()
    const change = (await next(cs))()
    await agent.call('friend/edit', { member_id: member.id, nickname: 'Blue hat' })
    expect(await change).toMatchObject({ code: room, room: { name: 'Blue hat' } })
    expect((await cs.call('room/list', {})).data[0]).toMatchObject({ name: 'Blue hat', username: member.username })
    expect(await cs.call('friend/view', { member_id: member.id })).toMatchObject({
      nickname: 'Blue hat',
      alias: 'Blue hat',
      own_nickname: `Nick ${member.username}`,
      friend_id: member.id,
    })
    expect((await member.call('user/view', {})).nickname).toBe(`Nick ${member.username}`)
    expect(JSON.stringify(await member.call('room/enter', { code: room }))).not.toContain('Blue hat')
    await agent.call('friend/edit', { member_id: member.id, nickname: '' })
    expect((await cs.call('room/list', {})).data[0]).toMatchObject({ name: `Nick ${member.username}` })
  })

  test('[CONT-02] a contact that is set aside is in the other list; its room still works', async () => {
    const { agent, cs, member, room } = await server.family()
    await agent.call('friend/edit', { member_id: member.id, status: ContactStatus.setAside })
    const of = async (status: 0 | 1) => names((await cs.call('friend/list', { status })).data)
    expect([await of(ContactStatus.listed), await of(ContactStatus.setAside)]).toEqual([[], [member.username]])
    await member.call('sendMessage', text(room, 'still here'))
    expect((await cs.call('room/list', {})).data).toMatchObject([{ code: room }])
    await agent.call('friend/edit', { member_id: member.id, status: ContactStatus.listed })
    expect(await of(ContactStatus.listed)).toEqual([member.username])
  })

  test('[CONT-02] [S4] strangers’ contacts and missing ones get the same answer, and do not change', async () => {
    const { agent, cs, top } = await server.family()
    const other = await server.family()
    for (const person of [agent, cs, top]) {
      const replies = await Promise.all(
        [other.member.id, 99_999_999].flatMap((member_id) => [
          person.ask('friend/view', { member_id }),
          person.ask('friend/edit', { member_id, nickname: 'mine' }),
        ]),
      )
      expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
      const entered = [other.member.id, 99_999_999].map((friend_id) => person.ask('room/enter', { friend_id }))
      expect(new Set((await Promise.all(entered)).map((reply) => JSON.stringify(reply))).size).toBe(1)
    }
    expect((await other.agent.call('room/list', {})).data[0]?.name).toBe(`Nick ${other.member.username}`)
  })
})

describe('the customer-service chat', () => {
  test('[CHAT-10] [ROOM-01] an agent and its upline’s customer service talk in one room, live, with unread counts', async () => {
    const { agent, cs } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const mine = await sub.call('room/enter', { friend_id: agent.id })
    expect(mine.room).toMatchObject({
      name: `Nick ${agent.username}`,
      username: '',
      type: RoomType.upline,
      friend_id: agent.id,
    })
    const theirs = await cs.call('room/enter', { friend_id: sub.id })
    expect(theirs.room).toMatchObject({
      code: mine.room.code,
      name: `Nick ${sub.username}`,
      type: RoomType.agent,
      friend_id: sub.id,
    })

    const { code } = mine.room
    const [toCs, toSub] = [await next(cs), await next(sub)]
    const events = Promise.all([toCs(), toSub()])
    await sub.call('sendMessage', text(code, 'can you raise my credit?'))
    const [a, b] = await events
    expect(a).toMatchObject({
      messages: [{ is_self: false, user_username: sub.username }],
      room: { type: RoomType.agent },
    })
    expect(b).toMatchObject({ messages: [{ is_self: true, user_username: '' }], room: { type: RoomType.upline } })
    const unreadOf = async (person: Person) => {
      const room = (await person.call('room/list', {})).data.find((one) => one.code === code)
      return unreadIn(room ?? expect.fail('the room is not in the list'))
    }
    expect([await unreadOf(sub), await unreadOf(cs), await unreadOf(agent)]).toEqual([0, 1, 1])
    const back = toSub()
    const answer = await cs.call('sendMessage', text(code, 'done'))
    expect(await back).toMatchObject({ messages: [{ content: 'done', is_self: false, user_username: '' }] })
    expect([await unreadOf(sub), await unreadOf(cs), await unreadOf(agent)]).toEqual([1, 0, 0])
    await sub.call('readMessage', { code, message_id: answer.message_id })
    expect(await unreadOf(sub)).toBe(0)
    expect(await sub.call('room/sync', { code, version: 0 })).toMatchObject({
      messages: [{ is_self: true }, { is_self: false }],
    })
    expect((await sub.call('room/history', { code })).messages).toHaveLength(2)
  })

  test('[CHAT-10] the agent’s own customer service and members have no access to it, and the agent cannot change the upline’s list', async () => {
    const { agent } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const subCs = await server.person({ role: Role.customerService, under: sub })
    const subMember = await server.person({ role: Role.member, under: sub })
    const { code } = (await sub.call('room/enter', { friend_id: agent.id })).room
    for (const person of [subCs, subMember]) {
      expect(await person.ask('room/enter', { code })).toBeRefusal('room.not_found')
      expect(await person.ask('room/enter', { friend_id: agent.id })).toBeRefusal('room.not_found')
      expect(await person.ask('sendMessage', text(code, 'x'))).toBeRefusal('room.not_found')
      expect(JSON.stringify(await person.ask('room/list', {}))).not.toContain(code)
    }
    expect(await sub.ask('room/changeStatus', { code, status: RoomStatus.hidden })).toBeRefusal('room.not_found')
    // Members get points in rooms; agents through the lists.
    expect(
      await agent.ask('transaction/add', { member_id: sub.id, type: TransferKind.send, amount: '1', code }),
    ).toBeRefusal('account.not_found')
  })

  test('[CHAT-10] [S35] an agent that sees names masked reads no name of its upline, in answers and events', async () => {
    const { top, agent, cs } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    await top.call('user/edit', { id: agent.id, nickname: agent.username })
    await agent.call('user/edit', { id: cs.id, nickname: cs.username })
    await top.call('user/saveAbilities', { id: sub.id, masks_usernames: 1 })
    const { code } = (await sub.call('room/enter', { friend_id: agent.id })).room
    const toSub = await next(sub)
    const events: RoomChange[] = []
    for (const [who, content] of [
      [cs, 'hello'],
      [sub, 'hi'],
    ] as const) {
      const change = toSub()
      await who.call('sendMessage', text(code, content))
      events.push(await change)
    }
    const answers = [
      await sub.call('room/list', {}),
      await sub.call('room/enter', { code }),
      await sub.call('room/sync', { code, version: 0 }),
      await sub.call('friend/list', {}),
    ]
    for (const hidden of [agent.username, cs.username])
      expect(JSON.stringify([...events, ...answers]).toLowerCase()).not.toContain(hidden)
    expect(events.map(({ messages }) => messages[0]?.is_self)).toEqual([false, true])
    expect(events.map(({ room }) => room.type)).toEqual([2, 2])
  })
})
