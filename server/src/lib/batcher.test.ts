import { describe, expect, test } from 'vitest'
import { batcher } from './batcher.ts'
import { Refused } from './refusal.ts'

/** A batch function whose batches stay in flight until `land` or `crash` is called. */
const pausedRun = () => {
  const flights: { items: number[]; land: (answers?: (number | Error)[]) => void; crash: () => void }[] = []
  const run = (items: number[]) =>
    new Promise<(number | Error)[]>((resolve, reject) => {
      flights.push({
        items,
        land: (answers = items.map((item) => item * 2)) => resolve(answers),
        crash: () => reject(new Error('the database is away')),
      })
    })
  return { flights, run }
}
const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('batcher', () => {
  test('items that arrive while a batch is in flight share the next batch', async () => {
    const { flights, run } = pausedRun()
    const ask = batcher(run)
    const first = ask(1)
    await tick()
    const rest = [2, 3, 4].map(ask)
    await tick()
    expect(flights.map(({ items }) => items)).toEqual([[1]])
    flights[0]?.land()
    expect(await first).toBe(2)
    await tick()
    expect(flights[1]?.items).toEqual([2, 3, 4])
    flights[1]?.land()
    expect(await Promise.all(rest)).toEqual([4, 6, 8])
  })

  test('an error of one item does not fail the others; a crash fails its batch and not the next', async () => {
    const { flights, run } = pausedRun()
    const ask = batcher(run)
    const [good, bad] = [ask(1), ask(2)]
    await tick()
    flights[0]?.land([2, new Error('only me')])
    expect(await good).toBe(2)
    await expect(bad).rejects.toThrow('only me')
    const lost = ask(3)
    await tick()
    flights[1]?.crash()
    await expect(lost).rejects.toThrow('the database is away')
    const next = ask(4)
    await tick()
    flights[2]?.land()
    expect(await next).toBe(8)
  })

  test('batches are no larger than allowed, and a full queue refuses at once', async () => {
    const { flights, run } = pausedRun()
    const ask = batcher(run, { maxBatch: 2, maxQueue: 3 })
    const going = ask(1)
    await tick()
    const waiting = [2, 3, 4].map(ask)
    await expect(ask(5)).rejects.toEqual(new Refused('server.busy'))
    flights[0]?.land()
    await going
    await tick()
    expect(flights[1]?.items).toEqual([2, 3])
    flights[1]?.land()
    await tick()
    flights[2]?.land()
    expect(await Promise.all(waiting)).toEqual([4, 6, 8])
  })
})
