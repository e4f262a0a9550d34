import { randomUUID } from 'node:crypto'
import { MessageType } from '@tallyroom/contract/codes'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { contents, text } from '../../testing/rooms.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const photo = async (width: number, height: number) => {
  const image = sharp({ create: { width, height, channels: 3, background: '#336699' } })
  const body = await image
    .withExif({ IFD0: { Copyright: 'where I live' } })
    .jpeg()
    .toBuffer()
  return `data:image/jpeg;base64,${body.toString('base64')}`
}

describe('sendMessage', () => {
  test('[ROOM-12] a message sent twice is stored once, however it is retried', async () => {
    const { agent, room } = await server.family()
    const input = text(room, 'once')
    const replies = await Promise.all(Array.from({ length: 5 }, () => agent.ask('sendMessage', input)))
    replies.push(await agent.ask('sendMessage', input))
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(contents((await agent.call('room/enter', { code: room })).messages)).toEqual(['once'])
    expect(await agent.ask('sendMessage', { ...input, content: 'other' })).toMatchObject({
      refusal: 'request.id_reused',
    })
  })

  test('[ROOM-12] many at once get one order without gaps', async () => {
    const { agent, cs, member, room } = await server.family()
    const people = [agent, cs, member]
    const writers = [cs, member]
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => (writers[n % 2] as Person).call('sendMessage', text(room, String(n)))),
    )
    const seen = await Promise.all(people.map((person) => person.call('room/history', { code: room, per_page: 100 })))
    for (const { messages } of seen) {
      expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
      expect(contents(messages)).toEqual(contents(seen[0]?.messages ?? []))
    }
  })

  test.each([0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, -1])('[S22] type %i is refused for clients', async (type) => {
    const { agent, room } = await server.family()
    expect(await agent.ask('sendMessage', { code: room, type, content: '100' })).toBeRefusal('message.type_not_allowed')
  })

  test.each([' ', '\n\t', '\u3000'])('[ROOM-06] blank text (%j) is not sent', async (content) => {
    const { agent, room } = await server.family()
    expect(await agent.ask('sendMessage', text(room, content))).toBeRefusal('message.blank')
  })

  test('[LIM-02] text is kept as it was typed', async () => {
    const { agent, member, room } = await server.family()
    const hostile = "<script>alert(1)</script> \u202Egnp.exe  👩‍👩‍👧 {nickname} %s \\ '; drop table messages;--"
    await agent.call('sendMessage', text(room, hostile))
    expect(contents((await member.call('room/enter', { code: room })).messages)).toEqual([hostile])
  })

  test('[ROOM-07] [S18] a photo is re-encoded without its metadata and shown to its room only', async () => {
    const { agent, cs, member, room } = await server.family()
    const stranger = await server.family()
    const input = { code: room, type: MessageType.image, content: await photo(300, 200), request_id: randomUUID() }
    const sent = await member.call('sendMessage', input)
    expect(sent).toMatchObject({ type: MessageType.image, width: 300, height: 200, is_self: true })
    expect((await member.call('sendMessage', input)).content).toBe(sent.content)
    const get = (person: Person) =>
      fetch(server.address + sent.content, { headers: { authorization: `Bearer ${person.token}` } })
    for (const person of [agent, cs, member]) expect((await get(person)).status).toBe(200)
    for (const person of [stranger.agent, stranger.member]) expect((await get(person)).status).toBe(404)
    const stored = Buffer.from(await (await get(agent)).arrayBuffer())
    expect(stored.includes('where I live')).toBe(false)
  })

  test.each([
    ['a text file', Buffer.from('just text')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a broken JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])],
  ])('[ROOM-07] %s named .jpg is refused', async (_, bytes) => {
    const { agent, room } = await server.family()
    const content = `data:image/jpeg;base64,${bytes.toString('base64')}`
    expect(await agent.ask('sendMessage', { code: room, type: MessageType.image, content })).toMatchObject({
      refusal: 'message.not_an_image',
      message: 'Please make sure the file is an image type.',
    })
  })
})
