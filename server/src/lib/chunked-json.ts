import { setImmediate } from 'node:timers/promises'

/** This many rows take a few milliseconds. */
const SLICE = 1000

type Rows = { data: unknown[] }
/** An answer with so many rows that working on all of them in one go would delay other calls. */
export const isLong = (data: unknown): data is Rows =>
  typeof data === 'object' && data !== null && 'data' in data && Array.isArray(data.data) && data.data.length > SLICE

/** The rows in slices, from `start` on; other calls run between them. */
async function* slicesOf<A>(rows: readonly A[], start = 0) {
  for (let at = start; at < rows.length; at += SLICE) {
    if (at > 0) await setImmediate()
    yield rows.slice(at, at + SLICE)
  }
}

export const mapInSlices = async <A, B>(rows: readonly A[], map: (row: A) => B): Promise<B[]> => {
  const made: B[] = []
  for await (const slice of slicesOf(rows)) for (const row of slice) made.push(map(row))
  return made
}

/** A long answer whose rows are shaped while it is sent: the first are on their way while the others are worked on. */
export class LongAnswer {
  readonly rest: object
  private readonly rows: readonly unknown[]
  private readonly shapeRow: (row: unknown) => unknown
  private readonly first: unknown[]
  /** `rest`: the answer without its rows. @throws what `shapeRow` throws for the first slice */
  constructor(rest: object, rows: readonly unknown[], shapeRow: (row: unknown) => unknown) {
    this.rest = rest
    this.rows = rows
    this.shapeRow = shapeRow
    // A fault of the call is refused like any other. Of the rest of the rows it ends the connection.
    this.first = rows.slice(0, SLICE).map(shapeRow)
  }

  /** The shaped rows in slices. */
  async *slices(): AsyncGenerator<unknown[]> {
    yield this.first
    for await (const slice of slicesOf(this.rows, SLICE)) yield slice.map(this.shapeRow)
  }
}

/**
 * JSON.stringify of a long answer, piece by piece. Around each piece is a line break, so that the browser can parse it while
 * the next one comes (web/src/api/read-rows.ts).
 */
export async function* jsonInSlices({ data, ...answer }: { code: number; message: string; data: LongAnswer }) {
  const head = JSON.stringify({ ...answer, data: { ...data.rest, data: undefined } })
  let before = `${head.slice(0, -2)},"data":[\n`
  for await (const slice of data.slices()) {
    yield before + JSON.stringify(slice).slice(1, -1)
    before = ',\n'
  }
  yield '\n]}}'
}
