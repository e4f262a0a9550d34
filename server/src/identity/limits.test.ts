import { OK } from '@tallyroom/contract'
import { describe, expect, test } from 'vitest'
import { networkOf } from '../lib/address.ts'
import { makeLimits } from './limits.ts'
import { startTestServer } from '../testing/app.ts'

const rates = { read: 10, write: 2, upload: 1, open: 1, address: 1000, key: 1000 }

describe('limits', () => {
  test('a bucket refills with time; each class and caller has its own', () => {
    let now = 0
    const take = makeLimits({ limits: rates }, () => now)
    for (let n = 0; n < 10; n++) expect(take('write', 'a')).toBeUndefined()
    expect(take('write', 'a')).toBe(1)
    expect([take('write', 'b'), take('read', 'a')]).toEqual([undefined, undefined])
    now = 0.5
    expect([take('write', 'a'), take('write', 'a')]).toEqual([undefined, 1])
  })

  test('off means no limit', () => {
    const take = makeLimits({ limits: undefined })
    for (let n = 0; n < 10_000; n++) expect(take('open', networkOf('10.0.0.1'))).toBeUndefined()
  })

  test('[S29] a session that calls too often gets 429 and the time to wait; others do not', async () => {
    const server = await startTestServer({ CALL_LIMITS: 'on', READS_PER_SECOND: '1' })
    const { agent, cs } = await server.family()
    const body = () => server.wire.seal('user/view', {})
    const asked = await Promise.all(
      Array.from({ length: 30 }, () => server.post('user/view', body(), { authorization: `Bearer ${agent.token}` })),
    )
    const refused = asked.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(15)
    expect(refused[0]?.reply).toMatchObject({ refusal: 'request.too_often', data: { seconds: 1 } })
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect((await cs.ask('user/view', {})).code).toBe(OK)
  })

  test('[S29] calls without a session are counted by address, whatever address they claim', async () => {
    const server = await startTestServer({ CALL_LIMITS: 'on', OPEN_CALLS_PER_SECOND: '1' })
    const asked = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        server.post('member/invitation', server.wire.seal('member/invitation', { share_code: 'x' }), {
          'x-forwarded-for': `10.0.0.${n}`,
        }),
      ),
    )
    expect(asked.filter(({ status }) => status === 429).length).toBeGreaterThan(20)
  })
})
