import { Refused } from './refusal.ts'

/**
 * Gathers single requests into batches without a timer: while one batch is in flight the next gathers,
 * so an idle caller waits for nothing and a busy one shares the round trips.
 * `run` answers each item in its place, with an Error for one that failed alone.
 */
export const batcher = <I, O>(
  run: (items: I[]) => Promise<(O | Error)[]>,
  { most = 200, lanes = 1, longest = 10_000 } = {},
) => {
  type Waiting = { item: I; resolve: (answer: O) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let flying = 0

  const fly = async (batch: Waiting[]) => {
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
      flying--
      depart()
    }
  }

  const depart = () => {
    if (flying >= lanes || waiting.length === 0) return
    flying++
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    void fly(batch)
  }

  return (item: I): Promise<O> =>
    new Promise((resolve, reject) => {
      // A queue that only grows would answer everyone too late: whoever comes now is told to come again.
      if (waiting.length >= longest) return reject(new Refused('server.busy'))
      waiting.push({ item, resolve, reject })
      // What the same look at the sockets has brought travels together.
      setImmediate(depart)
    })
}
