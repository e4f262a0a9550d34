import { randomUUID } from 'node:crypto'
import { errors, OK } from '@tallyroom/contract'
import { io } from 'socket.io-client'
import { expect, test } from 'vitest'
import { platform } from '../../server/src/testing/platform.ts'
import { serverBehindProxy, expectNothingLost, runWithFaults } from '../support/cuts.ts'

test('[R8] connections to clients and database are cut and stalled: nothing is lost or doubled, and work goes on', async () => {
  const briefly = (['clients', 'database'] as const).flatMap((where) =>
    (['cut', 'stall'] as const).map((how) => ({ where, how, ms: 100 })),
  )
  expectNothingLost(await runWithFaults(briefly, { timeoutMs: 2000 }))
}, 120_000)

test('[R8] a database connection ends without notice: the server repeats the query on another one', async () => {
  expectNothingLost(await runWithFaults([{ where: 'database', how: 'lose', ms: 0 }], { timeoutMs: 2000 }))
}, 120_000)

test('[R1] [R8] a commit whose answer was lost is reported as unsure, and has one effect when the request is repeated', async () => {
  const { proxy, server } = await serverBehindProxy()
  const { top, agent, member, room } = await server.family()
  const api = await platform(server, top)
  const balance = async () => (await agent.call('member/view', { member_id: member.id })).balance
  const asAgent = { authorization: `Bearer ${agent.token}` }
  const askOf = (name: 'user/transaction' | 'sendMessage', input: never) => () =>
    server.post(name, server.wire.seal(name, input), asAgent)
  const lost = { id: member.id, amount: '1', remark: 'lost', request_id: randomUUID() }
  const message = { code: room, type: 1, content: 'lost', request_id: randomUUID() }
  const made = { username: `lost${member.id}`, request_id: randomUUID() }

  // The listeners got no event, so they are disconnected and catch up.
  const listening = io(server.address, { path: '/socket', auth: { token: member.token }, reconnectionDelay: 10 })
  const comesBack = () => new Promise((resolve) => listening.once('connect', () => resolve(true)))
  await comesBack()

  for (const [id, ask] of [
    [lost.request_id, askOf('user/transaction', lost as never)],
    [message.request_id, askOf('sendMessage', message as never)],
    [made.request_id, () => api.post('member/add', made)],
  ] as const) {
    proxy.loseAnswerTo(id)
    const back = comesBack()
    expect(await ask()).toMatchObject({ status: 504, reply: { code: errors['server.unsure'], data: null } })
    expect(await back).toBe(true)
    const again = await ask()
    expect(again).toMatchObject({ status: 200, reply: { code: OK } })
    expect((await ask()).reply).toEqual(again.reply)
  }
  expect(await balance()).toBe('1.0000')
  const { messages } = await agent.call('room/enter', { code: room })
  expect(messages.filter(({ content }) => content === 'lost')).toHaveLength(1)

  // All requests in the same commit get the same answer.
  const ids = Array.from({ length: 20 }, () => randomUUID())
  proxy.loseAnswerTo(ids.at(-1) ?? '')
  const each = () =>
    Promise.all(ids.map((request_id) => agent.ask('user/transaction', { ...lost, remark: 'many', request_id })))
  const unsure = (await each()).filter(({ code }) => code !== OK)
  expect(new Set(unsure.map(({ code }) => code))).toEqual(new Set([errors['server.unsure']]))
  expect(new Set((await each()).map(({ code }) => code))).toEqual(new Set([OK]))
  expect(await balance()).toBe('21.0000')
  listening.close()
  await server.close()
  await proxy.close()
}, 60_000)
