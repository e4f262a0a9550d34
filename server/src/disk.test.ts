import { randomUUID } from 'node:crypto'
import { errors } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { PASSWORD, testHouse } from './testing/app.ts'
import { bare } from './testing/sign-in.ts'

test('[R5] on a full disk every write is refused for sure, reads and signing in go on, and with room the same write is done once', async () => {
  const house = await testHouse()
  const { agent, member, room } = await house.family()
  let isFull = true
  house.house.disk = { isFull: () => isFull, stop: () => {} }
  const write = { code: room, type: 1 as const, content: 'kept', request_id: randomUUID() }
  const give = { id: member.id, amount: '5', remark: 'full', request_id: randomUUID() }
  const all = async () => [
    (await agent.ask('sendMessage', write)).code,
    (await agent.ask('user/transaction', give)).code,
  ]
  expect(await all()).toEqual([errors['server.full'], errors['server.full']])
  expect((await agent.ask('room/history', { code: room })).code).toBe(1000)
  expect((await agent.ask('room/list', {})).code).toBe(1000)
  expect((await bare(house)('login', { username: agent.username, password: PASSWORD })).code).toBe(1000)
  expect(await (await fetch(`${house.address}/readyz`)).json()).toEqual({ ok: true, disk: 'full' })
  isFull = false
  expect(await all()).toEqual([1000, 1000])
  expect(await all()).toEqual([1000, 1000])
  const { messages } = await member.call('room/history', { code: room })
  expect(messages.filter(({ content }) => content === 'kept')).toHaveLength(1)
  expect((await member.call('user/view', {})).balance).toBe('5.0000')
  expect(await (await fetch(`${house.address}/readyz`)).json()).toEqual({ ok: true })
})
