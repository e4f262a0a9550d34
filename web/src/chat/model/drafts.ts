import type { Draft } from '@tallyroom/contract/events'
import { CallError, call, newRequestId, NO_ANSWER } from '../../api/call.ts'
import { connected, heard } from '../../api/live.ts'
import { makeEmitter } from './emitter.ts'

/**
 * What is typed and not sent, by room. It is kept here first, at every key; a while later the server has it too, and with
 * it the account's other devices. What is typed here and not yet there is never overwritten by what comes from there.
 */
type Kept = { text: string; version: number; owed?: true }
/** The place of what is typed for colleagues in a room; what is typed for its partner has the room's code. */
export const insideOf = (code: string) => `whisper:${code}`
type Storage = { read: () => string | undefined; write: (text: string) => void }

const SOON_MS = 800
/** A message that goes takes its draft along on the server; if it does not get there, the draft is emptied by itself. */
const LATER_MS = 10_000
const LONGEST = 20_000
const INSIDE = insideOf('')
const roomOf = (place: string) =>
  place.startsWith(INSIDE) ? { code: place.slice(INSIDE.length), inside: true } : { code: place, inside: false }
const placeOf = ({ code, inside }: Draft) => (inside ? insideOf(code) : code)

export const makeDrafts = (storage: () => Storage, ask: typeof call = call, soonMs = SOON_MS) => {
  let all: Record<string, Kept> | undefined
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const saving = new Set<string>()
  const { tell, subscribe } = makeEmitter()
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
  const owe = (code: string, ms = soonMs) => {
    clearTimeout(timers.get(code))
    timers.set(
      code,
      setTimeout(() => void save(code), ms),
    )
  }
  const versionOf = (code: string) => known()[code]?.version ?? versions.get(code) ?? 0

  /** One at a time in each room, and always the newest. */
  const save = async (code: string): Promise<void> => {
    const draft = known()[code]
    if (!draft?.owed || saving.has(code) || draft.text.length > LONGEST) return
    const own = era
    saving.add(code)
    try {
      const { text: content, version: upon } = draft
      const saved = await ask('draft/save', { ...roomOf(code), content, upon, request_id: newRequestId() })
      if (own !== era) return
      const now = known()[code]
      // What a message took along meanwhile was another text than this one.
      const owed = now?.text !== content || !saved.kept
      if (now) put(code, { text: now.text, version: Math.max(saved.version, now.version), ...(owed && { owed }) })
      if (now && owed) owe(code)
    } catch (error) {
      // Without an answer the next connection saves it. A room that is no longer ours has no place for it there.
      if (own === era && error instanceof CallError && error.code !== NO_ANSWER && known()[code]?.text === draft.text)
        put(code, { text: draft.text, version: draft.version })
    } finally {
      saving.delete(code)
    }
  }

  /** From another device. */
  const hear = (draft: Draft) => {
    const [code, { content, version }] = [placeOf(draft), draft]
    const own = known()[code]
    if ((own?.owed && own.text !== content) || (versions.get(code) ?? own?.version ?? 0) >= version) return
    clearTimeout(timers.get(code))
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
    /** For the message that takes along what is typed; undefined when the server has nothing of it. */
    versionOf: (code: string): number | undefined => versionOf(code) + (saving.has(code) ? 1 : 0) || undefined,
    sent: (code: string) => {
      put(code, { text: '', version: versionOf(code), owed: true })
      owe(code, LATER_MS)
    },
    keep: (code: string, text: string) => {
      put(code, { text, version: versionOf(code), owed: true })
      // What is thrown away is gone from the other devices at once.
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
