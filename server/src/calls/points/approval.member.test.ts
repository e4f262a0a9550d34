import type { DeskChange } from '@tallyroom/contract/events'
import { MessageType, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { exportPerson } from '../../retention/export.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { approve, balanceOf, limit, limitedFamily, passDeadline, waitingFor } from '../../testing/approvals.ts'
import { platform } from '../../testing/fakes/platform.ts'

const server = await startTestServer({ PUBLIC_URL: 'https://talk.example' })
const { db, ledger } = server.services

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
const range = () => ({ start_time: day(-2), end_time: day(2) })

type World = Awaited<ReturnType<typeof world>>
const world = async () => {
  const family = await limitedFamily(server)
  const { top, agent, cs, member, room } = family
  const api = await platform(server, top)
  await agent.call('user/transaction', { id: member.id, amount: '100', remark: 'start' })
  await server.meetTurnover(member)
  await limit(agent, cs, 2, { transfer: '10' })
  await member.call('sendMessage', { code: room, type: MessageType.text, content: 'Hello' })
  const socket = await member.socket()
  await socket.emitWithAck('join', room)
  const events: unknown[][] = []
  socket.onAny((...event: unknown[]) => events.push(event))
  return { ...family, api, socket, events }
}

const exported = async ({ id }: Person) => {
  for await (const { name, content } of exportPerson(db, {
    id,
    store: server.services.mediaStores.all,
    onMissing: () => {},
  })) {
    if (name !== 'person.json') continue
    let text = ''
    for await (const part of content as AsyncIterable<string | Buffer>) text += String(part)
    const { transfers, messages, internal_notes, audit_log } = JSON.parse(text) as Record<string, object[]>
    return { transfers, messages, internal_notes, audit_log }
  }
  throw new Error('there is no person.json')
}

/** All that a member can learn of its points and its conversation, by every road. */
const sightOf = async ({ member, room, api }: World) => ({
  list: (await member.call('room/list', {})).data,
  room: await member.call('room/enter', { code: room }),
  history: await member.call('room/history', { code: room }),
  sync: await member.call('room/sync', { code: room, version: 0 }),
  transfers: await member.call('transaction/list', range()),
  envelopes: await member.call('redEnvelope/record', range()),
  cash: { ...(await member.call('cash/view', {})), balance: '' },
  limits: await member.call('member/flowLimit', { member_id: member.id }),
  platform: (await api.post('transfer/list', { member: member.username, ...range() })).reply.data,
  requests: (await api.post('cash/list', { username: member.username })).reply.data,
  file: await exported(member),
})
const webhooks = () => many(db, sql`select id, kind from webhooks order by id`)

const asks = {
  'points given in the room': ({ cs, member, room }: World) =>
    cs.call('transaction/add', {
      member_id: member.id,
      type: TransferKind.send,
      amount: '300',
      code: room,
      remark: 'bonus',
    }),
  'points taken in the room': ({ cs, member, room }: World) =>
    cs.call('transaction/add', {
      member_id: member.id,
      type: TransferKind.receive,
      amount: '40',
      code: room,
      remark: 'bonus',
    }),
  'points given from the list': ({ cs, member }: World) =>
    cs.call('user/transaction', { id: member.id, amount: '300', remark: 'bonus' }),
}
const endings = {
  refused: async ({ agent }: World) => {
    await agent.call('approval/refuse', { id: (await waitingFor(agent)).id, reason: 'No' })
  },
  withdrawn: async ({ cs }: World) => {
    await cs.call('approval/withdraw', { id: (await waitingFor(cs)).id })
  },
  expired: async ({ cs }: World) => {
    await passDeadline((await waitingFor(cs)).id)
    await ledger.expireDue()
  },
}

test.each(Object.entries(asks))(
  '[CAPS-02] of %s above a limit the member learns nothing before approval',
  async (_, ask) => {
    const all = await world()
    const { cs, member, room, events } = all
    await member.call('room/history', { code: room })
    const before = await sightOf(all)
    for (const [ending, end] of Object.entries(endings)) {
      const told = await webhooks()
      events.length = 0
      const held = await ask(all)
      expect(held).toMatchObject({ status: TransferStatus.pending, approval: 1 })
      expect({ ending, ...(await sightOf(all)) }).toEqual({ ending, ...before })
      await end(all)
      expect({ ending, ...(await sightOf(all)) }).toEqual({ ending, ...before })
      expect(await webhooks()).toEqual(told)
      // Its own wallet tells it to look again where points are held in it; it finds no transfer.
      expect(events.filter(([name]) => name !== 'account')).toEqual([])
      expect((await cs.call('transaction/list', range())).data[0]).toMatchObject({
        transaction_id: held.transaction_id,
      })
    }
  },
)

test('[CAPS-02] after approval the transfer is the newest message, live and by catching up, with the time of the approval', async () => {
  const all = await world()
  const { agent, cs, member, room, socket } = all
  const asked = await asks['points given in the room'](all)
  await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'One moment' })
  const question = await member.call('sendMessage', { code: room, type: MessageType.text, content: 'Are you there?' })
  const { version } = (await member.call('room/enter', { code: room })).room
  const live = new Promise<{ since: number; messages: object[] }>((resolve) => socket.once('room', resolve as never))
  await approve(agent)
  const expected = {
    message_id: asked.transaction_id,
    seq: question.seq + 1,
    type: MessageType.pointsIn,
    amount: '300.0000',
    remark: 'bonus',
    transaction_status: TransferStatus.success,
  }
  expect(await live).toMatchObject({ since: version, messages: [expected] })
  const { messages, room: summary } = await member.call('room/enter', { code: room })
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at + 1))
  expect(messages.at(-1)).toMatchObject(expected)
  expect(Date.parse(messages.at(-1)?.created_at ?? '')).toBeGreaterThan(Date.parse(question.created_at))
  expect((await member.call('room/sync', { code: room, version })).messages).toMatchObject([expected])
  // Nobody was there: the question after it was asked for is neither read nor answered.
  expect(summary.other_read_seq).toBe(question.seq - 1)
  expect((await cs.call('room/enter', { code: room })).room).toMatchObject({ unanswered: 1, message_read: 0 })
  const [newest] = (await member.call('transaction/list', range())).data
  expect(newest).toMatchObject({ transaction_id: asked.transaction_id, status: TransferStatus.success })
  expect(newest?.created_at).toBe(newest?.settled_at)
  expect(await balanceOf(server, member)).toBe(400)
  expect((await exported(member)).transfers?.at(-1)).toMatchObject({ amount: 300 })
})

test('[CAPS-02] what the member must consent to is offered after the approval, and not before', async () => {
  const all = await world()
  const { agent, member, room } = all
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const before = await sightOf(all)
  const { transaction_id } = await asks['points given in the room'](all)
  expect(await sightOf(all)).toEqual(before)
  await approve(agent)
  expect((await member.call('room/enter', { code: room })).messages.at(-1)).toMatchObject({
    message_id: transaction_id,
    type: MessageType.envelope,
    transaction_status: TransferStatus.pending,
  })
  await member.call('envelope/answer', { transaction_id, accept: true })
  expect(await balanceOf(server, member)).toBe(400)
})

test('[CAPS-02] the group sees the card where it was asked for, and what became of it, live and by catching up', async () => {
  const all = await world()
  const { agent, cs, room } = all
  const toAgent = await agent.socket()
  const changes: DeskChange[] = []
  toAgent.on('desk', (event) => changes.push(event))
  const { transaction_id } = await asks['points given in the room'](all)
  await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'One moment' })
  const waiting = {
    message_id: transaction_id,
    amount: '300.0000',
    transaction_status: TransferStatus.pending,
    approval: 1,
    seq: 0,
  }
  const { asides } = await agent.call('room/enter', { code: room })
  expect(asides).toMatchObject([{ after_seq: 1, card: waiting }])
  await endings.refused(all)
  const refused = { message_id: transaction_id, transaction_status: TransferStatus.rejected }
  const later = (await agent.call('desk/asides', { code: room, after: asides[0]?.seq ?? 0 })).asides
  expect(later).toMatchObject([{ card: refused }])
  expect(later[0]?.card).not.toHaveProperty('approval')
  await expect.poll(() => changes.map((event) => event.asides[0]?.card)).toMatchObject([waiting, refused])
  // Read again, both say what became of it.
  expect((await agent.call('room/enter', { code: room })).asides).toMatchObject([{ card: refused }, { card: refused }])
})
