export type Turns = <T>(of: number, work: () => Promise<T>) => Promise<T>

/**
 * Does one thing at a time, for all accounts. Only one thing of an account waits in the common queue, its others behind it:
 * what one account sends at once delays others by one thing.
 */
export const makeTurns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  const lastOf = new Map<number, Promise<unknown>>()
  return (of, work) => {
    const before = lastOf.get(of) ?? Promise.resolve()
    const job = before.then(() => {
      const own = last.then(work)
      last = own.catch(() => {})
      return own
    })
    const end: Promise<unknown> = job
      .catch(() => {})
      .then(() => {
        if (lastOf.get(of) === end) lastOf.delete(of)
      })
    lastOf.set(of, end)
    return job
  }
}
