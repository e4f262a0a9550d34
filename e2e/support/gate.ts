import { createServer, request, type Server as HttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Server } from './server.ts'

/** A reverse proxy in front of a server. It can be shut, and can pretend that the server runs another build. */
export type Gate = {
  url: string
  shut(is: boolean): void
  /** From now on /sw.js is this text and the old build's files are gone; undefined: as the server has it. */
  build(worker: string | undefined): void
  close(): void
}

export const openGate = async (server: Server): Promise<Gate> => {
  const { port } = new URL(server.url)
  const open = new Set<Socket>()
  let isShut = false
  let worker: string | undefined
  const gate: HttpServer = createServer((asked, answer) => {
    const { url = '/', method, headers } = asked
    if (worker !== undefined && url === '/sw.js')
      return answer.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }).end(worker)
    if (worker !== undefined && url.startsWith('/assets/')) return answer.writeHead(404).end()
    const sent = request({ port, path: url, method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    sent.on('error', () => answer.destroy())
    asked.pipe(sent)
  })
  gate.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    if (isShut) socket.destroy()
  })
  gate.on('upgrade', (asked, socket: Socket) => {
    const behind = connect(Number(port), 'localhost', () => {
      const lines = asked.rawHeaders.flatMap((name, at, all) => (at % 2 ? [] : [`${name}: ${all[at + 1]}`]))
      behind.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      behind.pipe(socket).pipe(behind)
    })
    behind.on('error', () => socket.destroy())
    socket.on('error', () => behind.destroy())
  })
  await new Promise<void>((resolve) => gate.listen(0, resolve))
  const place = gate.address()
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://localhost:${typeof place === 'object' && place ? place.port : 0}`,
    shut(is) {
      isShut = is
      if (is) cut()
    },
    build(text) {
      worker = text
    },
    close() {
      gate.close()
      cut()
    },
  }
}
