import { describe, expect, test } from 'vitest'
import { makePeers } from './peers.ts'
import { frameSeal } from './sealed-frames.ts'

const seal = frameSeal(Buffer.alloc(32, 1))
const end = { do: 'end', sessions: ['7'], reason: 'frozen' }

describe('[S15] frames between copies', () => {
  test('are read by copies with the same key, and by those of before as they were', () => {
    const frame = { from: 'a', n: 1, deed: end, beat: 3, said: { 'user:7': 2 } }
    const text = seal.write('live', frame)
    expect(seal.readCommon('live', text)).toEqual(frame)
    expect(JSON.parse(text)).toMatchObject(frame)
    const topic = {
      from: 'a',
      beat: 3,
      i: 1,
      deed: { do: 'say', said: [{ event: 'x', to: [], except: [], payload: {} }] },
    }
    expect(seal.readTopic('live:user:7', seal.write('live:user:7', topic))).toEqual(topic)
  })

  test('of a later version may hold what this one does not know', () => {
    const later = { from: 'a', n: 1, deed: { do: 'vanish', whom: 7 }, more: true }
    expect(seal.readCommon('live', seal.write('live', later)).deed?.do).toBe('vanish')
  })

  test('with one changed character are not believed, nor on another channel', () => {
    const text = seal.write('live', { from: 'a', n: 1, deed: end })
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`
      // The last character of the code holds two bits that decode to nothing.
      if (
        Buffer.from(changed.slice(-45, -2), 'base64url').equals(Buffer.from(text.slice(-45, -2), 'base64url')) &&
        at > text.length - 46
      )
        continue
      expect(() => seal.readCommon('live', changed), changed).toThrow()
    }
    expect(() => seal.readCommon('live:user:7', text)).toThrow('signature')
    expect(() => frameSeal(Buffer.alloc(32, 2)).readCommon('live', text)).toThrow('signature')
  })

  test('of a running copy are not done again, whatever their order', () => {
    const peers = makePeers({ onGap: () => {}, onLost: () => {}, sinceOf: () => 0 })
    const said = (n: number, beat: number) => peers.receive({ from: 'a', n, beat }, 0)
    const acted = (n: number) => peers.receive({ from: 'a', n, deed: end as never }, 0)
    said(0, 0)
    expect(acted(1)).toBe(true)
    said(1, 1)
    expect(peers.receiveTopic('user:7', { from: 'a', beat: 2, i: 1, deed: end as never })).toBe(true)
    said(2, 2)
    // All of it once more, as somebody would who has recorded it.
    said(0, 0)
    expect(acted(1)).toBe(false)
    said(1, 1)
    expect(peers.receiveTopic('user:7', { from: 'a', beat: 2, i: 1, deed: end as never })).toBe(false)
    expect(acted(3)).toBe(true)
  })
})
