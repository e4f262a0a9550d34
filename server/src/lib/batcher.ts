import { Refused } from './refusal.ts'

/**
 * Puts single requests into batches without a timer: while one batch is in flight the next one fills, so a single
 * request does not wait and many share the round trips.
 * `run` answers each item at its index, with an Error for an item that failed alone.
 */
export const batcher = <I, O>(
  run: (items: I[]) => Promise<(O | Error)[]>,
  { most: maxBatch = 200, lanes = 1, longest: maxQueue = 10_000 } = {},
) => {
  type Waiting = { item: I; resolve: (answer: O) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let inFlight = 0

  const runBatch = async (batch: Waiting[]) => {
    try {
      const answers = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve, reject }, at) => {
        const answer = answers[at]
        if (answer instanceof Error) reject(answer)
        else resolve(answer as O)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      inFlight--
      startBatch()
    }
  }

  const startBatch = () => {
    if (inFlight >= lanes || waiting.length === 0) return
    inFlight++
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    void runBatch(batch)
  }

  return (item: I): Promise<O> =>
    new Promise((resolve, reject) => {
      // With an unbounded queue everyone would be answered too late; a refused caller can try again.
      if (waiting.length >= maxQueue) return reject(new Refused('server.busy'))
      waiting.push({ item, resolve, reject })
      // Requests read in the same event-loop tick share a batch.
      setImmediate(startBatch)
    })
}
