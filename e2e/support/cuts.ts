import { randomUUID } from 'node:crypto'
import type { ClientEvents, ServerEvents } from '@tallyroom/contract/events'
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import { one, sql } from '../../server/src/data/sql.ts'
import { startTestServer } from '../../server/src/testing/app.ts'
import { testDatabase } from '../../server/src/testing/postgres.ts'
import { type Call, makeRooms } from '../../web/src/chat/model/rooms.ts'
import { makeClient } from './client.ts'
import { type Line, openLine } from './line.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Which connection is broken, how, and for how long. */
export type Trouble = { where: 'clients' | 'database'; how: 'cut' | 'stall' | 'lose'; ms: number }
export type Healed = Trouble & { seconds: number }

/** A server whose connections to its database go through a line that tests can break. */
export const serverOnLine = async () => {
  const { host, port } = await testDatabase()
  const behind = await openLine(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  return { behind, server: await startTestServer({}, undefined, { host: '127.0.0.1', port: behind.port }) }
}

/**
 * A server behind one line, and its database behind another. Clients write messages and points, each with its request_id
 * until it is answered, and pages listen, while the lines are broken in turns. Measures how long after each trouble a
 * message is written and all pages have it without a reload. `pace`: milliseconds between the writes of one client, for
 * slow machines.
 */
export const troubles = async (list: Trouble[], { patience, pace = 0 }: { patience: number; pace?: number }) => {
  const { behind, server } = await serverOnLine()
  const front = await openLine({ port: Number(new URL(server.address).port), host: '127.0.0.1' })
  const lines: Record<Trouble['where'], Line> = { clients: front, database: behind }
  const url = `http://127.0.0.1:${front.port}`
  const { agent, cs, member, room } = await server.family()

  /** As our browser: no answer in time, or none at all, and it asks the same again. */
  const until = async (ask: () => Promise<{ code: number }>) => {
    for (;;) {
      const answer = await Promise.race([ask().catch(() => undefined), pause(patience).then(() => undefined)])
      if (answer?.code === 1000) return
      await pause(20)
    }
  }
  const sent: string[] = []
  let points = 0
  const write = async (token: string) => {
    const content = randomUUID()
    sent.push(content)
    const client = makeClient(url, token)
    await until(() => client.ask('sendMessage', { code: room, type: 1, content, request_id: content }))
    return content
  }
  const give = async () => {
    points++
    const client = makeClient(url, agent.token)
    const request_id = randomUUID()
    await until(() => client.ask('user/transaction', { id: member.id, amount: '1', remark: 'cut', request_id }))
  }

  const pages = await Promise.all(
    [agent, cs, member].map(async ({ token }) => {
      const client = makeClient(url, token)
      const socket: Socket<ServerEvents, ClientEvents> = io(url, {
        path: '/socket',
        auth: { token },
        transports: ['websocket', 'polling'],
        reconnectionDelay: 500,
        reconnectionDelayMax: 5000,
        timeout: patience,
      })
      // As the page's own calls do, these give up on a line that died without a word.
      const limited = (name: never, input: never) =>
        Promise.race([client.call(name, input), pause(patience).then(() => Promise.reject(new Error('no answer')))])
      const rooms = makeRooms(limited as unknown as Call)
      socket.on('room', (change) => rooms.receiveRoom(change))
      socket.on('desk', (change) => rooms.receiveDesk(change))
      socket.on('connect', () => rooms.reconnected())
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      await rooms.loadList(1)
      await rooms.openRoom({ code: room })
      const contents = () =>
        rooms.room(room)?.state?.messages.flatMap(({ type, content }) => (type === 1 ? [content] : [])) ?? []
      return { socket, rooms, contents }
    }),
  )
  const allHave = async (content: string) => {
    while (!pages.every((page) => page.contents().includes(content))) await pause(10)
  }

  let going = true
  const writers = [
    ...[agent, cs, member].map(async ({ token }) => {
      while (going) {
        await write(token)
        await pause(pace)
      }
    }),
    ...[1, 2].map(async () => {
      while (going) {
        await give()
        await pause(pace)
      }
    }),
  ]
  const healed: Healed[] = []
  for (const trouble of list) {
    await allHave(await write(agent.token))
    const line = lines[trouble.where]
    line[trouble.how]()
    await pause(trouble.ms)
    line.mend()
    const ended = performance.now()
    await allHave(await write(agent.token))
    healed.push({ ...trouble, seconds: (performance.now() - ended) / 1000 })
  }
  going = false
  await Promise.all(writers)
  const last = await write(agent.token)
  await allHave(last)
  for (const { rooms } of pages) while (rooms.room(room)?.state?.hasMore) await rooms.older(room)
  for (const { socket } of pages) socket.disconnect()
  await front.close()

  const kept = await one<{ balance: bigint; transfers: number }>(
    server.services.db,
    sql`select (select balance from wallets where account_id = ${member.id} and kind = 1) as balance,
      (select count(*)::int from transfers where target_id = ${member.id} and remark = 'cut') as transfers`,
  )
  await server.close()
  await behind.close()
  return { healed, sent, points, kept, pages: pages.map((page) => page.contents()) }
}

/** 0 lost, 0 doubled, and everyone sees the same in the same order. */
export const judgeTroubles = ({ sent, points, kept, pages }: Awaited<ReturnType<typeof troubles>>) => {
  const [first = []] = pages
  expect([...first].sort()).toEqual([...sent].sort())
  for (const page of pages) expect(page).toEqual(first)
  expect(kept).toEqual({ balance: BigInt(points) * 10_000n, transfers: points })
}
