import { randomUUID } from 'node:crypto'
import type { ClientEvents, ServerEvents } from '@tallyroom/contract/events'
import { MessageType } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import { one, sql } from '../../../server/src/data/sql.ts'
import { startTestServer } from '../../../server/src/testing/app.ts'
import { testDatabase } from '../../../server/src/testing/postgres.ts'
import type { Call } from '../../../web/src/api/call.ts'
import { makeRooms } from '../../../web/src/chat/model/rooms/rooms.ts'
import { makeClient } from '../client.ts'
import { type TcpProxy, openTcpProxy } from './tcp-proxy.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Which connection is broken, how, and for how long. */
export type Fault = { where: 'clients' | 'database'; how: 'cut' | 'stall' | 'lose'; ms: number }
type Recovery = Fault & { seconds: number }

/** A proxy before the database that tests can break, and what leads through it. */
export const databaseProxy = async () => {
  const database = await testDatabase()
  const { host, port } = database
  const proxy = await openTcpProxy(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  return { proxy, config: { ...database, host: '127.0.0.1', port: proxy.port } }
}

/** A server whose connections to its database go through that proxy. */
export const serverBehindProxy = async () => {
  const { proxy, config } = await databaseProxy()
  return { proxy, server: await startTestServer({}, undefined, config) }
}

/**
 * Runs a server behind one proxy and its database behind another, and breaks them in turns. Clients write messages and
 * points, each repeated with its request_id until answered, and pages listen. Measures for each fault how long after
 * its end a new message is written and shown by all pages without a reload. `pace`: ms between the writes of one
 * client, for slow machines.
 */
export const runWithFaults = async (list: Fault[], { timeoutMs, pace = 0 }: { timeoutMs: number; pace?: number }) => {
  const { proxy, server } = await serverBehindProxy()
  const front = await openTcpProxy({ port: Number(new URL(server.address).port), host: '127.0.0.1' })
  const lines: Record<Fault['where'], TcpProxy> = { clients: front, database: proxy }
  const url = `http://127.0.0.1:${front.port}`
  const { agent, cs, member, room } = await server.family()

  /** Like the browser: repeats the same request until it succeeds. */
  const retryUntilDone = async (ask: () => Promise<{ code: number }>) => {
    for (;;) {
      const answer = await Promise.race([ask().catch(() => undefined), pause(timeoutMs).then(() => undefined)])
      if (answer?.code === OK) return
      await pause(20)
    }
  }
  const sent: string[] = []
  let points = 0
  const write = async (token: string) => {
    const content = randomUUID()
    sent.push(content)
    const client = makeClient(url, token)
    await retryUntilDone(() =>
      client.ask('sendMessage', { code: room, type: MessageType.text, content, request_id: content }),
    )
    return content
  }
  const give = async () => {
    points++
    const client = makeClient(url, agent.token)
    const request_id = randomUUID()
    await retryUntilDone(() =>
      client.ask('user/transaction', { id: member.id, amount: '1', remark: 'cut', request_id }),
    )
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
        timeout: timeoutMs,
      })
      // Like the page's calls, these time out on a dead connection.
      const limited = (name: never, input: never) =>
        Promise.race([client.call(name, input), pause(timeoutMs).then(() => Promise.reject(new Error('no answer')))])
      const rooms = makeRooms(limited as unknown as Call)
      socket.on('room', (change) => rooms.receiveRoom(change))
      socket.on('desk', (change) => rooms.receiveDesk(change))
      socket.on('connect', () => rooms.reconnected())
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      await rooms.loadList(1)
      await rooms.openRoom({ code: room })
      const contents = () =>
        rooms
          .room(room)
          ?.state?.messages.flatMap(({ type, content }) => (type === MessageType.text ? [content] : [])) ?? []
      return { socket, rooms, contents }
    }),
  )
  const allHave = async (content: string) => {
    while (!pages.every((page) => page.contents().includes(content))) await pause(10)
  }

  let isRunning = true
  // The agent who answers first owns the conversation: a line of cs would be refused until the test ends.
  const writers = [
    ...[agent, member].map(async ({ token }) => {
      while (isRunning) {
        await write(token)
        await pause(pace)
      }
    }),
    ...[1, 2].map(async () => {
      while (isRunning) {
        await give()
        await pause(pace)
      }
    }),
  ]
  const recoveries: Recovery[] = []
  for (const fault of list) {
    await allHave(await write(agent.token))
    const line = lines[fault.where]
    line[fault.how]()
    await pause(fault.ms)
    line.restore()
    const ended = performance.now()
    await allHave(await write(agent.token))
    recoveries.push({ ...fault, seconds: (performance.now() - ended) / 1000 })
  }
  isRunning = false
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
  await proxy.close()
  return { recoveries, sent, points, kept, pages: pages.map((page) => page.contents()) }
}

/** Nothing is lost or doubled, and everyone sees the same messages in the same order. */
export const expectNothingLost = ({ sent, points, kept, pages }: Awaited<ReturnType<typeof runWithFaults>>) => {
  const [first = []] = pages
  expect([...first].sort()).toEqual([...sent].sort())
  for (const page of pages) expect(page).toEqual(first)
  expect(kept).toEqual({ balance: BigInt(points) * 10_000n, transfers: points })
}
