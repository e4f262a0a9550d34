import { expect, test } from 'vitest'
import { parsePoints } from '../points.ts'
import { writings } from './amount-writings.ts'
import { readAmount, shortAmount } from './typed-amount.ts'

const outcome = (typed: string) => {
  const { problem, ...read } = readAmount(typed)
  return problem ?? { amount: 'amount' in read ? read.amount : undefined }
}

test.each(writings)('[TEXT-01] %j is read as %j', (typed, expected) => {
  expect(outcome(typed)).toEqual(expected)
})

test('[TEXT-01] the table has about 200 writings, each once', () => {
  expect(writings.length).toBeGreaterThanOrEqual(200)
  expect(new Set(writings.map(([typed]) => typed)).size).toBe(writings.length)
})

test('[TEXT-01] [TRF-09] what is read is an amount of the contract, and reads as itself', () => {
  for (const [typed] of writings) {
    const read = readAmount(typed)
    if (read.problem || read.amount === undefined) continue
    expect(readAmount(read.text), typed).toEqual(read)
    expect(parsePoints(read.amount), typed).toBeDefined()
  }
})

test('[TEXT-01] a long text is no amount, and costs nothing', () => {
  for (const text of ['1'.repeat(100_000), '1,'.repeat(100_000), ' '.repeat(100_000), 'a'.repeat(100_000)])
    expect(outcome(text)).toBe('not_one')
})

test('[TEXT-01] an unfinished amount is no problem, and no amount', () => {
  for (const typed of ['', '.', ',', ' ']) {
    const read = readAmount(typed)
    expect([read.problem, 'amount' in read], typed).toEqual([undefined, false])
  }
})

test.each([
  ['1.250', ['1250', '1.25']],
  ['1,234', ['1234', '1.2340']],
  ['100.000', ['100000', '100']],
])('[TEXT-01] %j may mean %j, and each of these is read as itself', (typed, meanings) => {
  expect(readAmount(typed)).toEqual({ problem: 'two_readings', meanings })
  for (const one of meanings) expect(outcome(one)).toEqual({ amount: one })
})

test.each([
  ['250.0000', '250'],
  ['1.2500', '1.25'],
  ['1.2340', '1.2340'],
  ['0.1250', '0.125'],
  ['1234.5670', '1234.567'],
  ['0.0000', '0'],
  ['100', '100'],
])('[TEXT-01] %s is shortened to %s, which is read in one way only', (amount, short) => {
  expect(shortAmount(amount)).toBe(short)
  expect(parsePoints(short)).toBe(parsePoints(amount))
  expect(readAmount(short).problem).toBeUndefined()
})
