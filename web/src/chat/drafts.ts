import type { Draft } from '@tallyroom/contract/events'
import { CallError, call, newRequestId, NO_ANSWER } from '../call.ts'
import { connected, heard } from '../live.ts'
import { makeTopics } from './topics.ts'

/**
 * What is typed and not sent, by room. It is kept here first, at every key; a while later the server has it too, and with
 * it the account's other devices. What is typed here and not yet there is never overwritten by what comes from there.
 */
type Kept = { text: string; version: number; owed?: true }
type Storage = { read: () => string | undefined; write: (text: string) => void }

const SOON_MS = 800
const LONGEST = 20_000
/** Not of a room itself: whispers stay in the browser in which they are typed. */
const isLocal = (code: string) => code.includes(':')

export const makeDrafts = (storage: () => Storage, ask: typeof call = call, soonMs = SOON_MS) => {
  let all: Record<string, Kept> | undefined
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const saving = new Set<string>()
  const { tell, subscribe } = makeTopics()
  /** Also of those that are empty by now. */
  const versions = new Map<string, number>()
  let era = 0

  const known = (): Record<string, Kept> => {
    all ??= parse(storage().read())
    return all
  }
  const put = (code: string, kept: Kept) => {
    const { [code]: _, ...others } = known()
    all = kept.text || kept.owed ? { ...others, [code]: kept } : others
    versions.set(code, Math.max(kept.version, versions.get(code) ?? 0))
    storage().write(JSON.stringify(all))
    tell(code)
  }
  const owe = (code: string) => {
    clearTimeout(timers.get(code))
    timers.set(
      code,
      setTimeout(() => void save(code), soonMs),
    )
  }

  /** One at a time in each room, and always the newest. */
  const save = async (code: string): Promise<void> => {
    const draft = known()[code]
    if (!draft?.owed || saving.has(code) || draft.text.length > LONGEST) return
    const own = era
    saving.add(code)
    try {
      const { version } = await ask('draft/save', { code, content: draft.text, request_id: newRequestId() })
      if (own !== era) return
      const now = known()[code]
      if (now?.text === draft.text) put(code, { text: draft.text, version: Math.max(version, now.version) })
      else owe(code)
    } catch (error) {
      // Without an answer the next connection saves it. A room that is no longer ours has no place for it there.
      if (own === era && error instanceof CallError && error.code !== NO_ANSWER && known()[code]?.text === draft.text)
        put(code, { text: draft.text, version: draft.version })
    } finally {
      saving.delete(code)
    }
  }

  /** From another device. */
  const hear = ({ code, content, version }: Draft) => {
    const own = known()[code]
    if (own?.owed || (versions.get(code) ?? own?.version ?? 0) >= version) return
    put(code, { text: content, version })
  }
  const load = async (): Promise<void> => {
    const own = era
    const answer = await ask('draft/list', {}).catch(() => undefined)
    if (own !== era || !answer) return
    for (const draft of answer.data) hear(draft)
    for (const [code, { owed }] of Object.entries(known())) if (owed) void save(code)
  }

  return {
    subscribe,
    of: (code: string): string => known()[code]?.text ?? '',
    keep: (code: string, text: string) => {
      const version = known()[code]?.version ?? versions.get(code) ?? 0
      if (isLocal(code)) return put(code, { text, version })
      put(code, { text, version, owed: true })
      // What is sent is gone from the other devices at once.
      if (text) owe(code)
      else {
        clearTimeout(timers.get(code))
        void save(code)
      }
    },
    hear,
    load,
    start: () => [connected(() => void load()), heard('draft', hear)],
    stop: () => {
      era++
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      saving.clear()
      versions.clear()
      all = undefined
    },
  }
}

const parse = (text: string | undefined): Record<string, Kept> => {
  try {
    const found: unknown = JSON.parse(text ?? '{}')
    const entries = typeof found === 'object' && found !== null ? Object.entries(found) : []
    return Object.fromEntries(entries.filter(([, kept]) => typeof (kept as Kept | undefined)?.text === 'string'))
  } catch {
    return {}
  }
}
