import { randomUUID } from 'node:crypto'
import type { Draft } from '@tallyroom/contract/events'
import { MessageType } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

test('a draft belongs to its writer, on all devices; the last write wins', async () => {
  const { agent, cs, member, room } = await server.family()
  const [device, colleague, other] = await Promise.all([agent, cs, member].map((person) => person.socket()))
  const received: unknown[] = []
  device?.on('draft', (draft) => received.push(draft))
  // Who of the group is there is said at any time.
  for (const socket of [colleague, other])
    socket?.onAny((event) => event === 'colleagues' || expect.fail(`${String(event)} was sent to another account`))
  for (const socket of [colleague, other]) await socket?.emitWithAck('join', room)

  const request_id = randomUUID()
  expect(await agent.call('draft/save', { code: room, content: 'Dear A', request_id })).toEqual({
    version: 1,
    kept: true,
  })
  expect(await agent.call('draft/save', { code: room, content: 'Dear A', request_id })).toEqual({
    version: 1,
    kept: true,
  })
  expect(await agent.call('draft/save', { code: room, content: 'Dear Ann' })).toEqual({ version: 2, kept: true })
  expect((await agent.call('draft/list', {})).data).toEqual([
    { code: room, inside: false, content: 'Dear Ann', version: 2 },
  ])
  for (const person of [cs, member]) expect((await person.call('draft/list', {})).data).toEqual([])
  await device?.emitWithAck('leave', room)
  expect(received).toEqual([
    { code: room, inside: false, content: 'Dear A', version: 1 },
    { code: room, inside: false, content: 'Dear Ann', version: 2 },
  ])
  // An empty draft is sent too, so that a device that was offline empties its own.
  await agent.call('draft/save', { code: room, content: '' })
  expect((await agent.call('draft/list', {})).data).toEqual([{ code: room, inside: false, content: '', version: 3 }])
  for (const socket of [colleague, other]) await socket?.emitWithAck('leave', room)
})

test('[S4] nobody saves a draft in a room of others, and none is longer than allowed', async () => {
  const { agent, member, room } = await server.family()
  const stranger = await server.family()
  for (const person of [stranger.agent, stranger.cs, stranger.member])
    for (const inside of [false, true])
      expect(await person.ask('draft/save', { code: room, inside, content: 'x' })).toBeRefusal('room.not_found')
  // The partner has no drafts of internal notes.
  expect(await member.ask('draft/save', { code: room, inside: true, content: 'x' })).toBeRefusal('room.not_found')
  expect(await agent.ask('draft/save', { code: room, content: 'x'.repeat(20_001) })).toBeRefusal('request.invalid')
})

const typed = async (person: Person) => (await person.call('draft/list', {})).data.map(({ content }) => content)

test('a message empties its draft, once, and nothing that was typed later', async () => {
  const { agent, cs, room } = await server.family()
  const device = await agent.socket()
  const received: Draft[] = []
  device.on('draft', (draft) => received.push(draft))
  await device.emitWithAck('join', room)
  await cs.call('draft/save', { code: room, content: 'of another' })
  await agent.call('draft/save', { code: room, inside: true, content: 'for colleagues' })
  await agent.call('draft/save', { code: room, content: 'Dear A' })

  const request_id = randomUUID()
  const send = (draft: number, id = randomUUID()) =>
    agent.call('sendMessage', { code: room, type: MessageType.text, content: 'Dear Ann', draft, request_id: id })
  await send(1, request_id)
  expect((await typed(agent)).toSorted()).toEqual(['', 'for colleagues'])
  // A save that was on its way at the time of sending is dropped; a later text is not emptied by a retry.
  expect(await agent.call('draft/save', { code: room, content: 'Dear An', upon: 1 })).toEqual({
    version: 2,
    kept: false,
  })
  expect(await agent.call('draft/save', { code: room, content: 'P.S.', upon: 2 })).toEqual({ version: 3, kept: true })
  await send(1, request_id)
  await send(2)
  expect((await typed(agent)).toSorted()).toEqual(['P.S.', 'for colleagues'])
  expect(await typed(cs)).toEqual(['of another'])

  await agent.call('desk/whisper', { code: room, content: 'for colleagues', draft: 1 })
  expect((await typed(agent)).toSorted()).toEqual(['', 'P.S.'])
  await device.emitWithAck('leave', room)
  expect(received.map(({ inside, content, version }) => [inside, content, version])).toEqual([
    [true, 'for colleagues', 1],
    [false, 'Dear A', 1],
    [false, '', 2],
    [false, 'P.S.', 3],
    [true, '', 2],
  ])
})

test('a message that overtakes the save empties the draft before it is saved; a refused message leaves it', async () => {
  const { agent, cs, room } = await server.family()
  await agent.call('sendMessage', { code: room, type: MessageType.text, content: 'Hello', draft: 1 })
  expect(await agent.call('draft/save', { code: room, content: 'Hell', upon: 0 })).toEqual({ version: 1, kept: false })
  await agent.call('desk/take', { code: room })
  await cs.call('draft/save', { code: room, content: 'Wait' })
  expect(await cs.ask('sendMessage', { code: room, type: MessageType.text, content: 'Wait', draft: 1 })).toBeRefusal(
    'room.held',
  )
  expect(await typed(cs)).toEqual(['Wait'])
})

test('many messages sent at once each empty their own draft', async () => {
  const { agent, cs, member, room } = await server.family()
  for (const person of [agent, cs, member]) await person.call('draft/save', { code: room, content: 'typed' })
  const send = (person: Person, n: number) =>
    person.call('sendMessage', { code: room, type: MessageType.text, content: `${n}`, draft: 1 })
  // The agent only reads: the conversation is that of the colleague who answers.
  await Promise.all([cs, member].flatMap((person) => [1, 2, 3, 4, 5].map((n) => send(person, n))))
  for (const person of [cs, member]) expect(await typed(person)).toEqual([''])
  expect(await typed(agent)).toEqual(['typed'])
})
