import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { signIn } from '../e2e/support/client.ts'
import { startServer } from '../e2e/support/server.ts'

const CONNECTIONS = 1100
const SECONDS = 60

/** Keeps a connection open from another address of this machine, and reopens it when the server closes it. */
const keepOpen = (port: number, isSlow: boolean) => {
  let socket: Socket | undefined
  let isOver = false
  const open = () => {
    if (isOver) return
    const made = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    socket = made
    const head = `POST /api/login HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n`
    if (isSlow) made.once('connect', () => made.write(`${head}{`))
    const drip = setInterval(() => made.writable && isSlow && made.write(' '), 5000)
    made
      .on('error', () => undefined)
      .once('close', () => {
        clearInterval(drip)
        setTimeout(open, 500)
      })
      .resume()
  }
  open()
  return () => {
    isOver = true
    socket?.destroy()
  }
}

test(`[S29] ${CONNECTIONS} open connections of one address, 900 file handles: everyone else is answered throughout`, async () => {
  const server = await startServer({ handles: 900, env: { CALL_LIMITS: 'on' } })
  const holders: (() => void)[] = []
  try {
    const admin = await signIn(server.url, 'admin', server.password)
    const port = Number(new URL(server.url).port)
    for (let n = 0; n < CONNECTIONS; n++) holders.push(keepOpen(port, n % 2 === 0))
    const times: number[] = []
    for (const end = performance.now() + SECONDS * 1000; performance.now() < end; ) {
      const began = performance.now()
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      await admin.call('user/list', { per_page: 20 })
      times.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    times.sort((a, b) => a - b)
    process.stdout.write(
      `${times.length} times /readyz and a call: ${times[times.length >> 1]?.toFixed(0)} ms in the middle, ${times.at(-1)?.toFixed(0)} ms at most\n`,
    )
    expect(server.output()).not.toContain('EMFILE')
    expect(server.output()).toContain('CONNECTIONS_OF_ADDRESS')
  } finally {
    for (const letGo of holders) letGo()
    await server.remove()
  }
}, 300_000)
