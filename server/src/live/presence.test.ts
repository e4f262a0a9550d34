import type { ServerEvents } from '@tallyroom/contract/events'
import { MessageType } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { many, sql } from '../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const open = async (who: Person, code: string) => {
  const socket = await who.socket()
  const said: Parameters<ServerEvents['presence']>[0][] = []
  socket.on('presence', (one) => said.push(one))
  const { ok } = await socket.emitWithAck('join', code)
  return { socket, said, ok }
}
/** Waits until everything sent before has arrived, on both sides of a socket. */
const settled = async (sockets: Awaited<ReturnType<typeof open>>[]) => {
  for (let n = 0; n < 2; n++) for (const { socket } of sockets) await socket.emitWithAck('leave', 'nothing')
}

test('[S14] typing and looking reach only those who may know', async () => {
  const { agent, cs, member, room } = await server.family()
  const stranger = await server.family()
  const [a, c, m, s] = await Promise.all([agent, cs, member, stranger.agent].map((person) => open(person, room)))
  if (!a || !c || !m || !s) throw new Error('no socket')
  expect(s.ok).toBe(false)
  const all = [a, c, m, s]
  const name = `Nick ${agent.username}`

  a.socket.emit('typing', room, false)
  await settled(all)
  expect([c.said, m.said]).toEqual([
    [{ code: room, what: 'typing', account_id: agent.id, name }],
    // Without the colleague's name.
    [{ code: room, what: 'typing', account_id: 0, name: '' }],
  ])
  m.socket.emit('typing', room, true)
  await settled(all)
  expect(a.said).toEqual([{ code: room, what: 'typing', account_id: 0, name: '' }])

  // Notes and looking are sent to colleagues only; a member's looking is sent to nobody.
  for (const one of all) one.said.length = 0
  a.socket.emit('typing', room, true)
  a.socket.emit('looking', room, true)
  a.socket.emit('looking', room, false)
  m.socket.emit('looking', room, true)
  s.socket.emit('typing', room, false)
  s.socket.emit('looking', room, true)
  for (const bent of [null, {}, `${room}:partner`, 'x'.repeat(9000)]) a.socket.emit('typing', bent as never, 1 as never)
  await settled(all)
  expect(c.said.map(({ what }) => what)).toEqual(['typing', 'looking', 'gone'])
  expect([m.said, s.said, a.said]).toEqual([[], [], []])
})

test('[S14] a flood is not sent on', async () => {
  const { agent, cs, room } = await server.family()
  const [a, c] = await Promise.all([agent, cs].map((person) => open(person, room)))
  if (!a || !c) throw new Error('no socket')
  for (let n = 0; n < 500; n++) a.socket.emit('typing', room, false)
  await settled([a, c])
  expect(c.said.length).toBeGreaterThan(0)
  expect(c.said.length).toBeLessThan(60)
})

test('delivered: exactly as far as the other side’s browsers report', async () => {
  const { agent, cs, member, room } = await server.family()
  const stranger = await server.family()
  for (const content of ['one', 'two']) await agent.call('sendMessage', { code: room, type: MessageType.text, content })
  const [toAgent, toCs, toMember, toStranger] = await Promise.all(
    [agent, cs, member, stranger.member].map((person) => person.socket()),
  )
  const delivered = new Promise((resolve) => toCs?.once('delivered', resolve))
  toStranger?.emit('received', [[room, 2]])
  await toStranger?.emitWithAck('leave', 'nothing')
  for (const bent of [null, [[room]], [[room, -1]], [[room, 1.5]], [[room, 2 ** 40]], [{ room }]])
    toMember?.emit('received', bent as never)
  toMember?.emit('received', [[room, 1]])
  expect(await delivered).toEqual({ code: room, seq: 1 })
  const again = new Promise<void>((resolve) => toAgent?.on('delivered', ({ seq }) => seq === 2 && resolve()))
  // Marks beyond the last message are cut.
  toMember?.emit('received', [[room, 999]])
  await again
  const { data } = await agent.call('room/list', {})
  expect(data[0]).toMatchObject({ other_delivered_seq: 2, delivered_seq: 0, other_read_seq: 0 })
  const rows = await many(server.services.db, sql`select version::int from rooms where code = ${room}`)
  expect(rows).toEqual([{ version: 2 }])
})
