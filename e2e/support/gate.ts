import { createServer, request, type Server as HttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Server } from './server.ts'

/** A reverse proxy in front of a server. It can be shut, and can pretend that the server runs another build. */
export type Gate = {
  url: string
  shut(is: boolean): void
  /** Serves this text as /sw.js and 404 for the old build's files; undefined restores the server's own. */
  build(worker: string | undefined): void
  close(): void
}

export const openGate = async (server: Server): Promise<Gate> => {
  const { port } = new URL(server.url)
  const open = new Set<Socket>()
  let isShut = false
  let worker: string | undefined
  const gate: HttpServer = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    if (worker !== undefined && url === '/sw.js')
      return outgoing.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }).end(worker)
    if (worker !== undefined && url.startsWith('/assets/')) return outgoing.writeHead(404).end()
    const sent = request({ port, path: url, method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  })
  gate.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    if (isShut) socket.destroy()
  })
  gate.on('upgrade', (incoming, socket: Socket) => {
    const upstream = connect(Number(port), 'localhost', () => {
      const lines = incoming.rawHeaders.flatMap((name, at, all) => (at % 2 ? [] : [`${name}: ${all[at + 1]}`]))
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => gate.listen(0, resolve))
  const address = gate.address()
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
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
