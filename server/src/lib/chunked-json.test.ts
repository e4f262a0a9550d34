import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { jsonInSlices, LongAnswer } from './chunked-json.ts'

test('[LIM-01] a long answer is one JSON text whose lines can be parsed one by one', async () => {
  const rows = Array.from({ length: 2500 }, (_, id) => ({ id, nickname: 'a "quoted"\nline }},{"id":' }))
  const data = { total: 2500, totals: null }
  const answer = { code: OK, message: 'Success', data: { ...data, data: rows } }
  const long = new LongAnswer({ data: [], ...data }, rows, (row) => row)
  const parts: string[] = []
  for await (const part of jsonInSlices({ ...answer, data: long })) parts.push(part)
  const text = parts.join('')
  expect(JSON.parse(text)).toEqual(answer)
  const [head, ...lines] = text.split('\n')
  expect(JSON.parse(`${head}${lines.pop()}`)).toEqual({ ...answer, data: { ...answer.data, data: [] } })
  expect(lines.flatMap((line) => JSON.parse(`[${line.replace(/,$/, '')}]`) as unknown)).toEqual(rows)
})

test('a fault in the rows refuses the answer before any of it is sent', () => {
  const shapeRow = () => {
    throw new Error('no such field')
  }
  expect(() => new LongAnswer({}, [{}], shapeRow)).toThrow('no such field')
})
