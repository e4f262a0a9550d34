import { randomUUID } from 'node:crypto'
import { MessageType, Role, RoomStatus, TransferKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { botFamily, roomOf } from '../../testing/fakes/ai.ts'
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  // No bot answers here: these tests are about the states only.
  server = await startTestServer({ AI_ANSWERS: '0' })
})

const codes = async (who: Person, status: 1 | 2 | 3) =>
  (await who.call('room/list', { status })).data.map(({ code }) => code)
type Family = Awaited<ReturnType<typeof botFamily>>
const say = (who: Person, code: string, content = 'hi') =>
  who.ask('sendMessage', { code, type: MessageType.text, content })

describe('[CHAT-03] which rooms are AI', () => {
  test('rooms of new members once the head wants it; older rooms stay', async () => {
    const { agent, cs, code, oldRoom } = await botFamily(server)
    for (const who of [agent, cs])
      expect([await codes(who, RoomStatus.shown), await codes(who, RoomStatus.ai)]).toEqual([[oldRoom], [code]])
    expect((await agent.call('room/list', { status: RoomStatus.ai })).data).toMatchObject([
      { code, status: RoomStatus.ai, bot: 1 },
    ])
    await agent.call('ai/save', { ai_rooms: 0 })
    const later = await roomOf(await server.person({ role: Role.member, under: agent }))
    expect(await codes(agent, RoomStatus.ai)).toEqual([code])
    expect(await codes(agent, RoomStatus.shown)).toContain(later.code)
  })

  test('a room made by a sign-up too', async () => {
    const { agent } = await botFamily(server)
    const { share_code } = await agent.call('user/view', {})
    const made = {
      share_code,
      username: `s${randomUUID().slice(0, 8)}`,
      password: 'secret12',
      password_confirmation: 'secret12',
    }
    const sealed = server.wire.seal('member/signup', made)
    expect((await server.post('member/signup', sealed)).reply.code).toBe(OK)
    expect(await codes(agent, RoomStatus.ai)).toHaveLength(2)
  })

  test.each([
    ['enters it', ({ cs }: Family, id: number) => cs.call('room/enter', { friend_id: id })],
    ['gives it a name', ({ cs }: Family, id: number) => cs.call('friend/edit', { member_id: id, nickname: 'Ann' })],
    [
      'sends points there',
      ({ agent }: Family, id: number) =>
        agent.call('transaction/add', { member_id: id, type: TransferKind.send, amount: '1' }),
    ],
  ])('that of a member without a room, made by the first who %s', async (_, make) => {
    const family = await botFamily(server)
    const member = await server.person({ role: Role.member, under: family.agent })
    await run(server.services.db, sql`delete from rooms where partner_id = ${member.id}`)
    expect(await codes(member, RoomStatus.shown)).toEqual([])
    await make(family, member.id)
    const [code] = await codes(member, RoomStatus.shown)
    expect(await codes(family.agent, RoomStatus.ai)).toContain(code)
    expect(await codes(family.agent, RoomStatus.shown)).not.toContain(code)
  })

  test('not rooms between agents, where the bot never answers', async () => {
    const { agent, cs } = await botFamily(server)
    const below = await server.person({ role: Role.agent, under: agent })
    const { room } = await cs.call('room/enter', { friend_id: below.id })
    expect(room).toMatchObject({ status: RoomStatus.shown, bot: 0 })
    const under = await server.person({ role: Role.agent, under: agent })
    expect((await under.call('room/enter', { friend_id: agent.id })).room).toMatchObject({
      status: RoomStatus.shown,
      bot: 0,
    })
  })

  test('not without the ability from the upline; after it is taken away, new rooms start without the bot', async () => {
    const { top, agent } = await server.family()
    expect(await agent.call('ai/view', {})).toEqual({ allowed: 0, ai_rooms: 0, endpoint: 0, templates: 0 })
    expect(await agent.ask('ai/save', { ai_rooms: 1 })).toBeRefusal('access.denied')
    await top.call('user/saveAbilities', { id: agent.id, chat_ai_bot_visible: 1 })
    await agent.call('message-template/create', { title: 'Hours', content: 'From nine to five' })
    expect(await agent.call('ai/save', { ai_rooms: 1 })).toEqual({ allowed: 1, ai_rooms: 1, endpoint: 0, templates: 1 })
    await top.call('user/saveAbilities', { id: agent.id, chat_ai_bot_visible: 0 })
    await server.person({ role: Role.member, under: agent })
    expect(await codes(agent, RoomStatus.ai)).toEqual([])
  })

  test('the switch is in the audit log', async () => {
    const { top, agent } = await botFamily(server)
    const { data } = await top.call('audit/list', { kind: 'settings_changed', actor: agent.username })
    expect(data).toMatchObject([{ facts: [{ field: 'ai_rooms', before: '0', after: '1' }] }])
  })
})

describe('[ROOM-09] shown, hidden and AI', () => {
  // One action a line: the status before, who does what, how the call ends, and the status after.
  test.each([
    [RoomStatus.shown, 'the operator gives it to the bot', 'done', RoomStatus.ai],
    [RoomStatus.hidden, 'the operator gives it to the bot', 'done', RoomStatus.ai],
    [RoomStatus.ai, 'the operator gives it to the bot', 'room.in_ai_hands', RoomStatus.ai],
    [RoomStatus.shown, 'someone without the flag gives it', 'access.denied', RoomStatus.shown],
    [RoomStatus.shown, 'the operator recovers it', 'room.not_in_ai_hands', RoomStatus.shown],
    [RoomStatus.hidden, 'the operator recovers it', 'room.not_in_ai_hands', RoomStatus.hidden],
    [RoomStatus.ai, 'the operator recovers it', 'done', RoomStatus.shown],
    [RoomStatus.ai, 'someone without the flag recovers it', 'done', RoomStatus.shown],
    [RoomStatus.ai, 'the operator hides it', 'room.in_ai_hands', RoomStatus.ai],
    [RoomStatus.ai, 'the operator shows it', 'room.in_ai_hands', RoomStatus.ai],
    [RoomStatus.ai, 'the operator writes', 'room.in_ai_hands', RoomStatus.ai],
    [RoomStatus.ai, 'the member writes', 'done', RoomStatus.ai],
    [RoomStatus.hidden, 'the member writes', 'done', RoomStatus.shown],
    [RoomStatus.shown, 'the member writes', 'done', RoomStatus.shown],
    [RoomStatus.shown, 'the member recovers it', 'access.denied', RoomStatus.shown],
    [RoomStatus.shown, 'the member gives it to the bot', 'access.denied', RoomStatus.shown],
    [RoomStatus.ai, 'a stranger recovers it', 'room.not_found', RoomStatus.ai],
    [RoomStatus.shown, 'a stranger gives it to the bot', 'room.not_found', RoomStatus.shown],
  ] as const)('%i, %s: %s, then %i', async (status, action, answer, after) => {
    const { top, agent, cs, member, code, room_id } = await botFamily(server)
    const stranger = await botFamily(server)
    if (action.includes('without')) await top.call('user/saveAbilities', { id: cs.id, chat_ai_bot_visible: 0 })
    await run(server.services.db, sql`update rooms set status = ${status} where code = ${code}`)
    const actions: Record<string, () => Promise<Reply>> = {
      'the operator gives it to the bot': () => agent.ask('room/giveToBot', { room_id }),
      'someone without the flag gives it': () => cs.ask('room/giveToBot', { room_id }),
      'the operator recovers it': () => agent.ask('room/recover', { room_id }),
      'someone without the flag recovers it': () => cs.ask('room/recover', { room_id }),
      'the operator hides it': () => agent.ask('room/changeStatus', { code, status: RoomStatus.hidden }),
      'the operator shows it': () => agent.ask('room/changeStatus', { code, status: RoomStatus.shown }),
      'the operator writes': () => say(agent, code),
      'the member writes': () => say(member, code),
      'the member recovers it': () => member.ask('room/recover', { room_id }),
      'the member gives it to the bot': () => member.ask('room/giveToBot', { room_id }),
      'a stranger recovers it': () => stranger.agent.ask('room/recover', { room_id }),
      'a stranger gives it to the bot': () => stranger.agent.ask('room/giveToBot', { room_id }),
    }
    expect(outcomeOf(await (actions[action] as () => Promise<Reply>)())).toBe(answer)
    expect((await agent.call('room/enter', { code })).room.status).toBe(after)
  })

  test('of ten who recover a room at once one succeeds; repeating its request changes nothing', async () => {
    const { agent, cs, code, room_id } = await botFamily(server)
    const request_id = randomUUID()
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => cs.ask('room/recover', { room_id })),
      ...Array.from({ length: 5 }, () => agent.ask('room/recover', { room_id, request_id })),
    ])
    const { messages } = await agent.call('room/enter', { code })
    expect(messages.map(({ type, content }) => [type, content])).toEqual([[12, 'took_over']])
    const done = replies.filter((reply) => reply.code === OK).length
    expect([1, 5]).toContain(done)
    expect(replies.filter((reply) => reply.refusal === 'room.not_in_ai_hands')).toHaveLength(10 - done)
  })

  test('the group reads who took over, live; the member only that people answer', async () => {
    const { agent, cs, member, code, room_id } = await botFamily(server)
    const sockets = await Promise.all([agent, member].map((who) => who.socket()))
    const events = sockets.map((socket) => new Promise((resolve) => socket.once('room', resolve)))
    await cs.call('room/recover', { room_id })
    const [office, partner] = (await Promise.all(events)) as unknown[]
    expect(office).toMatchObject({
      room: { status: RoomStatus.shown, bot: 0 },
      messages: [
        { type: MessageType.event, content: 'took_over', user_username: cs.username, nickname: `Nick ${cs.username}` },
      ],
    })
    expect(partner).toMatchObject({
      room: { bot: 0 },
      messages: [{ content: 'people_answer', nickname: '', user_username: '' }],
    })
    expect(JSON.stringify(partner)).not.toContain(cs.username)
    await cs.call('room/giveToBot', { room_id })
    expect((await member.call('room/enter', { code })).messages.map(({ content }) => content)).toEqual([
      'people_answer',
      'bot_answers',
    ])
  })

  test('an event line is no message: the list keeps showing the last message', async () => {
    const { agent, member, code, room_id } = await botFamily(server)
    await member.call('sendMessage', { code, type: MessageType.text, content: 'is it there?' })
    await agent.call('room/recover', { room_id })
    expect((await agent.call('room/list', {})).data.find((room) => room.code === code)).toMatchObject({
      message_type: MessageType.text,
      message_content: 'is it there?',
      last_seq: 2,
    })
  })
})
