import { randomUUID } from 'node:crypto'
import type { DeskChange, ServerEvents } from '@tallyroom/contract/events'
import { unreadIn } from '@tallyroom/contract/unread'
import { MessageType, Role, RoomStatus, TransferKind } from '@tallyroom/contract/codes'
import type { Socket } from 'socket.io-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { settledCursor } from '../../testing/rooms.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const say = (who: Person, code: string, content: string) =>
  who.call('sendMessage', { code, type: MessageType.text, content })
const rowOf = async (who: Person, code: string) => {
  const { data } = await who.call('room/list', {})
  const { data: hidden } = await who.call('room/list', { status: RoomStatus.hidden })
  return [...data, ...hidden].find((room) => room.code === code) ?? expect.fail('the room is not in the list')
}
const nextDesk = (socket: Socket<ServerEvents>) =>
  new Promise<DeskChange>((resolve) => socket.once('desk', (change) => resolve(change)))
/** Several members of one agent, each with a room. */
const crowd = async (size: number) => {
  const family = await server.family()
  const members = await Promise.all(
    Array.from({ length: size }, () => server.person({ role: Role.member, under: family.agent })),
  )
  const codes = await Promise.all(members.map(async (one) => (await one.call('room/list', {})).data[0]?.code ?? ''))
  return { ...family, members, codes }
}

describe('who waits for an answer', () => {
  test('since the first unanswered message, decided by the server', async () => {
    const { agent, cs, member, room } = await server.family()
    expect((await rowOf(agent, room)).waiting_since).toBe(null)
    const first = await say(member, room, 'hello?')
    await say(member, room, 'anyone?')
    for (const person of [agent, cs]) expect((await rowOf(person, room)).waiting_since).toBe(first.created_at)
    expect((await rowOf(member, room)).waiting_since).toBe(null)
    await say(cs, room, 'yes')
    expect((await rowOf(agent, room)).waiting_since).toBe(null)
    const second = await say(member, room, 'thanks')
    expect((await rowOf(agent, room)).waiting_since).toBe(second.created_at)
    await agent.call('desk/settle', { code: room })
    await agent.call('desk/settle', { code: room })
    expect((await rowOf(cs, room)).waiting_since).toBe(null)
    const { asides } = await cs.call('room/enter', { code: room })
    expect(asides.map(({ kind, after_seq }) => [kind, after_seq])).toEqual([['settled', 4]])
  })

  test('a room marked as unread is unread for that account only, on all its devices, until it is read', async () => {
    const { agent, cs, member, room } = await server.family()
    const { message_id } = await say(member, room, 'hello')
    await cs.call('readMessage', { code: room, message_id })
    await agent.call('readMessage', { code: room, message_id })
    const cursor = await settledCursor(agent)
    const other = await agent.socket()
    const event = new Promise((resolve) => other.once('read', resolve))
    await agent.call('desk/markUnread', { code: room })
    expect(await event).toMatchObject({ code: room, marked_unread: 1, mark_version: 1 })
    expect(await rowOf(agent, room)).toMatchObject({ message_read: 0, marked_unread: 1, read_seq: 1 })
    expect(await rowOf(cs, room)).toMatchObject({ message_read: 1, marked_unread: 0 })
    // A device that was offline gets it in the difference.
    expect((await agent.call('room/list', { since: cursor })).data).toMatchObject([{ code: room, marked_unread: 1 }])
    await agent.call('readMessage', { code: room, message_id })
    expect(await rowOf(agent, room)).toMatchObject({ message_read: 1, marked_unread: 0, mark_version: 2 })
  })
})

describe('[CONV-06] unread is the group’s', () => {
  const unreadOf = async (who: Person, code: string) => {
    const room = await rowOf(who, code)
    expect(room.message_read).toBe(unreadIn(room) || room.marked_unread ? 0 : 1)
    return unreadIn(room)
  }

  test('a colleague’s answer clears it for all, live; reading clears it for the reader', async () => {
    const { agent, cs, member, room } = await server.family()
    await say(member, room, 'hello?')
    const { message_id } = await say(member, room, 'anyone?')
    await cs.call('readMessage', { code: room, message_id })
    expect([await unreadOf(cs, room), await unreadOf(agent, room)]).toEqual([0, 2])
    const socket = await agent.socket()
    const cursor = await settledCursor(agent)
    const event = new Promise((resolve) => socket.once('room', resolve))
    await say(cs, room, 'yes')
    expect(await event).toMatchObject({ code: room, room: { unanswered: 0, last_seq: 3 } })
    expect([await unreadOf(cs, room), await unreadOf(agent, room)]).toEqual([0, 0])
    // A browser that was offline gets it in the difference.
    const { data } = await agent.call('room/list', { since: cursor })
    expect(data).toMatchObject([{ code: room, message_read: 1, read_seq: 0, unanswered: 0 }])
    await say(member, room, 'thanks')
    expect([await unreadOf(cs, room), await unreadOf(agent, room)]).toEqual([1, 1])
    // The member has no colleagues: what it has not read stays unread.
    await say(cs, room, 'bye')
    expect(await unreadOf(member, room)).toBe(1)
  })

  test('points and "done" answer; a note, a handover and what was taken back do not count', async () => {
    const { agent, cs, member, room } = await server.family()
    await say(member, room, 'points please')
    const { message_id } = await say(member, room, 'a typo')
    await cs.call('desk/whisper', { code: room, content: 'known since May' })
    await cs.call('desk/take', { code: room })
    expect(await unreadOf(agent, room)).toBe(2)
    await member.call('message/takeBack', { code: room, message_id })
    expect(await unreadOf(agent, room)).toBe(1)
    await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    expect(await unreadOf(agent, room)).toBe(0)
    await say(member, room, 'thanks')
    const event = nextDesk(await agent.socket())
    await cs.call('desk/settle', { code: room })
    expect(await event).toMatchObject({ code: room, room: { unanswered: 0 } })
    expect(await unreadOf(agent, room)).toBe(0)
  })

  test('a room that an account marked as unread stays so after a colleague’s answer, and all filters agree', async () => {
    const { agent, cs, member, room } = await server.family()
    const filter = { status: RoomStatus.shown, unread: true } as const
    await say(member, room, 'hello')
    await agent.call('desk/markUnread', { code: room })
    await say(cs, room, 'hi')
    expect(await rowOf(agent, room)).toMatchObject({ message_read: 0, marked_unread: 1, unanswered: 0 })
    expect((await cs.call('desk/bulk', { deed: 'read', filter })).codes).toEqual([])
    expect((await agent.call('desk/bulk', { deed: 'read', filter })).codes).toEqual([room])
    expect(await unreadOf(agent, room)).toBe(0)
    expect((await agent.call('desk/bulk', { deed: 'read', filter })).codes).toEqual([])
  })
})

describe('who has a room', () => {
  test('one colleague takes it; the others read and write notes until they take it over', async () => {
    const { agent, cs, member, room } = await server.family()
    const second = await server.person({ role: Role.customerService, under: agent })
    await say(member, room, 'hello')
    await cs.call('desk/take', { code: room })
    expect(await rowOf(agent, room)).toMatchObject({ owner_id: cs.id, owner_name: `Nick ${cs.username}` })
    expect(await second.ask('sendMessage', { code: room, type: MessageType.text, content: 'me too' })).toMatchObject({
      refusal: 'room.held',
    })
    await say(cs, room, 'mine')
    await say(member, room, 'the member always may')
    // Two press at once: the second one is refused with the owner's name and has to confirm.
    expect(await second.ask('desk/take', { code: room })).toMatchObject({
      refusal: 'room.taken',
      message: `This conversation was just assigned to Nick ${cs.username}.`,
    })
    await second.call('desk/take', { code: room, from: cs.id })
    expect(await cs.ask('sendMessage', { code: room, type: MessageType.text, content: 'x' })).toBeRefusal('room.held')
    expect(await cs.ask('desk/release', { code: room })).toBeRefusal('room.not_yours')
    expect(await cs.ask('desk/handOver', { code: room, to: cs.id })).toBeRefusal('room.not_yours')
    await second.call('desk/handOver', { code: room, to: agent.id })
    await agent.call('desk/release', { code: room })
    await say(second, room, 'free again')
    const { asides } = await agent.call('room/enter', { code: room })
    expect(asides.map(({ kind, user_username, target_id }) => [kind, user_username, target_id])).toEqual([
      ['taken', cs.username, null],
      ['taken_over', second.username, cs.id],
      ['handed', second.username, agent.id],
      ['released', agent.username, agent.id],
    ])
  })

  test('of many who take a free room at once one gets it', async () => {
    const { agent, cs, room } = await server.family()
    const others = await Promise.all([1, 2, 3].map(() => server.person({ role: Role.customerService, under: agent })))
    const replies = await Promise.all([agent, cs, ...others].map((person) => person.ask('desk/take', { code: room })))
    expect(replies.map(outcomeOf).sort()).toEqual(['done', 'room.taken', 'room.taken', 'room.taken', 'room.taken'])
  })

  test('[DESK-11] it is of the colleague who answers first, at once and for all', async () => {
    const { agent, cs, member, room } = await server.family()
    await say(member, room, 'hello')
    await cs.call('desk/whisper', { code: room, content: 'known since May' })
    await cs.call('desk/settle', { code: room })
    expect((await rowOf(agent, room)).owner_id).toBe(null)
    const socket = await agent.socket()
    const cursor = await settledCursor(agent)
    const event = new Promise((resolve) => socket.once('room', resolve))
    await say(cs, room, 'hi')
    const owned = { owner_id: cs.id, owner_name: `Nick ${cs.username}` }
    expect(await event).toMatchObject({ code: room, room: owned })
    // A browser that was offline gets it in the difference.
    expect((await agent.call('room/list', { since: cursor })).data).toMatchObject([{ code: room, ...owned }])
    expect(await rowOf(member, room)).toMatchObject({ owner_id: null, owner_name: '' })
    expect(await agent.ask('sendMessage', { code: room, type: MessageType.text, content: 'me too' })).toBeRefusal(
      'room.held',
    )
    // The answer itself says who has it: no line is written.
    expect((await agent.call('room/enter', { code: room })).asides.map(({ kind }) => kind)).toEqual([
      'whisper',
      'settled',
    ])
  })

  test('[DESK-11] of many who answer a free room at once one gets it, and only its words are sent', async () => {
    const { agent, cs, member, room } = await server.family()
    const others = await Promise.all([1, 2, 3].map(() => server.person({ role: Role.customerService, under: agent })))
    const people = [agent, cs, ...others]
    const replies = await Promise.all(
      people.map((one) => one.ask('sendMessage', { code: room, type: MessageType.text, content: one.username })),
    )
    expect(replies.map(outcomeOf).sort()).toEqual(['done', 'room.held', 'room.held', 'room.held', 'room.held'])
    const { messages } = await member.call('room/enter', { code: room })
    const [owner] = people.filter((_, at) => replies.map(outcomeOf)[at] === 'done')
    expect(messages.map(({ content }) => content)).toEqual([owner?.username])
    expect((await rowOf(agent, room)).owner_id).toBe(owner?.id)
  })

  test('[DESK-11] points and an envelope make it one’s own; an owner keeps it', async () => {
    const { agent, cs, member, room } = await server.family()
    const give = (who: Person) =>
      who.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    await give(cs)
    expect((await rowOf(agent, room)).owner_id).toBe(cs.id)
    await give(agent)
    expect((await rowOf(agent, room)).owner_id).toBe(cs.id)
    await agent.call('desk/release', { code: room })
    await give(agent)
    expect((await rowOf(cs, room)).owner_id).toBe(agent.id)
  })

  test('[DESK-11] a colleague of another group and the bot’s room stay without an owner', async () => {
    const { top, agent, member, room } = await server.family()
    await top.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    expect((await rowOf(agent, room)).owner_id).toBe(null)
    await run(server.services.db, sql`update rooms set status = ${RoomStatus.ai} where code = ${room}`)
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    const { data } = await agent.call('room/list', { status: RoomStatus.ai })
    expect(data.map(({ code, owner_id }) => [code, owner_id])).toEqual([[room, null]])
  })

  test('[DESK-11] a group that has switched it off assigns conversations by hand, and so do groups below it', async () => {
    const { agent, cs, member, room } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent, points: '10' })
    const below = await server.person({ role: Role.member, under: sub })
    const other = await server.family()
    const ownerOf = async (who: Person, code: string) => (await rowOf(who, code)).owner_id
    await agent.call('setting/save', { name: 'ours' })
    expect(await cs.call('setting/view', {})).toMatchObject({ owned_by_answer: 1 })
    await agent.call('setting/save', { owned_by_answer: 0 })
    expect(await cs.call('setting/view', {})).toMatchObject({ owned_by_answer: 0 })
    await say(cs, room, 'hi')
    await say(agent, room, 'hi from me too')
    await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    expect(await ownerOf(agent, room)).toBe(null)
    const code = (await below.call('room/list', {})).data[0]?.code ?? ''
    await say(sub, code, 'hi')
    expect(await ownerOf(sub, code)).toBe(null)
    await sub.call('setting/save', { owned_by_answer: 1 })
    await say(sub, code, 'mine')
    expect(await ownerOf(sub, code)).toBe(sub.id)
    await say(other.cs, other.room, 'hi')
    expect(await ownerOf(other.agent, other.room)).toBe(other.cs.id)
    await cs.call('desk/take', { code: room })
    expect(await ownerOf(agent, room)).toBe(cs.id)
  })

  test('it can be handed to colleagues of the group only; the head may hand over any room', async () => {
    const { agent, cs, member, room } = await server.family()
    const stranger = await server.family()
    await cs.call('desk/take', { code: room })
    for (const to of [stranger.cs.id, stranger.agent.id, member.id, 99_999_999])
      expect(await agent.ask('desk/handOver', { code: room, to })).toMatchObject({ refusal: 'room.not_a_colleague' })
    expect((await agent.call('desk/colleagues', {})).data.map(({ id }) => id)).toEqual([agent.id, cs.id])
    await agent.call('desk/handOver', { code: room, to: agent.id })
    expect((await rowOf(cs, room)).owner_id).toBe(agent.id)
  })
})

test('[CONV-03] a handover says why, to colleagues only; they see who is there and how many wait for each', async () => {
  const { agent, cs, member, room } = await server.family()
  await say(member, room, 'hello')
  await cs.call('desk/take', { code: room })
  await cs.call('desk/handOver', { code: room, to: agent.id, why: '  speaks Tamil ' })
  const { asides } = await agent.call('room/enter', { code: room })
  expect(asides.map(({ kind, content }) => [kind, content])).toEqual([
    ['taken', ''],
    ['handed', 'speaks Tamil'],
  ])
  expect(JSON.stringify(await member.call('room/enter', { code: room }))).not.toContain('speaks Tamil')
  expect(await agent.ask('desk/handOver', { code: room, to: cs.id, why: 'x'.repeat(201) })).toBeRefusal(
    'request.invalid',
  )
  const ago = (minutes: number, { id }: Person) =>
    run(
      server.services.db,
      sql`update accounts set last_seen_at = now() - make_interval(mins => ${minutes}) where id = ${id}`,
    )
  await ago(6, cs)
  await ago(4, agent)
  expect((await agent.call('desk/colleagues', {})).data.map((one) => [one.id, one.active, one.waiting])).toEqual([
    [agent.id, 1, 1],
    [cs.id, 0, 0],
  ])
  await say(agent, room, 'hi')
  expect((await agent.call('desk/colleagues', {})).data.map(({ waiting }) => waiting)).toEqual([0, 0])
})

describe('internal notes', () => {
  test('[S15] nothing of the desk reaches the member: no event, text or count', async () => {
    const { agent, cs, member, room } = await server.family()
    await say(member, room, 'hello')
    await say(agent, room, 'one moment')
    const [toMember, toCs] = await Promise.all([member.socket(), cs.socket()])
    await toMember.emitWithAck('join', room)
    await toCs.emitWithAck('join', room)
    const seen = async () => ({
      list: await member.call('room/list', {}).then(({ data }) => data),
      room: await member.call('room/enter', { code: room }),
      sync: await member.call('room/sync', { code: room, version: 0 }),
      history: await member.call('room/history', { code: room }),
    })
    const before = await seen()
    const cursor = await settledCursor(member)
    const events: unknown[] = []
    toMember.onAny((...event) => events.push(event))
    const asides = nextDesk(toCs)

    const secret = `psst-${randomUUID()}`
    const whisper = await cs.call('desk/whisper', { code: room, content: secret })
    expect(await asides).toMatchObject({ code: room, asides: [{ content: secret, seq: 1, after_seq: 2 }] })
    await agent.call('desk/take', { code: room })
    await agent.call('desk/handOver', { code: room, to: cs.id })
    await cs.call('desk/settle', { code: room })
    await cs.call('room/changeStatus', { code: room, status: RoomStatus.hidden })
    await cs.call('room/changeStatus', { code: room, status: RoomStatus.shown })
    await cs.call('desk/markUnread', { code: room })
    await agent.call('desk/bulk', { deed: 'hide', codes: [room] })

    expect(await seen()).toEqual(before)
    expect((await member.call('room/list', { since: cursor })).data).toEqual([])
    // Neither seq nor version has a gap that would reveal it; only the next message arrives.
    const next = new Promise((resolve) => toMember.once('room', resolve))
    const sent = await say(cs, room, 'here I am')
    expect([sent.seq, sent.version]).toEqual([3, before.list[0]!.version + 1])
    expect(await next).toMatchObject({ since: before.list[0]?.version, version: sent.version })
    expect(events.map((event) => (event as string[])[0])).toEqual(['room'])
    expect(JSON.stringify([await seen(), events])).not.toContain(secret)
    expect(JSON.stringify([await seen(), events])).not.toContain(whisper.aside_id)
    for (const call of ['desk/whisper', 'desk/asides', 'desk/take', 'desk/colleagues'] as const)
      expect(await member.ask(call, { code: room, content: 'x', after: 0 } as never)).toBeRefusal('access.denied')
    expect((await agent.call('room/enter', { code: room })).room.message_content).toBe('here I am')
  })

  test('are among the messages of their page, once even when sent repeatedly', async () => {
    const { agent, cs, member, room } = await server.family()
    const whisper = (content: string, request_id: string = randomUUID()) =>
      cs.call('desk/whisper', { code: room, content, request_id })
    await whisper('before all')
    for (let n = 1; n <= 40; n++) await say(member, room, String(n))
    const id = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => whisper('at the end', id)))
    expect(new Set(answers.map(({ seq }) => seq))).toEqual(new Set([2]))
    const page = await agent.call('room/enter', { code: room })
    expect(page.asides.map(({ content }) => content)).toEqual(['at the end'])
    const older = await agent.call('room/history', { code: room, before: 11 })
    expect(older.asides.map(({ content, after_seq }) => [content, after_seq])).toEqual([['before all', 0]])
    expect((await agent.call('desk/asides', { code: room, after: 1 })).asides.map(({ seq }) => seq)).toEqual([2])
    for (const content of [' \n ', '\u3000'])
      expect(await cs.ask('desk/whisper', { code: room, content })).toMatchObject({ refusal: 'message.blank' })
  })
})

describe('desk/bulk', () => {
  test('hides all that match in bounded parts, and shows exactly those again', async () => {
    const { agent, codes, room, members } = await crowd(205)
    const filter = { status: RoomStatus.shown, text: 'nick' } as const
    const done: string[] = []
    let after: number | null = 0
    const sizes: number[] = []
    while (after !== null) {
      const part: { codes: string[]; next: number | null } = await agent.call('desk/bulk', {
        deed: 'hide',
        filter,
        after,
      })
      done.push(...part.codes)
      sizes.push(part.codes.length)
      after = part.next
    }
    expect(sizes).toEqual([200, 6])
    expect(new Set(done)).toEqual(new Set([room, ...codes]))
    expect((await agent.call('room/list', {})).data).toEqual([])
    // A hidden room with a new message is shown by itself, and undoing skips it.
    await say(members[0] as Person, codes[0] as string, 'me!')
    const undone = await agent.call('desk/bulk', { deed: 'show', codes: done.slice(0, 200) })
    expect(undone.codes.length).toBe(199)
    expect((await agent.call('room/list', {})).data.length).toBe(200)
  })

  test('marks unread rooms as read, visible to the partner, and as unread again for the caller', async () => {
    const { agent, cs, members, codes } = await crowd(3)
    for (const [n, member] of members.entries()) await say(member, codes[n] as string, 'hello')
    const input = {
      deed: 'read',
      filter: { status: RoomStatus.shown, unread: true },
      request_id: randomUUID(),
    } as const
    const done = await agent.call('desk/bulk', input)
    expect(new Set(done.codes)).toEqual(new Set(codes))
    expect(await agent.call('desk/bulk', input)).toEqual(done)
    expect((await rowOf(members[0] as Person, codes[0] as string)).other_read_seq).toBe(1)
    expect((await rowOf(cs, codes[0] as string)).message_read).toBe(0)
    expect((await agent.call('desk/bulk', { deed: 'read', filter: { status: RoomStatus.shown } })).codes).toEqual([])
    await agent.call('desk/bulk', { deed: 'unread', codes: done.codes })
    expect(await rowOf(agent, codes[0] as string)).toMatchObject({ message_read: 0, marked_unread: 1 })
  })

  test('[DESK-11] assigns free and own rooms, leaves those of colleagues, and marks rooms as done', async () => {
    const { agent, cs, members, codes } = await crowd(3)
    const [free, own, other] = codes as [string, string, string]
    const second = await server.person({ role: Role.customerService, under: agent })
    for (const [n, member] of members.entries()) await say(member, codes[n] as string, 'hello')
    await cs.call('desk/take', { code: own })
    await agent.call('desk/take', { code: other })
    const ownersOf = () => Promise.all(codes.map(async (code) => (await rowOf(agent, code)).owner_id))
    const assign = (by: Person, to: number) => by.call('desk/bulk', { deed: 'assign', to, codes })
    expect(new Set((await assign(cs, second.id)).codes)).toEqual(new Set([free, own]))
    expect(await ownersOf()).toEqual([second.id, second.id, agent.id])
    // The head of the group gives away any room.
    expect(new Set((await assign(agent, cs.id)).codes)).toEqual(new Set(codes))
    const { asides } = await agent.call('room/enter', { code: own })
    expect(asides.map(({ kind, user_username, target_id }) => [kind, user_username, target_id])).toEqual([
      ['taken', cs.username, null],
      ['handed', cs.username, second.id],
      ['handed', agent.username, cs.id],
    ])
    await say(cs, free, 'hi')
    const settle = { deed: 'settle', filter: { status: RoomStatus.shown, waiting: true } } as const
    expect(new Set((await cs.call('desk/bulk', settle)).codes)).toEqual(new Set([own, other]))
    expect((await rowOf(agent, own)).waiting_since).toBe(null)
    expect((await cs.call('desk/bulk', settle)).codes).toEqual([])
    const stranger = await server.family()
    for (const to of [stranger.cs.id, members[0]?.id, undefined])
      expect(await cs.ask('desk/bulk', { deed: 'assign', codes, ...(to ? { to } : {}) })).toBeRefusal(
        'room.not_a_colleague',
      )
  })

  test('[S4] changes no room of another group, whatever codes are given', async () => {
    const { agent, room } = await server.family()
    const stranger = await server.family()
    const to = stranger.cs.id
    for (const action of ['hide', 'read', 'unread', 'settle', 'assign'] as const)
      expect((await stranger.agent.call('desk/bulk', { deed: action, codes: [room], to })).codes).toEqual([])
    expect((await agent.call('room/list', {})).data.length).toBe(1)
  })
})
