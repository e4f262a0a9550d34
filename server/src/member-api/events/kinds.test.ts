import { randomUUID } from 'node:crypto'
import { chosenKinds } from '@tallyroom/contract/api/event-kinds'
import { TransferKind } from '@tallyroom/contract/codes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { many, sql } from '../../data/sql.ts'
import { approve, limitedFamily } from '../../testing/approvals.ts'
import { startTestServer, type TestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { startReceiver } from '../../testing/fakes/receiver.ts'

let server: TestServer
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ WEBHOOKS_INSIDE: '1' })
})
afterAll(() => receiver.close())

test('[API-08] messages without words, waiting rooms, changed and moved members, new agents and voided bets are events', async () => {
  const { top, agent, member, room } = await server.family()
  const api = await platform(server, top)
  const kinds = [...chosenKinds]
  await top.call('endpoint/add', { url: `${receiver.url}/words`, kinds, with_text: true, ordered: true })
  await top.call('endpoint/add', { url: `${receiver.url}/thin`, kinds, ordered: true })
  await member.call('sendMessage', { code: room, type: 1, content: 'my secret' })
  // Its card is a message too, which the event of the transfer is about.
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '5' })
  await api.call('member/set', { username: member.username, set: { nickname: 'Ann', event_mode: 1 } })
  await api.call('member/set', { username: member.username, set: { nickname: 'Ann' } })
  const username = `a${randomUUID().slice(0, 8)}`
  await api.call('agent/add', { username, parent: agent.username })
  await api.call('bet/report', { username: member.username, bet_id: 'one', amount: '1' })
  await api.call('bet/void', { bet_id: 'one' })
  const list = async () =>
    (
      await many<{ kind: string }>(
        server.services.db,
        sql`select kind from webhooks where top_id = ${top.id} order by id`,
      )
    ).map(({ kind }) => kind)
  expect((await list()).toSorted()).toEqual(
    ['message.added', 'room.waiting', 'transfer.settled', 'member.changed', 'agent.added', 'bet.voided'].toSorted(),
  )
  const got = (path: string, type: string) => receiver.at(path).find(({ body }) => body.type === type)?.body.data
  await vi.waitFor(
    () => {
      expect(receiver.at('/words').length).toBeGreaterThanOrEqual(6)
      expect(receiver.at('/thin').length).toBeGreaterThanOrEqual(6)
    },
    { timeout: 20_000 },
  )
  const message = { room, type: 1, username: member.username, from: 'member' }
  expect(got('/words', 'message.added')).toMatchObject({ ...message, text: 'my secret' })
  expect(got('/thin', 'message.added')).toMatchObject(message)
  expect(JSON.stringify(receiver.at('/thin'))).not.toContain('my secret')
  expect(JSON.stringify(await api.call('event/list', {}))).not.toContain('my secret')
  expect(got('/thin', 'member.changed')).toMatchObject({ username: member.username, nickname: 'Ann', event_mode: 1 })
  expect(got('/thin', 'agent.added')).toMatchObject({ username, parent: agent.username })
  expect(got('/thin', 'bet.voided')).toMatchObject({ bet_id: 'one', amount: '1.0000', username: member.username })
})

test('[API-08] a transfer that waits for approval and its decision are events; other platforms write none', async () => {
  const { top, agent, cs, member, room } = await limitedFamily(server)
  const quiet = await server.family()
  await top.call('endpoint/add', { url: `${receiver.url}/approvals`, kinds: ['approval.asked', 'approval.ended'] })
  const given = { type: TransferKind.send, remark: 'x', reason: 'Won the draw', member_id: member.id, code: room }
  await cs.call('transaction/add', { ...given, amount: '300' })
  await approve(agent)
  const rows = await many<{ kind: string; state: string; by: string | null }>(
    server.services.db,
    sql`select kind, payload->>'state' as state, payload->>'decided_by' as by from webhooks where top_id = ${top.id} order by id`,
  )
  expect(rows).toEqual([
    { kind: 'approval.asked', state: 'waiting', by: null },
    { kind: 'approval.ended', state: 'approved', by: agent.username },
  ])
  await quiet.agent.call('transaction/add', { member_id: quiet.member.id, type: TransferKind.gift, amount: '1' })
  expect(await many(server.services.db, sql`select 1 from webhooks where top_id = ${quiet.top.id}`)).toEqual([])
})
