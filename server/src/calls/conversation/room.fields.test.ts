import type { RoomChange } from '@tallyroom/contract/events'
import { MessageType, TransferKind } from '@tallyroom/contract/codes'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const avatar = async (background: string) => {
  const drawn = await sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${drawn.toString('base64')}`
}
/** The next `room` event that a person receives. */
const nextEvent = async (who: Person) => {
  const socket = await who.socket()
  return () => new Promise<RoomChange>((resolve) => socket.once('room', resolve))
}

test('[CHAT-02] [ROOM-03] a message names its room, its member and its sender, in answer, history and event', async () => {
  const { agent, cs, member, room: code } = await server.family()
  await agent.call('user/edit', { id: agent.id, thumbnail: await avatar('#113355') })
  await member.call('user/edit', { id: member.id, thumbnail: await avatar('#aa3311') })
  await agent.call('user/edit', { id: cs.id, nickname: 'Helper' })
  const ofAgent = (await agent.call('user/view', {})).thumbnail
  const ofMember = (await member.call('user/view', {})).thumbnail
  const { room_id } = (await cs.call('room/enter', { code })).room
  const toCs = await nextEvent(cs)
  const toMember = await nextEvent(member)
  const ids = { room_id, member_id: member.id }

  const events = [toCs(), toMember()]
  const asked = await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
  const byMember = { ...ids, username: member.username, thumbnail: ofMember }
  expect(asked).toMatchObject({ ...byMember, user_username: '' })
  const [atCs, atMember] = await Promise.all(events)
  expect(atCs?.messages).toMatchObject([{ ...byMember, user_username: member.username }])
  expect(atMember?.messages).toMatchObject([byMember])

  const more = [toCs(), toMember()]
  const answered = await cs.call('sendMessage', { code, type: MessageType.text, content: 'hi' })
  expect(answered).toMatchObject({ ...ids, username: cs.username, thumbnail: ofAgent })
  const [, change] = await Promise.all(more)
  // A member does not learn which colleague writes.
  const byGroup = { ...ids, username: '', thumbnail: ofAgent }
  expect(change?.messages).toMatchObject([byGroup])
  expect(JSON.stringify(change)).not.toContain(cs.username)
  expect((await member.call('room/history', { code })).messages).toMatchObject([byMember, byGroup])
  expect((await agent.call('room/enter', { code })).messages).toMatchObject([byMember, { username: cs.username }])
})

test('[CHAT-02] a room names its members and whether the last points were given or asked for', async () => {
  const { agent, cs, member, room: code } = await server.family()
  const seen = async (who: Person) => {
    const { members, transaction_type } = (await who.call('room/enter', { code })).room
    return { members, transaction_type }
  }
  expect(await seen(cs)).toEqual({ members: [member.id, agent.id], transaction_type: null })
  expect(await seen(member)).toEqual({ members: [member.id], transaction_type: null })
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5' })
  expect((await seen(cs)).transaction_type).toBe(1)
  await server.meetTurnover(member)
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '1' })
  for (const who of [cs, member]) expect((await seen(who)).transaction_type).toBe(2)
  await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
  expect((await agent.call('room/list', {})).data).toMatchObject([{ code, transaction_type: null }])
})

test('[ACC-06] [S35] the new names of messages and accounts are masked like all names', async () => {
  const { top, agent, cs, member, room: code } = await server.family()
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  const toCs = await nextEvent(cs)
  const event = toCs()
  await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
  const masked = `${member.username.slice(0, 2)}***${member.username.slice(-3)}`
  expect((await event).messages).toMatchObject([{ username: masked }])
  expect((await cs.call('room/enter', { code })).messages).toMatchObject([{ username: masked }])
  expect(await agent.call('user/view', { id: member.id })).toMatchObject({ username: masked, member_username: masked })
  expect(await cs.call('user/view', {})).toMatchObject({ member_id: cs.id, member_username: cs.username })
})

test('[WIRE-08] a stored answer without these fields gets them now', async () => {
  const { member, room: code } = await server.family()
  const request_id = crypto.randomUUID()
  const sent = await member.call('sendMessage', { request_id, code, type: MessageType.text, content: 'hello' })
  await run(
    server.services.db,
    sql`update requests set answer = jsonb_set(answer, '{data}',
        answer -> 'data' #- '{username}' #- '{thumbnail}' #- '{room_id}' #- '{member_id}')
      where actor_id = ${member.id} and request_id = ${request_id}`,
  )
  const again = await member.call('sendMessage', { request_id, code, type: MessageType.text, content: 'hello' })
  expect(again).toEqual(sent)
})
