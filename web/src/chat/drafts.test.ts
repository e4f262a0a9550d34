import { describe, expect, it } from 'vitest'
import { CallError, type call, NO_ANSWER } from '../call.ts'
import { makeDrafts } from './drafts.ts'

/** A server with the drafts of one account, and a browser of it. */
const setUp = () => {
  const server = new Map<string, { content: string; version: number }>()
  let off = false
  const saved: string[] = []
  const ask = (async (name: string, input: { code: string; content: string }) => {
    await Promise.resolve()
    if (off) throw new CallError(NO_ANSWER, 'no answer')
    if (name === 'draft/list') return { data: [...server].map(([code, draft]) => ({ code, ...draft })) }
    const version = (server.get(input.code)?.version ?? 0) + 1
    server.set(input.code, { content: input.content, version })
    saved.push(input.content)
    return { version }
  }) as unknown as typeof call
  let stored: string | undefined
  const storage = () => ({ read: () => stored, write: (text: string) => void (stored = text) })
  const open = () => makeDrafts(storage, ask, 0)
  return { server, saved, open, cut: (is: boolean) => void (off = is) }
}
const idle = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('drafts', () => {
  it('are kept at every key, and saved when one pauses', async () => {
    const { saved, open } = setUp()
    const drafts = open()
    for (const text of ['D', 'De', 'Dear']) drafts.keep('r', text)
    expect([drafts.of('r'), open().of('r'), saved]).toEqual(['Dear', 'Dear', []])
    await idle()
    expect(saved).toEqual(['Dear'])
    drafts.keep('r', '')
    await idle()
    expect([saved, open().of('r')]).toEqual([['Dear', ''], ''])
  })

  it('what was typed without a connection is neither lost nor overwritten, and saved later', async () => {
    const { server, open, cut } = setUp()
    const drafts = open()
    cut(true)
    drafts.keep('r', 'mine')
    await idle()
    server.set('r', { content: 'theirs', version: 4 })
    drafts.hear({ code: 'r', content: 'theirs', version: 4 })
    const reloaded = open()
    expect(reloaded.of('r')).toBe('mine')
    cut(false)
    await reloaded.load()
    await idle()
    expect([reloaded.of('r'), server.get('r')]).toEqual(['mine', { content: 'mine', version: 5 }])
  })

  it('another device’s newer one is taken, an older or doubled one is not', async () => {
    const { server, open } = setUp()
    server.set('r', { content: 'from the phone', version: 3 })
    const drafts = open()
    await drafts.load()
    expect(drafts.of('r')).toBe('from the phone')
    drafts.hear({ code: 'r', content: 'late', version: 2 })
    expect(drafts.of('r')).toBe('from the phone')
    drafts.hear({ code: 'r', content: '', version: 4 })
    expect(drafts.of('r')).toBe('')
  })
})
