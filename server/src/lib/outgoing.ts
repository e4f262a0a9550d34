import type { Measures, OutgoingKind } from './measures.ts'
import type { Traces } from './traces.ts'

/** The names of their spans. */
const spans: Record<OutgoingKind, string> = {
  webhook: 'send webhook',
  push: 'send push',
  sms: 'send SMS',
  bot: 'ask AI',
}

/**
 * Sends something to another service, counts it and records it as a span. `headers` continue the trace there; a service
 * that others have chosen learns nothing of our traces, so its work leaves them out. `answerOf` is the status or error that
 * it sent; without it, what does not throw has succeeded.
 */
export type Outgoing = <T>(
  kind: OutgoingKind,
  work: (headers: Record<string, string>) => Promise<T>,
  answerOf?: (sent: T) => string,
) => Promise<T>

export const makeOutgoing =
  ({ outgoing: count }: Pick<Measures, 'outgoing'>, traces?: Traces): Outgoing =>
  async (kind, work, answerOf) => {
    const began = performance.now()
    const done = (outcome: 'success' | 'failed') => count(kind, outcome, (performance.now() - began) / 1000)
    try {
      const sent = await (traces ? traces.outgoing(spans[kind], work, answerOf) : work({}))
      done(!answerOf || /^2\d\d$/.test(answerOf(sent)) ? 'success' : 'failed')
      return sent
    } catch (error) {
      done('failed')
      throw error
    }
  }

/** Parts that run without a server, such as tests, use this one. */
export const uncounted = makeOutgoing({ outgoing: () => {} })
