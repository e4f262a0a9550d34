import { randomUUID } from 'node:crypto'
import { makeWire } from '../../server/src/wire.ts'
import { answerParent } from '../lib/child.ts'
import { asRequest, HttpConnection, isOk } from '../lib/http.ts'
import { quantile } from '../lib/stats.ts'

/** Who gives to whom: the agent's token and the member. */
export type Pair = [token: string, member: number]

let requests: Buffer[] = []

const questions = {
  /** Seals requests ahead, so that what a browser does on its own machine is not counted here. */
  prepare: ({ url, secret, pairs, count }: { url: string; secret: string; pairs: Pair[]; count: number }) => {
    const wire = makeWire(secret)
    requests = Array.from({ length: count }, () => {
      const [token, id] = pairs[Math.floor(Math.random() * pairs.length)] as Pair
      const input = { id, amount: '0.01', remark: '', request_id: randomUUID() }
      return asRequest(url, 'user/transaction', token, wire.seal('user/transaction', input))
    })
  },

  /** Clients that each send their next request when the last was answered, until the time or the requests are over. */
  run: async ({ url, clients, seconds }: { url: string; clients: number; seconds: number }) => {
    const connections = await Promise.all(Array.from({ length: clients }, () => HttpConnection.open(url)))
    const latencies: number[] = []
    const refused: string[] = []
    const began = performance.now()
    const end = began + seconds * 1000
    await Promise.all(
      connections.map(
        (connection) =>
          new Promise<void>((resolve) => {
            const next = () => {
              const request = performance.now() < end ? requests.pop() : undefined
              if (!request) return resolve()
              const sent = performance.now()
              connection.send(request, (body) => {
                if (isOk(body)) latencies.push(performance.now() - sent)
                else refused.push(body)
                next()
              })
            }
            next()
          }),
      ),
    )
    const took = (performance.now() - began) / 1000
    for (const connection of connections) connection.close()
    if (refused.length) throw new Error(`${refused.length} transfers were refused: ${refused[0]}`)
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
    return { count: latencies.length, rate: latencies.length / took, p50, p99 }
  },
}
export type LedgerClient = typeof questions

answerParent(questions)
