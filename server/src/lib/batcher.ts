import type { BatchFacts } from './measures.ts'
import { Refused } from './refusal.ts'
import type { BatchTraces, Joined } from './traces.ts'

type BatcherOptions = {
  maxBatch?: number
  maxQueue?: number
  onBatch?: ((batch: BatchFacts) => void) | undefined
  traces?: BatchTraces | undefined
}

/**
 * Puts single requests into batches without a timer: while one batch is in flight the next one fills, so a single
 * request does not wait and many share the round trips. Two batches in flight would be smaller and together slower.
 * `run` answers each item at its index, with an Error for an item that failed alone.
 */
export const batcher = <I, O>(
  run: (items: I[]) => Promise<(O | Error)[]>,
  { maxBatch = 200, maxQueue = 10_000, onBatch, traces }: BatcherOptions = {},
) => {
  type Waiting = { item: I; resolve: (answer: O) => void; reject: (error: unknown) => void; joined?: Joined }
  let waiting: Waiting[] = []
  let isInFlight = false

  const runBatch = async (batch: Waiting[]) => {
    const began = performance.now()
    const left = waiting.length
    try {
      const begun = () => run(batch.map(({ item }) => item))
      const answers = await (traces
        ? traces.run(
            batch.map(({ joined }) => joined),
            begun,
          )
        : begun())
      batch.forEach(({ resolve, reject }, at) => {
        const answer = answers[at]
        if (answer instanceof Error) reject(answer)
        else resolve(answer as O)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      onBatch?.({ size: batch.length, left, seconds: (performance.now() - began) / 1000 })
      isInFlight = false
      startBatch()
    }
  }

  const startBatch = () => {
    if (isInFlight || waiting.length === 0) return
    isInFlight = true
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    void runBatch(batch)
  }

  return (item: I): Promise<O> =>
    new Promise((resolve, reject) => {
      // An unbounded queue would answer everyone too late; a refused caller can try again.
      if (waiting.length >= maxQueue) return reject(new Refused('server.busy'))
      waiting.push({ item, resolve, reject, joined: traces?.join() })
      // Requests read in the same event-loop tick share a batch.
      setImmediate(startBatch)
    })
}
