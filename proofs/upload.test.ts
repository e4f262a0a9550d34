import { randomUUID } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { MAX_FILE_BYTES } from '@tallyroom/contract/files'
import type { Message } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { startTestServer } from '../server/src/testing/app.ts'
import { getMedia, makePdf } from '../server/src/testing/files.ts'
import { CallError, NO_ANSWER } from '../web/src/api/call.ts'
import { newUpload, sendFile } from '../web/src/chat/model/outbox/send-file.ts'

// CONV-12 at its limits. `npx vitest run --config proofs/vitest.config.ts upload`, about three minutes.

const BYTES_PER_SECOND = 1_000_000 / 8
const TICK_MS = 50

/** A line of 1 Mbit/s in both directions together that can be cut. Counts what went over it. */
const openSlowLine = async (port: number) => {
  const pairs = new Set<[Socket, Socket]>()
  const queue: { to: Socket; part: Buffer; from: Socket }[] = []
  let sent = 0
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    const carry = (from: Socket, to: Socket) => {
      from.on('data', (part: Buffer) => {
        queue.push({ from, to, part })
        // What the line cannot carry waits at the sender.
        from.pause()
      })
      from.on('error', end).on('close', end)
    }
    carry(near, far)
    carry(far, near)
  })
  const timer = setInterval(() => {
    let left = (BYTES_PER_SECOND * TICK_MS) / 1000
    while (left > 0) {
      const next = queue[0]
      if (!next) return
      const part = next.part.subarray(0, left)
      if (!next.to.destroyed) next.to.write(part)
      sent += part.length
      left -= part.length
      next.part = next.part.subarray(part.length)
      if (next.part.length > 0) continue
      queue.shift()
      next.from.resume()
    }
  }, TICK_MS)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    sent: () => sent,
    cut: () => {
      queue.length = 0
      for (const [near, far] of pairs) {
        near.resetAndDestroy()
        far.resetAndDestroy()
      }
    },
    close: () => {
      clearInterval(timer)
      server.close()
    },
  }
}

test('[CONV-12] 20 MB over a line of 1 Mbit/s with three cuts arrive once and whole', {
  timeout: 600_000,
}, async () => {
  const server = await startTestServer()
  const { cs, member, room } = await server.family()
  const line = await openSlowLine(Number(new URL(server.address).port))
  const content = Buffer.alloc(MAX_FILE_BYTES - 2000)
  for (let at = 0; at < content.length; at++) content[at] = 97 + ((at * 7 + (at >> 9)) % 26)
  const bytes = makePdf({ pages: 3, content })
  expect(bytes.length).toBeLessThanOrEqual(MAX_FILE_BYTES)

  const authorization = `Bearer ${member.token}`
  const sendBytes = async (path: string, body: ArrayBuffer): Promise<number> => {
    const headers = { authorization, 'content-type': 'application/octet-stream' }
    const answer = await fetch(`http://127.0.0.1:${line.port}${path}`, { method: 'POST', headers, body }).catch(() => {
      throw new CallError(NO_ANSWER, 'cut')
    })
    return ((await answer.json()) as { data: { received: number } }).data.received
  }
  const ask = ((name: never, input: never) => member.call(name, input)) as never
  const cuts = [0.2, 0.55, 0.9]
  const upload = newUpload()
  const work = {
    code: room,
    id: randomUUID(),
    source: { blob: new Blob([new Uint8Array(bytes)]), name: 'statement.pdf' },
    quote: undefined,
    seen: undefined,
    upload,
    signal: new AbortController().signal,
    onProgress: (share: number) => {
      // In the middle of the next part.
      if (share >= (cuts[0] ?? 2)) setTimeout(line.cut, 700, cuts.shift())
    },
  }
  const started = performance.now()
  let tries = 0
  let message: Message | undefined
  while (!message) {
    tries++
    message = await sendFile({ ask, sendBytes }, work).catch((error: unknown) => {
      if (error instanceof CallError && error.code === NO_ANSWER) return undefined
      throw error
    })
  }
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(
    `${bytes.length} bytes in ${Math.round(seconds)} s and ${tries} tries; ${line.sent()} bytes went over the line\n`,
  )
  line.close()
  expect(tries).toBe(4)
  // Each cut costs less than two parts; 20 MB from the start would be far more.
  expect(line.sent()).toBeLessThan(bytes.length * 1.08)
  const { messages } = await cs.call('room/enter', { code: room })
  expect(messages.map(({ message_id, file }) => [message_id, file?.size])).toEqual([[work.id, bytes.length]])
  const body = Buffer.from(await (await getMedia(server, cs, message.content)).arrayBuffer())
  expect(body.equals(bytes)).toBe(true)
})
