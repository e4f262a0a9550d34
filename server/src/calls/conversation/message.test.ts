import { randomUUID } from 'node:crypto'
import type { Message, RoomChange } from '@tallyroom/contract/events'
import { EnvelopeType, MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { errors, OK } from '@tallyroom/contract'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { settledCursor } from '../../testing/rooms.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const say = (who: Person, code: string, content: string, more: { quote?: string; request_id?: string } = {}) =>
  who.call('sendMessage', { code, type: MessageType.text, content, request_id: randomUUID(), ...more })
const takeBack = (who: Person, code: string, { message_id }: { message_id: string }) =>
  who.ask('message/takeBack', { code, message_id, request_id: randomUUID() })
const photo = async () => {
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: '#336699' } })
  return `data:image/jpeg;base64,${(await image.jpeg().toBuffer()).toString('base64')}`
}
const byId = (messages: Message[], { message_id }: { message_id: string }) =>
  messages.find((message) => message.message_id === message_id)

describe('[CONV-09] a quote', () => {
  test('is a short form of the original, each side in its own view, in answer, event, history and difference', async () => {
    const { agent, cs, member, room } = await server.family()
    const long = `${'a long story '.repeat(20)}the end`
    const original = await say(member, room, long)
    const { room: before } = await member.call('room/enter', { code: room })
    const socket = await member.socket()
    const event = new Promise<RoomChange>((done) => socket.once('room', done))
    const answer = await say(cs, room, 'I am looking', { quote: original.message_id })
    const short = {
      message_id: original.message_id,
      seq: 1,
      type: MessageType.text,
      taken_back: 0,
      transaction_type: null,
      bot: 0,
    }
    expect(answer.quote).toEqual({
      ...short,
      content: `${long.slice(0, 119).trim()}…`,
      is_self: false,
      nickname: `Nick ${member.username}`,
    })
    const toMember = { ...answer.quote, is_self: true }
    expect(byId((await event).messages, answer)?.quote).toEqual(toMember)
    expect(byId((await member.call('room/history', { code: room })).messages, answer)?.quote).toEqual(toMember)
    const synced = await member.call('room/sync', { code: room, version: before.version })
    expect(byId(synced.messages, answer)?.quote).toEqual(toMember)
    expect(byId((await agent.call('room/enter', { code: room })).messages, answer)?.quote).toEqual(answer.quote)
    expect(original).not.toHaveProperty('quote')
  })

  test('[TEXT-02] neither a quote nor the list cuts a letter in two', async () => {
    const { cs, agent, member, room } = await server.family()
    const fitting = (before: string, letter: string, most: number) =>
      before.length + letter.length <= most ? `${before}${letter}yyyyyyyyy`.slice(0, most) : before.slice(0, most)
    for (const letter of ['🧧', '🇹🇼', '👨‍👩‍👧', '𠮷', 'e\u0302\u0303'])
      for (const length of [115, 116, 117, 118, 119, 120]) {
        const before = 'x'.repeat(length)
        const original = await say(member, room, `${before}${letter}yyyyyyyyy`)
        const { message_content } = (await agent.call('room/enter', { code: room })).room
        expect(message_content).toBe(fitting(before, letter, 120))
        const { quote } = await say(cs, room, 'yes', { quote: original.message_id })
        expect(quote?.content).toBe(`${fitting(before, letter, 119)}…`)
      }
  })

  test('of a photo, of points and of one’s own message', async () => {
    const { agent, member, room } = await server.family()
    const image = await member.call('sendMessage', { code: room, type: MessageType.image, content: await photo() })
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '12.5', code: room })
    const { messages } = await member.call('room/enter', { code: room })
    const card = messages.at(-1) as Message
    expect((await say(agent, room, 'nice', { quote: image.message_id })).quote).toMatchObject({
      type: MessageType.image,
      content: '',
    })
    expect((await say(member, room, 'thanks', { quote: card.message_id })).quote).toMatchObject({
      type: card.type,
      content: card.content,
      transaction_type: EnvelopeType.give,
      is_self: false,
    })
    const own = await say(member, room, 'one more thing', { quote: image.message_id })
    expect(own.quote).toMatchObject({ is_self: true })
    const withPhoto = { code: room, type: MessageType.image, content: await photo(), quote: card.message_id }
    expect((await member.call('sendMessage', withPhoto)).quote).toMatchObject({ seq: card.seq })
  })

  test('of another room, of nothing or of an internal note is refused by name, and nothing is sent', async () => {
    const { agent, member, room } = await server.family()
    const other = await server.family()
    const theirs = await say(other.member, other.room, 'ours')
    const sibling = await server.person({ role: Role.member, under: agent })
    const { code: siblings = '' } = (await sibling.call('room/list', {})).data[0] ?? {}
    const inSibling = await say(sibling, siblings, 'elsewhere')
    const { aside_id } = await agent.call('desk/whisper', { code: room, content: 'between us' })
    for (const quote of [theirs.message_id, inSibling.message_id, aside_id, randomUUID()])
      for (const who of [agent, member])
        expect(await who.ask('sendMessage', { code: room, type: MessageType.text, content: 'x', quote })).toMatchObject(
          {
            code: errors['message.quote_not_found'],
            refusal: 'message.quote_not_found',
            message: 'The message you are replying to is not in this conversation.',
          },
        )
    expect(
      await agent.ask('sendMessage', { code: room, type: MessageType.text, content: 'x', quote: 'no id' }),
    ).toBeRefusal('request.invalid')
    expect((await member.call('room/enter', { code: room })).messages).toEqual([])
  })

  test('[S35] masks its author’s name like everywhere else', async () => {
    const { agent, cs, member, room } = await server.family()
    await member.call('user/edit', { id: member.id, nickname: member.username })
    const original = await say(member, room, 'hello')
    await run(server.services.db, sql`update accounts set masks_usernames = 1 where id = ${agent.id}`)
    const answer = await say(cs, room, 'hi', { quote: original.message_id })
    expect(answer.quote?.nickname).toMatch(/\*\*\*/)
    expect(JSON.stringify(await agent.call('room/enter', { code: room }))).not.toContain(member.username)
  })

  test('[ROOM-12] sent twice is one message; another quote under the same id is refused', async () => {
    const { agent, member, room } = await server.family()
    const [first, second] = [await say(member, room, 'one'), await say(member, room, 'two')]
    const request_id = randomUUID()
    const sent = await say(agent, room, 'yes', { quote: first.message_id, request_id })
    expect(await say(agent, room, 'yes', { quote: first.message_id, request_id })).toEqual(sent)
    const other = { code: room, type: MessageType.text, content: 'yes', quote: second.message_id, request_id }
    expect((await agent.ask('sendMessage', other)).refusal).toBe('request.id_reused')
  })
})

describe('[CONV-10] taking a message back', () => {
  test('both sides get the event at once, and its words are in no list, history, difference, search or repeated answer', async () => {
    const { agent, cs, member, room } = await server.family()
    const secret = `Zq${randomUUID()}`
    const request_id = randomUUID()
    const sent = await say(member, room, secret, { request_id })
    const quoting = await say(cs, room, 'that?', { quote: sent.message_id, request_id: randomUUID() })
    const { room: known } = await agent.call('room/enter', { code: room })
    const sockets = await Promise.all([agent, cs, member].map((who) => who.socket()))
    const event = sockets.map((socket) => new Promise<RoomChange>((done) => socket.once('room', done)))
    expect((await takeBack(member, room, sent)).code).toBe(OK)
    const gone = { content: '', type: MessageType.text, taken_back: 1, width: null }
    for (const change of await Promise.all(event)) {
      expect(byId(change.messages, sent)).toMatchObject(gone)
      expect(byId(change.messages, quoting)?.quote).toMatchObject({ content: '', taken_back: 1 })
    }
    const answers: unknown[] = await Promise.all(
      [agent, cs, member].flatMap((who) => [
        who.call('room/enter', { code: room }),
        who.call('room/history', { code: room, around: 1 }),
        who.call('room/sync', { code: room, version: 0 }),
        who.call('room/sync', { code: room, version: known.version }),
        who.call('room/list', {}),
        who.ask('search/messages', { text: secret }),
      ]),
    )
    answers.push(await say(member, room, secret, { request_id }))
    expect(JSON.stringify(answers)).not.toContain(secret)
    expect(byId((await agent.call('room/sync', { code: room, version: known.version })).messages, sent)).toMatchObject(
      gone,
    )
    expect((await agent.call('search/messages', { text: secret })).data).toEqual([])
  })

  test('the list says so when it was the last message, and keeps the last one otherwise', async () => {
    const { agent, member, room } = await server.family()
    const first = await say(member, room, 'one')
    const second = await say(member, room, 'two')
    await takeBack(member, room, first)
    const list = async (who: Person) => (await who.call('room/list', {})).data[0]
    expect(await list(agent)).toMatchObject({ message_content: 'two', message_taken_back: 0 })
    const cursor = await settledCursor(agent)
    await takeBack(member, room, second)
    for (const who of [agent, member])
      expect(await list(who)).toMatchObject({ message_content: '', message_taken_back: 1 })
    const since = await agent.call('room/list', { since: cursor })
    expect(since.data).toMatchObject([{ code: room, message_taken_back: 1 }])
    await say(agent, room, 'three')
    expect(await list(agent)).toMatchObject({ message_content: 'three', message_taken_back: 0 })
  })

  test('a member who took back the only question is not waiting; the next question counts instead', async () => {
    const { cs, member, room } = await server.family()
    const waiting = async () => (await cs.call('room/list', {})).data[0]?.waiting_since
    const first = await say(member, room, 'one')
    const second = await say(member, room, 'two')
    expect(await waiting()).toBe(first.created_at)
    await takeBack(member, room, first)
    expect(await waiting()).toBe(second.created_at)
    await takeBack(member, room, second)
    expect(await waiting()).toBeNull()
    const third = await say(member, room, 'three')
    const own = await say(cs, room, 'yes?')
    expect(await waiting()).toBeNull()
    await takeBack(member, room, third)
    await takeBack(cs, room, own)
    expect(await waiting()).toBeNull()
  })

  test('a photo is no longer served, nor anything of its size', async () => {
    const { agent, member, room } = await server.family()
    const sent = await member.call('sendMessage', { code: room, type: MessageType.image, content: await photo() })
    const get = (who: Person) =>
      fetch(server.address + sent.content, { headers: { authorization: `Bearer ${who.token}` } })
    expect((await get(agent)).status).toBe(200)
    await takeBack(member, room, sent)
    for (const who of [agent, member]) expect((await get(who)).status).toBe(404)
    const { messages } = await agent.call('room/enter', { code: room })
    expect(messages).toMatchObject([{ type: MessageType.text, content: '', width: null, height: null, taken_back: 1 }])
    const original = await agent.call('message/original', { code: room, message_id: sent.message_id })
    expect(original).toMatchObject({ type: MessageType.image, width: 30, height: 20 })
    expect(original.content).toMatch(/^data:image\/jpeg;base64,/)
    expect((await get(agent)).status).toBe(404)
  })

  test('the head of the group reads the original, and the audit log says so; nobody else can', async () => {
    const { top, agent, cs, member, room } = await server.family()
    const stranger = await server.family()
    const sent = await say(cs, room, 'call me at home')
    const asked = { code: room, message_id: sent.message_id }
    expect((await agent.ask('message/original', asked)).refusal).toBe('message.not_found')
    await takeBack(cs, room, sent)
    for (const [who, code] of [
      [cs, 'access.denied'],
      [member, 'access.denied'],
      [top, 'room.not_found'],
      [stranger.agent, 'room.not_found'],
    ] as const)
      expect(outcomeOf(await who.ask('message/original', asked))).toBe(code)
    expect((await top.call('audit/list', { kind: 'original_read' })).data).toEqual([])
    const original = await agent.call('message/original', asked)
    expect(original).toMatchObject({ type: MessageType.text, content: 'call me at home' })
    const { data } = await top.call('audit/list', { kind: 'original_read' })
    expect(data).toMatchObject([
      {
        actor_username: agent.username,
        target_username: cs.username,
        facts: [{ field: 'room_id' }, { field: 'message_id' }],
      },
    ])
    const kept = await one<{ answers: string }>(
      server.services.db,
      sql`select string_agg(answer::text, ' ') as answers from requests where actor_id = ${agent.id}`,
    )
    expect(kept?.answers ?? '').not.toContain('call me at home')
  })

  test('too late, another’s, points, a line, twice and one that is not there are refused, each by its name', async () => {
    const { agent, cs, member, room } = await server.family()
    const sent = await say(cs, room, 'mine')
    const refused = async (who: Person, message: { message_id: string }) => (await takeBack(who, room, message)).refusal
    for (const who of [agent, member]) expect(await refused(who, sent)).toBe('message.not_yours')
    expect(await refused(cs, { message_id: randomUUID() })).toBe('message.not_found')
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1', code: room })
    const { messages } = await agent.call('room/enter', { code: room })
    expect(await refused(agent, messages.at(-1) as Message)).toBe('message.is_points')
    const age = (minutes: string) =>
      run(
        server.services.db,
        sql`update messages set created_at = clock_timestamp() - ${minutes}::interval where message_id = ${sent.message_id}`,
      )
    await age('10 minutes 1 second')
    expect(await takeBack(cs, room, sent)).toMatchObject({
      refusal: 'message.too_late',
      message: 'A message can be unsent within 10 minutes. This one is older.',
    })
    await age('9 minutes 50 seconds')
    expect((await takeBack(cs, room, sent)).code).toBe(OK)
    expect(await refused(cs, sent)).toBe('message.already_taken_back')
    const stranger = await server.family()
    expect((await takeBack(stranger.agent, room, sent)).refusal).toBe('room.not_found')
  })

  test('the same request again is answered the same and changes nothing', async () => {
    const { member, room } = await server.family()
    const { message_id } = await say(member, room, 'oops')
    const input = { code: room, message_id, request_id: randomUUID() }
    const replies = await Promise.all(Array.from({ length: 5 }, () => member.ask('message/takeBack', input)))
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(replies[0]?.code).toBe(OK)
    expect((await member.call('room/enter', { code: room })).room.version).toBe(2)
  })

  test('a message that was taken back is not quoted: a clear sentence, and the text can go without the quote', async () => {
    const { agent, member, room } = await server.family()
    const sent = await say(member, room, 'wrong room')
    await takeBack(member, room, sent)
    const letter = { code: room, type: MessageType.text, content: 'pardon?', request_id: randomUUID() }
    expect(await agent.ask('sendMessage', { ...letter, quote: sent.message_id })).toMatchObject({
      code: errors['message.quote_taken_back'],
      refusal: 'message.quote_taken_back',
      message: 'The message you are replying to was unsent. Your text is kept: send it without the quote.',
    })
    // Under the same id: nothing of the refused try was kept.
    expect((await agent.call('sendMessage', letter)).content).toBe('pardon?')
  })

  test('[CONV-09] what it quoted itself goes with it', async () => {
    const { agent, member, room } = await server.family()
    const first = await say(member, room, 'hello')
    const answer = await say(agent, room, 'hi', { quote: first.message_id })
    await takeBack(agent, room, answer)
    expect(byId((await member.call('room/enter', { code: room })).messages, answer)).not.toHaveProperty('quote')
  })
})
