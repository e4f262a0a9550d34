import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'

/** Fetches once without decompressing: milliseconds until the last byte, and the bytes. */
export const timed = (url: string, encoding: string, post?: { token: string; envelope: unknown }) => {
  const began = performance.now()
  return new Promise<{ ms: number; body: Buffer }>((resolve, reject) => {
    const headers = {
      'accept-encoding': encoding,
      ...(post ? { authorization: `Bearer ${post.token}`, 'content-type': 'application/json' } : {}),
    }
    request(url, { method: post ? 'POST' : 'GET', headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${url} answered ${answer.statusCode}`))
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ ms: performance.now() - began, body: Buffer.concat(chunks) }))
    })
      .once('error', reject)
      .end(post ? JSON.stringify(post.envelope) : undefined)
  })
}

/** Serves the plain page and the rows as a file, without a server's other work. */
export const servePlain = async (rows: Buffer): Promise<{ url: string; close(): void }> => {
  const page = readFileSync(new URL('plain.html', import.meta.url))
  const server = createServer(({ url }, answer) => {
    const [type, body] = url === '/rows.json' ? ['application/json', rows] : ['text/html', page]
    answer.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
