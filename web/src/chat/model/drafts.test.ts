import { describe, expect, it } from 'vitest'
import { CallError, type call, NO_ANSWER } from '../../api/call.ts'
import { whisperKeyOf, makeDrafts } from './drafts.ts'

type Drafts = ReturnType<typeof makeDrafts>

/** A server with the drafts of one account, and a browser of it. */
const setUp = () => {
  const server = new Map<string, { content: string; version: number; sent?: number }>()
  let off = false
  let delayed = Promise.resolve()
  const saved: string[] = []
  const ask = (async (name: string, input: { code: string; inside: boolean; content: string; upon: number }) => {
    await delayed
    if (off) throw new CallError(NO_ANSWER, 'no answer')
    if (name === 'draft/list') return { data: [...server].map(([code, draft]) => ({ code, inside: false, ...draft })) }
    const key = `${input.inside ? 'inside ' : ''}${input.code}`
    const { version: before = 0, sent = 0 } = server.get(key) ?? {}
    if (sent > input.upon) return { version: before, kept: false }
    server.set(key, { content: input.content, version: before + 1, sent })
    saved.push(input.content)
    return { version: before + 1, kept: true }
  }) as unknown as typeof call
  let stored: string | undefined
  const storage = () => ({ read: () => stored, write: (text: string) => void (stored = text) })
  const openEarly = () => makeDrafts(storage, ask, 0)
  const open = async () => {
    const drafts = openEarly()
    await drafts.load()
    return drafts
  }
  return {
    server,
    saved,
    open,
    openEarly,
    cut: (is: boolean) => void (off = is),
    delayUntil: (until: Promise<void>) => void (delayed = until),
  }
}
const idle = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('drafts', () => {
  it('are stored on every keystroke and saved after a pause', async () => {
    const { saved, open, openEarly } = setUp()
    const drafts = await open()
    for (const text of ['D', 'De', 'Dear']) drafts.keep('r', text)
    expect([drafts.of('r'), openEarly().of('r'), saved]).toEqual(['Dear', 'Dear', []])
    await idle()
    expect(saved).toEqual(['Dear'])
    drafts.keep('r', '')
    await idle()
    expect([saved, openEarly().of('r')]).toEqual([['Dear', ''], ''])
  })

  it('a draft typed without a connection is neither lost nor overwritten, and is saved later', async () => {
    const { server, openEarly, cut } = setUp()
    const drafts = openEarly()
    cut(true)
    drafts.keep('r', 'mine')
    await idle()
    server.set('r', { content: 'theirs', version: 4 })
    drafts.receive({ code: 'r', inside: false, content: 'theirs', version: 4 })
    const reloaded = openEarly()
    expect(reloaded.of('r')).toBe('mine')
    cut(false)
    await reloaded.load()
    await idle()
    expect([reloaded.of('r'), server.get('r')]).toEqual(['mine', { content: 'mine', version: 5, sent: 0 }])
  })

  it('takes over a newer draft of another device, but not an older or repeated one', async () => {
    const { server, open } = setUp()
    server.set('r', { content: 'from the phone', version: 3 })
    const drafts = await open()
    expect(drafts.of('r')).toBe('from the phone')
    drafts.receive({ code: 'r', inside: false, content: 'late', version: 2 })
    expect(drafts.of('r')).toBe('from the phone')
    drafts.receive({ code: 'r', inside: false, content: '', version: 4 })
    expect(drafts.of('r')).toBe('')
  })

  it('the whisper draft and the draft for the partner are separate', async () => {
    const { server, open } = setUp()
    const drafts = await open()
    drafts.keep('r', 'hello')
    drafts.keep(whisperKeyOf('r'), 'careful')
    await idle()
    expect([server.get('r')?.content, server.get('inside r')?.content]).toEqual(['hello', 'careful'])
    drafts.receive({ code: 'r', inside: true, content: 'careful!', version: 2 })
    expect([drafts.of('r'), drafts.of(whisperKeyOf('r'))]).toEqual(['hello', 'careful!'])
  })

  it('a message is sent with the draft version that the server has, or is about to have', async () => {
    const { server, open, saved, delayUntil } = setUp()
    const drafts = await open()
    drafts.keep('r', 'quick')
    expect(drafts.versionOf('r')).toBe(undefined)
    await idle()
    expect(drafts.versionOf('r')).toBe(1)
    drafts.keep('r', 'quick!')
    let goOn = () => {}
    delayUntil(new Promise<void>((resolve) => (goOn = resolve)))
    await idle()
    expect(drafts.versionOf('r')).toBe(2)
    drafts.sent('r')
    // The message arrives before the save: the server has emptied the draft, so this page does too.
    server.set('r', { content: '', version: 2, sent: 2 })
    drafts.receive({ code: 'r', inside: false, content: '', version: 2 })
    goOn()
    await idle()
    expect([drafts.of('r'), drafts.versionOf('r')]).toEqual(['', 2])
    expect(saved).toEqual(['quick'])
  })

  it('a text that was continued before another device sent the draft stays', async () => {
    const { server, open } = setUp()
    const drafts = await open()
    drafts.keep('r', 'mine')
    server.set('r', { content: '', version: 7, sent: 7 })
    drafts.receive({ code: 'r', inside: false, content: '', version: 7 })
    expect(drafts.of('r')).toBe('mine')
    await idle()
    await idle()
    expect([drafts.of('r'), server.get('r')]).toEqual(['mine', { content: 'mine', version: 8, sent: 7 }])
  })

  const ends = [
    ['sent', (drafts: Drafts) => drafts.sent('r')],
    ['erased', (drafts: Drafts) => drafts.keep('r', '')],
  ] as const

  it.each(ends)('[CONV-02] a draft that arrives after another text was %s is shown then, and stays', async (_, end) => {
    const { server, openEarly } = setUp()
    server.set('r', { content: 'half', version: 3 })
    const drafts = openEarly()
    drafts.keep('r', 'yes')
    await idle()
    end(drafts)
    await drafts.load()
    await idle()
    expect([drafts.of('r'), server.get('r')?.content]).toEqual(['half', 'half'])
  })

  it.each(ends)('[CONV-02] a draft that arrives while a text is typed comes back when that is %s', async (_, end) => {
    const { server, openEarly } = setUp()
    server.set('r', { content: 'half', version: 3 })
    const drafts = openEarly()
    drafts.keep('r', 'ye')
    await drafts.load()
    drafts.keep('r', 'yes')
    expect(drafts.of('r')).toBe('yes')
    await idle()
    end(drafts)
    expect(drafts.of('r')).toBe('half')
    await idle()
    expect(server.get('r')?.content).toBe('half')
    drafts.sent('r')
    expect(drafts.of('r')).toBe('')
  })

  it('an earlier draft that another device has sent meanwhile does not come back', async () => {
    const { server, openEarly } = setUp()
    server.set('r', { content: 'half', version: 3 })
    const drafts = openEarly()
    drafts.keep('r', 'yes')
    await drafts.load()
    drafts.receive({ code: 'r', inside: false, content: '', version: 9 })
    drafts.sent('r')
    expect(drafts.of('r')).toBe('')
  })
})
