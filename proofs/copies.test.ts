import { randomUUID } from 'node:crypto'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { MessageType } from '@tallyroom/contract/codes'
import { io } from 'socket.io-client'
import { afterAll, expect, test } from 'vitest'
import { makeClient, signIn, signUp } from '../e2e/support/client.ts'
import { type ServerProcess, startServer } from '../e2e/support/server.ts'
import { freshDatabase, migratedUrl } from '../server/src/testing/postgres.ts'
import { startRedis } from '../server/src/testing/redis.ts'

// R4 and R13 with the built server: `npx vitest run --config proofs/vitest.config.ts copies` after a build.
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const cleaning: (() => unknown)[] = []
afterAll(async () => {
  for (const clean of cleaning.reverse()) await clean()
})

/** A minimal balancer: ready copies in turn; a request that reached none goes to the next. */
const startProxy = async () => {
  const backends = new Map<string, boolean>()
  let next = 0
  const ready = () => [...backends].filter(([, isReady]) => isReady).map(([url]) => url)
  const watching = setInterval(() => {
    for (const url of backends.keys())
      void fetch(`${url}/readyz`).then(
        ({ ok }) => backends.has(url) && backends.set(url, ok),
        () => backends.has(url) && backends.set(url, false),
      )
  }, 100)
  const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries: number) => {
    const all = ready()
    const url = all[next++ % all.length]
    const fail = (error: { code?: string }) => {
      if (error.code === 'ECONNREFUSED' && tries < 50) return setTimeout(() => pass(from, to, body, tries + 1), 20)
      if (!to.headersSent) to.writeHead(502)
      to.end()
    }
    if (!url) return fail({ code: 'ECONNREFUSED' })
    const made = ask(`${url}${from.url}`, { method: from.method, headers: from.headers, agent: false }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'keep-alive' })
      answer.pipe(to)
    })
    made.once('error', fail)
    made.end(body)
  }
  const proxy = createServer((from, to) => {
    const parts: Buffer[] = []
    from.on('data', (part: Buffer) => parts.push(part)).on('end', () => pass(from, to, Buffer.concat(parts), 0))
  })
  proxy.on('upgrade', (from, socket, head) => {
    const all = ready()
    const url = all[next++ % all.length]
    if (!url) return socket.destroy()
    const to = connect(Number(new URL(url).port), '127.0.0.1', () => {
      const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${String(value)}`)
      to.write(`GET ${from.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      to.write(head)
      to.pipe(socket).pipe(to)
    })
    to.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('error', () => to.destroy()).on('close', () => to.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  cleaning.push(() => {
    clearInterval(watching)
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`, backends }
}

const world = async (drain: string) => {
  const redis = await startRedis()
  cleaning.push(() => redis.kill())
  const database = migratedUrl(await freshDatabase())
  const proxy = await startProxy()
  const env = {
    DATABASE_URL: database,
    REDIS_URL: redis.url,
    TALLYROOM_KEY: '5e'.repeat(32),
    DRAIN_SECONDS: drain,
    TMPDIR: tmpdir(),
  }
  const start = async () => {
    const server = await startServer({ env })
    cleaning.push(() => server.remove())
    proxy.backends.set(server.url, true)
    return server
  }
  const servers = [await start(), await start()]
  const admin = await signIn(proxy.url, 'admin', servers[0]?.password ?? '')
  const { share_code } = await admin.call('user/view', {})
  const member = await signUp(proxy.url, share_code, 'survivor')
  const { data } = await member.call('room/list', {})
  const code = data[0]?.code ?? ''
  const sockets = Array.from({ length: 10 }, (_, n) =>
    io(proxy.url, {
      path: '/socket',
      auth: { token: n % 2 ? admin.token : member.token },
      transports: ['websocket', 'polling'],
      reconnectionDelay: 500,
      reconnectionDelayMax: 5000,
    }),
  )
  cleaning.push(() => sockets.forEach((socket) => socket.disconnect()))
  const gone = new Map<number, number>()
  let longest = 0
  sockets.forEach((socket, n) => {
    socket.on('disconnect', () => gone.set(n, performance.now()))
    socket.on('connect', () => {
      longest = Math.max(longest, performance.now() - (gone.get(n) ?? performance.now()))
      gone.delete(n)
    })
  })
  const allBack = async () => {
    while (sockets.some((socket) => !socket.connected)) await pause(20)
  }
  await allBack()

  const asked = { calls: 0, failed: 0 }
  const texts: string[] = []
  let points = 0
  let going = true
  /** As our browser: the same request again until there is a definite answer. */
  const until = async (make: () => Promise<{ code: number }>) => {
    asked.calls++
    for (let tries = 0; ; tries++) {
      const code_ = await make().then(
        ({ code }) => code,
        () => 0,
      )
      if (code_ === 1000) return
      if (tries === 0) asked.failed++
      await pause(50)
    }
  }
  const load = Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const own = makeClient(proxy.url, admin.token)
      while (going) {
        const request_id = randomUUID()
        if (n % 2) {
          points++
          await until(() => own.ask('user/transaction', { id: member.id, amount: '1', remark: 'proof', request_id }))
        } else {
          const content = request_id
          texts.push(content)
          await until(() => own.ask('sendMessage', { code, type: MessageType.text, content, request_id }))
        }
        await pause(20)
      }
    }),
  )
  const finish = async () => {
    going = false
    await load
    await allBack()
    const { room } = await member.call('room/enter', { code })
    const seen: { seq: number; content: string; type: number }[] = []
    let before = room.last_seq + 1
    while (before > 1) {
      const page = await member.call('room/history', { code, before, per_page: 30 })
      seen.push(...page.messages)
      before = Math.min(...page.messages.map(({ seq }) => seq))
    }
    expect(seen.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length: room.last_seq }, (_, n) => n + 1),
    )
    const stored = seen.filter(({ type }) => type === MessageType.text).map(({ content }) => content)
    expect(stored.sort()).toEqual(texts.sort())
    const { balance } = await admin.call('member/view', { member_id: member.id })
    expect(Number(balance)).toBe(points)
    const result = { ...asked, messages: texts.length, points, longestCutMs: Math.round(longest) }
    tell(result)
    return result
  }
  return { redis, proxy, servers, start, allBack, finish }
}
const first = <T>([one]: T[]): T => {
  if (one === undefined) throw new Error('there is none')
  return one
}

test('[R4] a copy is killed, then Redis, then Redis comes back empty: nothing lost or duplicated, sockets back in 5 s', async () => {
  const { redis, proxy, servers, start, allBack, finish } = await world('0')
  await pause(2000)
  const victim = first(servers)
  await victim.kill()
  proxy.backends.delete(victim.url)
  await allBack()
  await start()
  await pause(2000)
  await redis.kill()
  await pause(3000)
  await redis.start()
  await pause(4000)
  const { longestCutMs } = await finish()
  expect(longestCutMs).toBeLessThan(5000)
}, 300_000)

test('[R13] a rolling restart under load: no call fails, sockets resume', async () => {
  const { proxy, servers, start, finish } = await world('3')
  await pause(1000)
  for (const old of [...servers] as ServerProcess[]) {
    await start()
    await old.stop()
    proxy.backends.delete(old.url)
  }
  await pause(1000)
  const { failed, longestCutMs } = await finish()
  expect(failed).toBe(0)
  expect(longestCutMs).toBeLessThan(5000)
}, 300_000)
