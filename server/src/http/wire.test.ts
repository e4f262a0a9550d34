import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeWire } from './wire.ts'
import { open, seal } from '@tallyroom/contract/wire'

const server = makeWire('a secret')
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('the envelope', () => {
  test('[WIRE-01] the server opens what the browser seals, and the reverse', () => {
    const payload = { username: 'ann', text: 'größer 紅包 🧧', list: [1, { a: null }] }
    expect(server.open('user/list', seal('user/list', payload, 'a secret'))?.payload).toEqual(payload)
    expect(open('user/list', server.seal('user/list', payload).params, 'a secret')).toEqual(payload)
  })

  test('[WIRE-01] the same payload is never sealed to the same text twice', () => {
    expect(seal('user/list', {}, 'a secret').params).not.toBe(seal('user/list', {}, 'a secret').params)
  })

  test('[S6] an envelope for one call does not open for another', () => {
    expect(server.open('user/delete', seal('user/view', { id: 1 }, 'a secret'))).toBeUndefined()
  })

  test('[S6] an envelope with a flipped bit does not open, even with a new key hash', () => {
    for (let round = 0; round < 20; round++) {
      const sealed = seal('user/view', { id: round, word: 'x'.repeat(round) }, 'a secret')
      const bytes = Buffer.from(sealed.params, 'base64url')
      for (let at = 0; at < bytes.length; at++) {
        const bent = Buffer.from(bytes)
        bent[at] = (bent[at] ?? 0) ^ (1 << (at % 8))
        const params = bent.toString('base64url')
        expect(server.open('user/view', { params, key: sealed.key })).toBeUndefined()
        expect(server.open('user/view', { params, key: md5(`${params}a secret`) })).toBeUndefined()
      }
    }
  })

  test('[WIRE-02] another secret opens nothing', () => {
    expect(server.open('user/view', seal('user/view', {}, 'another'))).toBeUndefined()
  })
})
