import { setImmediate } from 'node:timers/promises'

/** So many rows take a few milliseconds. */
const SLICE = 1000

type Long = { data: unknown[] }
/** An answer of so many rows that others would notice. */
export const isLong = (data: unknown): data is Long =>
  typeof data === 'object' && data !== null && 'data' in data && Array.isArray(data.data) && data.data.length > SLICE

/** `map` of each row, in slices between which others' calls have their turn. */
export const inSlices = async <A, B>(rows: readonly A[], map: (row: A) => B): Promise<B[]> => {
  const made: B[] = []
  for (let at = 0; at < rows.length; at += SLICE) {
    if (at > 0) await setImmediate()
    for (const row of rows.slice(at, at + SLICE)) made.push(map(row))
  }
  return made
}

/** JSON.stringify of an answer whose `data` holds many rows, piece by piece. */
export async function* jsonInSlices({ data, ...answer }: { code: number; message: string; data: Long }) {
  const { data: rows, ...rest } = data
  yield `${JSON.stringify({ ...answer, data: rest }).slice(0, -2)},"data":[`
  for (let at = 0; at < rows.length; at += SLICE) {
    if (at > 0) await setImmediate()
    yield (at > 0 ? ',' : '') + JSON.stringify(rows.slice(at, at + SLICE)).slice(1, -1)
  }
  yield ']}}'
}
