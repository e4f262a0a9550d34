import { setImmediate } from 'node:timers/promises'

/** This many rows take a few milliseconds. */
const SLICE = 1000

type LongAnswer = { data: unknown[] }
/** An answer with so many rows that serializing it in one go would delay other calls. */
export const isLong = (data: unknown): data is LongAnswer =>
  typeof data === 'object' && data !== null && 'data' in data && Array.isArray(data.data) && data.data.length > SLICE

/** The rows in slices; other calls run between them. */
async function* slicesOf<A>(rows: readonly A[]) {
  for (let at = 0; at < rows.length; at += SLICE) {
    if (at > 0) await setImmediate()
    yield rows.slice(at, at + SLICE)
  }
}

export const stringifyInSlices = async <A, B>(rows: readonly A[], map: (row: A) => B): Promise<B[]> => {
  const made: B[] = []
  for await (const slice of slicesOf(rows)) for (const row of slice) made.push(map(row))
  return made
}

/** JSON.stringify of an answer whose `data` holds many rows, piece by piece. */
export async function* jsonInSlices({ data, ...answer }: { code: number; message: string; data: LongAnswer }) {
  const { data: rows, ...rest } = data
  let before = `${JSON.stringify({ ...answer, data: rest }).slice(0, -2)},"data":[`
  for await (const slice of slicesOf(rows)) {
    yield before + JSON.stringify(slice).slice(1, -1)
    before = ','
  }
  yield ']}}'
}
