import { createServer, type IncomingMessage } from 'node:http'
import type { ReceiveOptions } from '@tallyroom/client'
import { tallyroom } from './tallyroom.ts'

/** A server that takes webhooks. `onEvent` gets each event once, in order, and `store` keeps how far it has come. */
export const eventServer = (how: ReceiveOptions) => {
  const events = tallyroom.receive(how)
  const take = async (incoming: IncomingMessage) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const { status, error } = await events.take(incoming.headers, Buffer.concat(parts))
    if (status === 503) console.error(error)
    return status
  }
  const server = createServer((incoming, answer) => {
    // What was cut off on the way is sent again.
    take(incoming).then(
      (status) => answer.writeHead(status).end(),
      () => answer.destroy(),
    )
  })
  return { server, catchUp: () => events.catchUp() }
}

/** Tells Tallyroom where that server is. Keep the secret: it is not shown again. */
export const addEndpoint = async (url: string) => {
  const { secret } = await tallyroom.endpoint.add({ url, kinds: ['request.paid', 'member.added', 'message.added'] })
  return secret
}
