import { randomUUID } from 'node:crypto'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { events, type ServerEvents } from '@tallyroom/contract/events'
import { expect } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../../../server/src/testing/app.ts'
import { hasRedis, startRedis } from '../../../server/src/testing/redis.ts'
import type { Call } from '../../../web/src/api/call.ts'
import { makeRooms } from '../../../web/src/chat/model/rooms/rooms.ts'

type Name = keyof ServerEvents
type ReceivedEvent = { name: Name; payload: unknown }

/** A page's state without a browser: it receives the events that `live.ts` receives, and its connection can be cut. */
const openPage = async (who: Person, code: string) => {
  const received: ReceivedEvent[] = []
  const socket = await who.socket()
  const rooms = makeRooms(((name: never, input: never) => who.call(name, input)) as unknown as Call)
  socket.onAny((name: Name, payload: unknown) => received.push({ name, payload }))
  socket.on('room', (change) => rooms.receiveRoom(change))
  socket.on('desk', (change) => rooms.receiveDesk(change))
  socket.on('connect', () => rooms.reconnected())
  await rooms.loadList(1)
  await rooms.openRoom({ code })
  return {
    who,
    received,
    cut: () => socket.connected && socket.io.engine.close(),
    /** Its messages, once it has caught up by itself to seq `last`. */
    ids: async (last: number) => {
      const messages = () => rooms.room(code)?.state?.messages ?? []
      while ((messages().at(-1)?.seq ?? 0) < last) await new Promise((resolve) => setTimeout(resolve, 10))
      while (rooms.room(code)?.state?.hasMore) await rooms.older(code)
      return messages().map(({ seq, message_id }) => ({ seq, message_id }))
    },
  }
}
type Page = Awaited<ReturnType<typeof openPage>>

/** Every event matches its schema without extra fields; the partner's events contain nothing internal. */
const expectAllowedEvents = ({ received }: Page, isPartner: boolean, code: string) => {
  for (const { name, payload } of received) {
    const shaped = events[name].safeParse(payload)
    expect(shaped.success && shaped.data).toEqual(payload)
    if (name === 'room' || name === 'desk') expect((payload as { code: string }).code).toBe(code)
    if (!isPartner) continue
    expect(name).not.toBe('desk')
    if (name !== 'room') continue
    const { room, messages } = payload as Parameters<ServerEvents['room']>[0]
    expect([room.username, room.owner_id, room.owner_name, room.aside_seq]).toEqual(['', null, '', 0])
    for (const message of messages) expect(message.user_username).toBe('')
  }
}

/**
 * People in one room, on all copies of the server, write while their connections are cut repeatedly. Two of them are
 * removed meanwhile, and strangers listen.
 */
export const storm = async ({ pages, messages }: { pages: number; messages: number }) => {
  const redis = hasRedis ? await startRedis() : undefined
  const env: Record<string, string> = redis ? { REDIS_URL: redis.url } : {}
  const servers: TestServer[] = [await startTestServer(env)]
  if (redis) servers.push(await startTestServer(env))
  const [server] = servers
  if (!server) throw new Error('No server was started')
  const { agent, cs, member, room } = await server.family()
  const removedPerson = await server.person({ role: Role.customerService, under: agent })
  const stranger = await server.family()
  const at = (who: Person, n: number) => servers[n % servers.length]?.here(who) ?? who
  const people = [agent, cs, member]
  const all = await Promise.all(
    Array.from({ length: pages }, (_, n) => openPage(at(people[n % 3] ?? agent, Math.floor(n / 3)), room)),
  )
  const removed = await Promise.all(servers.map((_, n) => openPage(at(removedPerson, n), room)))
  const outside = await Promise.all(
    [stranger.agent, stranger.member].map((who, n) => openPage(at(who, n), stranger.room)),
  )

  const talking = all.filter(({ who }) => who.id !== cs.id)
  const WRITERS = 12
  const sent: string[] = []
  let receivedByRemoved: number[] | undefined
  const writer = async (own: number) => {
    for (let n = own; n < messages; n += WRITERS) {
      // Who answers first has the conversation: customer service only reads.
      const page = talking[n % talking.length]
      const { message_id } = await (page?.who ?? agent).call('sendMessage', {
        code: room,
        type: MessageType.text,
        content: `${n}`,
        request_id: randomUUID(),
      })
      sent.push(message_id)
      if (sent.length % 20 === 0) all[(n * 7) % all.length]?.cut()
      // Cut everyone at once.
      if (sent.length % Math.ceil(messages / 3) === 0) for (const one of all) one.cut()
      if (sent.length === Math.floor(messages / 2)) {
        await agent.call('user/delete', { id: removedPerson.id })
        // The other copy learns of the removal after the answer, and its earlier events may still be on their way.
        const ended = () => removed.every(({ received }) => received.some(({ name }) => name === 'ended'))
        while (!ended()) await new Promise((resolve) => setTimeout(resolve, 5))
        receivedByRemoved = removed.map(({ received }) => received.length)
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, own) => writer(own)))
  const known = await Promise.all(all.map((page) => page.ids(messages)))
  all.forEach((page, n) => expectAllowedEvents(page, n % 3 === 2, room))
  for (const page of outside) expectAllowedEvents(page, page.who.id === stranger.member.id, stranger.room)
  // That its own people are there is what an outsider may hear.
  const toOutsiders = outside.flatMap(({ received }) => received).filter(({ name }) => name !== 'colleagues').length
  const afterRemoval = removed.map(({ received }, n) => received.length - (receivedByRemoved?.[n] ?? 0))
  await redis?.kill()
  return { sent, known, toOutsiders, afterRemoval, events: all.flatMap(({ received }) => received).length }
}

/** No gaps, no duplicates, one order, and no events to outsiders. */
export const expectSameMessages = ({ sent, known, toOutsiders, afterRemoval }: Awaited<ReturnType<typeof storm>>) => {
  const [first = []] = known
  expect(first.map(({ seq }) => seq)).toEqual(Array.from({ length: sent.length }, (_, n) => n + 1))
  expect(new Set(first.map(({ message_id }) => message_id))).toEqual(new Set(sent))
  for (const page of known) expect(page).toEqual(first)
  expect(toOutsiders).toBe(0)
  expect(afterRemoval.every((count) => count === 0)).toBe(true)
}
