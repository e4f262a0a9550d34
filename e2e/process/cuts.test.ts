import { randomUUID } from 'node:crypto'
import { errors, OK } from '@tallyroom/contract'
import { MessageType } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { DatabaseAway } from '../../server/src/data/faults.ts'
import { connect, many, sql } from '../../server/src/data/sql.ts'
import { platform } from '../../server/src/testing/fakes/platform.ts'
import { databaseProxy, expectNothingLost, runWithFaults, serverBehindProxy } from '../support/faults/cuts.ts'

test('[R8] connections to clients and database are cut and stalled: nothing is lost or doubled, and work goes on', async () => {
  const briefly = (['clients', 'database'] as const).flatMap((where) =>
    (['cut', 'stall'] as const).map((how) => ({ where, how, ms: 100 })),
  )
  expectNothingLost(await runWithFaults(briefly, { timeoutMs: 2000 }))
}, 120_000)

test('[R8] a database connection ends without notice: the server repeats the query on another one', async () => {
  expectNothingLost(await runWithFaults([{ where: 'database', how: 'lose', ms: 0 }], { timeoutMs: 2000 }))
}, 120_000)

test('[R8] a connection that is lost before its first answer holds up nobody for ever', async () => {
  const { proxy, config } = await databaseProxy()
  const db = connect(config)
  proxy.loseNext()
  await expect(many(db, sql`select 1 as n`)).rejects.toThrow(DatabaseAway)
  expect(await many(db, sql`select 1 as n`)).toEqual([{ n: 1 }])
  await db.end()
  await proxy.close()
}, 30_000)

test('[R1] [R8] a commit whose answer was lost is reported as unsure, and has one effect when the request is repeated', async () => {
  const { proxy, server } = await serverBehindProxy()
  const { top, agent, member, room } = await server.family()
  const api = await platform(server, top)
  const balance = async () => (await agent.call('member/view', { member_id: member.id })).balance
  const asAgent = { authorization: `Bearer ${agent.token}` }
  const askOf = (name: 'user/transaction' | 'sendMessage', input: never) => () =>
    server.post(name, server.wire.seal(name, input), asAgent)
  const lost = { id: member.id, amount: '1', remark: 'lost', request_id: randomUUID() }
  const message = { code: room, type: MessageType.text, content: 'lost', request_id: randomUUID() }
  const made = { username: `lost${member.id}`, request_id: randomUUID() }

  // Nobody knows whether it happened. Pages that it concerns look; none is disconnected.
  const listening = await member.socket()
  const cuts: string[] = []
  listening.on('disconnect', (reason) => cuts.push(reason))
  const hears = (event: 'account' | 'room') =>
    new Promise<unknown>((resolve) => listening.once(event, (said: unknown) => resolve(said)))

  for (const [id, ask, event, expected] of [
    [lost.request_id, askOf('user/transaction', lost as never), 'account', { account_id: member.id }],
    [message.request_id, askOf('sendMessage', message as never), 'room', { code: room, messages: [] }],
    [made.request_id, () => api.post('member/add', made), undefined, undefined],
  ] as const) {
    proxy.loseAnswerTo(id)
    const told = event && hears(event)
    expect(await ask()).toMatchObject({ status: 504, reply: { code: errors['server.unsure'], data: null } })
    if (expected) expect(await told).toMatchObject(expected)
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
  expect(cuts).toEqual([])
  await server.close()
  await proxy.close()
}, 60_000)
