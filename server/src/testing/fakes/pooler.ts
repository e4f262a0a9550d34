import { createServer } from 'node:net'

const SSL_REQUEST = 80877103
const message = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const number = (value: number, bytes: 2 | 4) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}
const ready = message('Z', Buffer.from('I'))
const hello = Buffer.concat([message('R', number(0, 4)), message('K', number(1, 4), number(0, 4)), ready])
/** One row with one number, whatever was asked. */
const answerOf = (backend: number) => {
  const text = Buffer.from(String(backend))
  const column = [number(0, 4), number(0, 2), number(23, 4), number(4, 2), number(-1, 4), number(0, 2)]
  return Buffer.concat([
    message('T', number(1, 2), Buffer.from('id\0'), ...column),
    message('D', number(1, 2), number(text.length, 4), text),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ])
}

/**
 * The port of a pooler in transaction mode: each statement of any client gets the next one of these processes of
 * PostgreSQL.
 */
export const openFakePooler = (...processes: number[]): Promise<{ port: number; close: () => void }> =>
  new Promise((resolve) => {
    let statements = 0
    const server = createServer((socket) => {
      let isGreeted = false
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        if (isGreeted)
          return data[0] === 'Q'.charCodeAt(0)
            ? void socket.write(answerOf(processes[statements++ % processes.length] ?? 7))
            : void socket.end()
        if (data.readInt32BE(4) === SSL_REQUEST) return void socket.write('N')
        isGreeted = true
        socket.write(hello)
      })
    }).listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({ port: typeof address === 'object' && address ? address.port : 0, close: () => void server.close() })
    })
  })
