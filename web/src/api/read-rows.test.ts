import { expect, test } from 'vitest'
import { readRows } from './read-rows.ts'

const rows = Array.from({ length: 5 }, (_, id) => ({ id, nickname: 'ไทย }},{"id":' }))
const answer = { code: 1000, message: 'Success', data: { total: 5, totals: null, data: rows } }
const lineOf = (some: object[]) => JSON.stringify(some).slice(1, -1)
/** As the server writes it (server/src/lib/chunked-json.ts). */
const inLines =
  '{"code":1000,"message":"Success","data":{"total":5,"totals":null,"data":[\n' +
  `${lineOf(rows.slice(0, 2))},\n${lineOf(rows.slice(2))}\n]}}`

/** An answer that arrives in pieces of some bytes, also within a letter. */
const inPieces = (text: string, size: number) => {
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      for (let at = 0; at < bytes.length; at += size) stream.enqueue(bytes.slice(at, at + size))
      stream.close()
    },
  })
  return { body } as Response
}

test.each([1, 7, 1000])('[LIM-01] rows are read in pieces of %i bytes', async (size) => {
  expect(await readRows(inPieces(inLines, size))).toEqual(answer)
  // A short answer, and one of an older server, have no line breaks.
  expect(await readRows(inPieces(JSON.stringify(answer), size))).toEqual(answer)
})

test('[R1] an answer that ends early is none, wherever it ends', async () => {
  expect(JSON.parse(inLines)).toEqual(answer)
  for (let length = 0; length < inLines.length; length++)
    await expect(readRows(inPieces(inLines.slice(0, length), 40))).rejects.toThrow()
})
