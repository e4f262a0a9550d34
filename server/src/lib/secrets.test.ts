import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hmac } from './secrets.ts'

test('[R11] a request has the same hash as in the versions that used createHmac', () => {
  for (const length of [0, 1, 32, 64]) {
    const key = randomBytes(length)
    for (const text of ['', 'a', 'é 😀 \ud800', 'x'.repeat(1000)])
      expect(hmac(key)(text)).toEqual(createHmac('sha256', key).update(text).digest())
  }
  expect(() => hmac(randomBytes(65))).toThrow()
})
