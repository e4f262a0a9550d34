import type pg from 'pg'
import { announcedProcess } from '../adapters/pg.ts'

export type Pooler = 'none' | 'session' | 'transaction'

const TRIES = 5

const backendOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ id: number }>('select pg_backend_pid() as id')).rows[0]?.id ?? 0

/**
 * Finds out what is between a connection and PostgreSQL. A pooler invents the process number that it tells its clients. In
 * transaction mode a process that one connection has just used is given to the next one, though the first is still
 * open, and with server_round_robin one connection gets them in turn. `onSecond` opens another connection to the same
 * address, for as long as the work takes.
 */
export const poolerOf = async (
  first: pg.Client,
  onSecond: (work: (second: pg.Client) => Promise<Pooler>) => Promise<Pooler>,
): Promise<Pooler> => {
  const announced = announcedProcess(first)
  if (announced === (await backendOf(first))) return 'none'
  return onSecond(async (second) => {
    for (let left = TRIES; left > 0; left--) {
      // Twice: with server_round_robin and two processes the second connection gets the other one each time.
      const [before, after] = [await backendOf(first), await backendOf(first)]
      if (before !== after || after === (await backendOf(second))) return 'transaction'
    }
    return announced === undefined ? 'none' : 'session'
  })
}
