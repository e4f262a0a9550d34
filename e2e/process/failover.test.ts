import { randomUUID } from 'node:crypto'
import { MessageType } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { io } from 'socket.io-client'
import { expect, test } from 'vitest'
import { configOf } from '../../server/src/data/access.ts'
import { makeLog } from '../../server/src/lib/log.ts'
import { startTestServer } from '../../server/src/testing/app.ts'
import { testDatabase } from '../../server/src/testing/postgres.ts'
import { openTcpProxy } from '../support/faults/tcp-proxy.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A server whose database is at two addresses. Both lead to one PostgreSQL, so that what one wrote the other has. */
const serverOnTwo = async () => {
  const { host, port, user, database } = await testDatabase()
  const to = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const proxies = [await openTcpProxy(to), await openTcpProxy(to)] as const
  const hosts = proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join(',')
  const url = `postgresql://${user}@${hosts}/${database}?target_session_attrs=read-write`
  const lines: string[] = []
  const log = makeLog('warn', { write: (line: string) => void lines.push(line) })
  return { proxies, lines, server: await startTestServer({}, log, configOf(url)) }
}

test('[RUN-07] while no server takes writes calls answer 503 and sockets stay; then the other one serves', async () => {
  const { proxies, server, lines } = await serverOnTwo()
  const [one, two] = proxies
  const { agent, cs, member, room } = await server.family()
  const transfer = { id: member.id, amount: '1', remark: 'failover', request_id: randomUUID() }
  const pay = () =>
    server.post('user/transaction', server.wire.seal('user/transaction', transfer), {
      authorization: `Bearer ${agent.token}`,
    })
  const paid = async () => {
    for (;;) {
      const answer = await pay()
      if (answer.reply.code === OK) return answer.reply.data
      expect([503, 504]).toContain(answer.status)
      await pause(20)
    }
  }
  const ready = async () => (await fetch(`${server.address}/readyz`)).status
  const page = await cs.socket()
  const cuts: string[] = []
  page.on('disconnect', (reason) => cuts.push(reason))

  // The first one dies: the second one takes over, for the same request with the same answer.
  one.cut()
  const first = await paid()
  expect(await paid()).toEqual(first)

  two.cut()
  expect(await ready()).toBe(503)
  const away = await pay()
  expect([away.status, away.reply.refusal, away.headers.get('retry-after')]).toEqual([503, 'server.starting', '1'])
  const picture = await fetch(`${server.address}/media/any`, { headers: { authorization: `Bearer ${agent.token}` } })
  expect(picture.status).toBe(503)
  // Nothing else is in the log: no stack, and no line for each task that failed.
  const words = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(words()).toContainEqual(expect.stringMatching(/^The database is away \(.+\)\. /))
  const others = words().filter(
    (line) => !/^(The database is|A database connection was lost|A call failed$)/.test(line),
  )
  expect(others).toEqual([])
  // A socket that connects meanwhile is not refused: it waits.
  const late = io(server.address, { path: '/socket', auth: { token: member.token }, transports: ['websocket'] })
  const errors: string[] = []
  late.on('connect_error', ({ message }) => errors.push(message))
  const opened = new Promise<void>((resolve) => late.once('connect', resolve))
  while (!late.io.engine?.id) await pause(20)
  one.restore()
  await opened
  expect([await paid(), errors]).toEqual([first, []])
  expect(await ready()).toBe(200)
  await expect.poll(words).toContainEqual(expect.stringMatching(/^The database is back, after \d+ seconds$/))
  // It was there all the time, and still gets what is new.
  const news = new Promise((resolve) => page.once('room', ({ messages }) => resolve(messages.at(-1)?.content)))
  await agent.call('sendMessage', { code: room, type: MessageType.text, content: 'after it', request_id: randomUUID() })
  expect([await news, cuts]).toEqual(['after it', []])
  late.close()
  await server.close()
  for (const proxy of proxies) await proxy.close()
})
