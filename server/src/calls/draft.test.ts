import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type TestHouse, testHouse } from '../testing/app.ts'

let house: TestHouse
beforeAll(async () => {
  house = await testHouse()
})

test('a draft is its writer’s own, on all devices; the last one to write wins', async () => {
  const { agent, cs, member, room } = await house.family()
  const [device, colleague, other] = await Promise.all([agent, cs, member].map((person) => person.socket()))
  const heard: unknown[] = []
  device?.on('draft', (draft) => heard.push(draft))
  for (const socket of [colleague, other])
    socket?.onAny((event) => expect.fail(`${String(event)} was told to somebody else`))
  for (const socket of [colleague, other]) await socket?.emitWithAck('join', room)

  const request_id = randomUUID()
  expect(await agent.call('draft/save', { code: room, content: 'Dear A', request_id })).toEqual({ version: 1 })
  expect(await agent.call('draft/save', { code: room, content: 'Dear A', request_id })).toEqual({ version: 1 })
  expect(await agent.call('draft/save', { code: room, content: 'Dear Ann' })).toEqual({ version: 2 })
  expect((await agent.call('draft/list', {})).data).toEqual([{ code: room, content: 'Dear Ann', version: 2 }])
  for (const person of [cs, member]) expect((await person.call('draft/list', {})).data).toEqual([])
  await device?.emitWithAck('leave', room)
  expect(heard).toEqual([
    { code: room, content: 'Dear A', version: 1 },
    { code: room, content: 'Dear Ann', version: 2 },
  ])
  // Emptied it is still told, so that a device that was away empties its own.
  await agent.call('draft/save', { code: room, content: '' })
  expect((await agent.call('draft/list', {})).data).toEqual([{ code: room, content: '', version: 3 }])
  for (const socket of [colleague, other]) await socket?.emitWithAck('leave', room)
})

test('[S4] nobody leaves a draft in a room of others, and none is longer than the server takes', async () => {
  const { agent, room } = await house.family()
  const stranger = await house.family()
  for (const person of [stranger.agent, stranger.cs, stranger.member])
    expect((await person.ask('draft/save', { code: room, content: 'x' })).code).toBe(1404)
  expect((await agent.ask('draft/save', { code: room, content: 'x'.repeat(20_001) })).code).toBe(1400)
})
