import { randomUUID } from 'node:crypto'
import { OK } from '@tallyroom/contract'
import type { RoomChange } from '@tallyroom/contract/events'
import { MessageType } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'
import { text } from '../../testing/rooms.ts'

// Input that nobody should send: refused with clear words, nothing is lost, and nobody else notices.

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const invisible = {
  'a space': ' ',
  'line breaks': '\n\t\r',
  'a Chinese space': '\u3000',
  'zero-width spaces': '\u200B\u200C\u200D\uFEFF',
  'marks of direction': '\u200E\u200F\u202E\u202C\u2067\u2069',
  'a Hangul filler': '\u3164',
  'an empty Braille sign': '\u2800',
  'a variation selector and a tag': '\uFE0F\u{E0020}',
  'control characters': '\u0007\u001B',
}
const kept = {
  'script in tags': '<script>alert(1)</script><img src=x onerror=alert(2)>',
  'what other programs run': "'; drop table messages;-- {{7*7}} ${7*7} %s %n \\ {nickname} =HYPERLINK(1)",
  'marks that turn the direction': '\u202Egnp.exe\u202C \u2067abc\u2069 \u200Fשלום\u200E',
  'a family, a flag and a tone': '👩‍👩‍👧‍👦🏳️‍🌈🏴󠁧󠁢󠁥󠁮󠁧󠁿👍🏽1️⃣',
  'zero-width joiners of scripts': 'क्‍ष ശ്രീ‌ a\u200Bb\uFEFFc',
  'half of a pair': 'before \uD83D after',
  'letters under heaps of marks': `Z${'\u0353\u036F'.repeat(40)}algo`,
  'a text of 5,000 letters': '長'.repeat(5000),
}
const written = async (person: Person, code: string) =>
  (await person.call('room/history', { code, per_page: 100 })).messages.map(({ content }) => content)

describe('[ROOM-06] invisible text is refused with words, and nothing is stored', () => {
  test.each(Object.entries(invisible))('%s', async (_, content) => {
    const { agent, member, room } = await server.family()
    for (const person of [agent, member]) {
      const { refusal, message } = await person.ask('sendMessage', text(room, content))
      expect([refusal, message]).toEqual(['message.blank', expect.stringMatching(/\S/)])
    }
    expect(outcomeOf(await agent.ask('desk/whisper', { code: room, content }))).toBe('message.blank')
    expect(await written(member, room)).toEqual([])
  })
})

describe('[ROOM-06] [S16] unusual text is kept exactly, live, loaded and in notes', () => {
  test.each(Object.entries(kept))('%s', async (_, content) => {
    const { agent, cs, member, room } = await server.family()
    const socket = await cs.socket()
    const event = new Promise<RoomChange>((resolve) => socket.once('room', resolve))
    await socket.emitWithAck('join', room)
    // Half surrogate pairs cannot be in JSON: they arrive as U+FFFD.
    const readable = content.replace(/\p{Surrogate}/gu, '\uFFFD')
    const sent = await member.call('sendMessage', text(room, content))
    expect([sent.content, (await event).messages[0]?.content]).toEqual([readable, readable])
    await agent.call('desk/whisper', { code: room, content })
    const { messages, asides, room: summary } = await agent.call('room/enter', { code: room })
    expect([messages[0]?.content, asides[0]?.content]).toEqual([readable, readable])
    expect(readable.startsWith(summary.message_content)).toBe(true)
    await agent.call('draft/save', { code: room, content })
    expect((await agent.call('draft/list', {})).data[0]?.content).toBe(readable)
  })
})

describe('[LIM-02] [ROOM-07] too large, or not what it claims to be', () => {
  test('100 KB of text: refused with words everywhere, and the conversation goes on', async () => {
    const { agent, member, room } = await server.family()
    const content = 'x'.repeat(100_000)
    const tries = [
      agent.ask('sendMessage', text(room, content)),
      member.ask('sendMessage', text(room, content)),
      agent.ask('desk/whisper', { code: room, content }),
      agent.ask('draft/save', { code: room, content }),
      agent.ask('search/messages', { text: content }),
      agent.ask('room/enter', { code: content }),
    ]
    for (const { refusal, message } of await Promise.all(tries))
      expect([refusal, message]).toEqual(['request.invalid', expect.stringMatching(/\S/)])
    await member.call('sendMessage', text(room, 'short'))
    expect(await written(agent, room)).toEqual(['short'])
  })

  test('a 40 MB photo is refused with 413 and words; others do not notice', async () => {
    const { agent, member, room } = await server.family()
    const body = JSON.stringify({ params: 'A'.repeat(40_000_000), key: '0'.repeat(32) })
    const huge = server.post('sendMessage', body, { authorization: `Bearer ${member.token}` }).then(
      ({ status, reply }) => [status, outcomeOf(reply), reply.message],
      // The server may close the connection before the whole body has arrived.
      (error: Error) => [413, 'request.too_large', error.message],
    )
    await agent.call('sendMessage', text(room, 'meanwhile'))
    expect(await huge).toEqual([413, 'request.too_large', expect.stringMatching(/\S/)])
    expect(await written(member, room)).toEqual(['meanwhile'])
  })

  test.each([
    ['a text named .jpg', 'image/jpeg', Buffer.from('only text, whatever it is called')],
    ['a page', 'image/png', Buffer.from('<html><script>alert(1)</script></html>')],
    [
      'a drawing that runs',
      'image/svg+xml',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    ],
    ['the beginning of a PNG', 'image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['nothing', 'image/png', Buffer.alloc(0)],
  ])('[S18] %s instead of a photo: refused with words, nothing stored', async (_, type, bytes) => {
    const { member, room } = await server.family()
    const count = () => one<{ n: number }>(server.services.db, sql`select count(*)::int as n from media`)
    const before = await count()
    const content = `data:${type};base64,${bytes.toString('base64')}`
    const { refusal, message } = await member.ask('sendMessage', { code: room, type: MessageType.image, content })
    expect([refusal, message]).toEqual(['message.not_an_image', expect.stringMatching(/\S/)])
    expect([await count(), await written(member, room)]).toEqual([before, []])
  })
})

describe('[ROOM-10] [ROOM-01] rooms and people that the caller may not see', () => {
  test('a room code of another group: as if it did not exist, and nothing reaches it', async () => {
    const [ours, theirs] = [await server.family(), await server.family()]
    const absent = await ours.agent.ask('sendMessage', text(randomUUID(), 'x'))
    for (const name of ['sendMessage', 'desk/whisper'] as const)
      expect(await ours.agent.ask(name, text(theirs.room, 'x'))).toEqual(absent)
    expect(await ours.agent.ask('draft/save', { code: theirs.room, content: 'x' })).toEqual(absent)
    expect(await ours.agent.ask('room/enter', { code: theirs.room })).toEqual(absent)
    expect(await written(theirs.member, theirs.room)).toEqual([])
  })

  test.each([0, -1, 1.5, 999_999_999, '2147483648', 'undefined', 'NaN', '1; drop table rooms', '１２'])(
    'an invalid friend_id (%j)',
    async (friend_id) => {
      const { agent } = await server.family()
      const { refusal, message, data } = await agent.ask('room/enter', { friend_id } as never)
      expect(['request.invalid', 'room.not_found']).toContain(refusal)
      expect(message).toMatch(/\S/)
      expect(data === null || Object.keys(data as object).join() === 'field').toBe(true)
    },
  )

  test('an account of another branch, oneself, a colleague: no room is made', async () => {
    const [ours, theirs] = [await server.family(), await server.family()]
    const rooms = () => one<{ n: number }>(server.services.db, sql`select count(*)::int as n from rooms`)
    const before = await rooms()
    for (const { id } of [theirs.member, theirs.agent, theirs.cs, ours.agent, ours.cs])
      expect(await ours.agent.ask('room/enter', { friend_id: id })).toBeRefusal('room.not_found')
    expect(await rooms()).toEqual(before)
  })
})

test('[AUTH-14] a member frozen during a conversation gets the reason, is disconnected at once, and its messages stay', async () => {
  const { agent, cs, member, room } = await server.family()
  const socket = await member.socket()
  const ended = new Promise((resolve) => socket.once('ended', resolve))
  const gone = new Promise((resolve) => socket.once('disconnect', resolve))
  await member.call('sendMessage', text(room, 'before'))
  const [frozen, racing] = await Promise.all([
    agent.ask('user/delete', { id: member.id }),
    Promise.all(Array.from({ length: 10 }, (_, n) => member.ask('sendMessage', text(room, `racing ${n}`)))),
  ])
  expect(frozen.code).toBe(OK)
  expect(await ended).toEqual({ reason: 'frozen' })
  await gone
  expect(await member.ask('sendMessage', text(room, 'after'))).toMatchObject({
    refusal: 'session.dead',
    data: { reason: 'frozen' },
  })
  // Exactly the messages that were answered are stored.
  const answered = racing.flatMap(({ code }, n) => (code === OK ? [`racing ${n}`] : []))
  expect((await written(cs, room)).toSorted()).toEqual(['before', ...answered].toSorted())
  await cs.call('sendMessage', text(room, 'you will read this later'))
})

test('[S14] a socket that floods is disconnected; conversations of others go on', async () => {
  const { agent, cs, member, room } = await server.family()
  const [flooding, listening] = await Promise.all([member.socket(), cs.socket()])
  const received: string[] = []
  listening.on('room', ({ messages }) => received.push(...messages.map(({ content }) => content)))
  await listening.emitWithAck('join', room)
  const gone = new Promise((resolve) => flooding.once('disconnect', resolve))
  for (let n = 0; n < 3000; n++) flooding.emit('typing', room, false)
  const sent = Array.from({ length: 5 }, (_, n) => `still here ${n}`)
  for (const content of sent) await agent.call('sendMessage', text(room, content))
  expect(await gone).toBe('io server disconnect')
  await listening.emitWithAck('leave', room)
  expect(received).toEqual(sent)
  // It can reconnect and has missed nothing.
  await (await member.socket()).emitWithAck('join', room)
  expect(await written(member, room)).toEqual(sent)
})
