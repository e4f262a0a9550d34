import { expect, test } from 'vitest'
import { networkOf } from '../lib/address.ts'
import { shareLimits } from './shared-limits.ts'

const limits = { read: 10, write: 2, upload: 1, open: 1, address: 1000, key: 1000 }

test.each([[1e15], [2.5e12], [Number.MAX_VALUE]])(
  '[S29] Redis that says %d seconds delays nobody for more than a minute',
  async (wait) => {
    const redis = { isReady: true, eval: async () => wait } as never
    const take = shareLimits({ own: () => undefined, redis, prefix: 'x', limits })
    expect(await take('address', networkOf('203.0.113.9'))).toBe(60)
  },
)

test.each([[Number.NaN], [-5], ['60'], [null], [{}]])('[S29] Redis that answers %s delays nobody', async (wait) => {
  const redis = { isReady: true, eval: async () => wait } as never
  const take = shareLimits({ own: () => undefined, redis, prefix: 'x', limits })
  expect(await take('read', 'a')).toBeUndefined()
})
