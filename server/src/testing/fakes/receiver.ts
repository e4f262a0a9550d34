import { createServer, type IncomingHttpHeaders } from 'node:http'

export type ReceivedEvent = {
  path: string
  headers: IncomingHttpHeaders
  text: string
  body: {
    id: string
    type: string
    timestamp: string
    seq: number
    member_seq: number | null
    after_gap?: boolean
    data: Record<string, unknown>
  }
}
type Reply = { status: number; headers?: Record<string, string>; body?: string }

/** A platform's server that events are sent to. `answer` may wait before it answers; without it all are taken. */
export const startReceiver = async () => {
  const received: ReceivedEvent[] = []
  let answer: (event: ReceivedEvent) => Reply | Promise<Reply> = () => ({ status: 204 })
  const listener = createServer((request, reply) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as ReceivedEvent['body']
      const event = { path: request.url ?? '', headers: request.headers, text, body }
      received.push(event)
      void Promise.resolve(answer(event)).then(({ status, headers, body: words }) =>
        reply.writeHead(status, headers).end(words),
      )
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    received,
    at: (path: string) => received.filter((event) => event.path === path),
    answers(next: typeof answer) {
      answer = next
    },
    close: () => {
      listener.closeAllConnections()
      listener.close()
    },
  }
}
