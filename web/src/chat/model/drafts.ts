import type { Draft } from '@tallyroom/contract/events'
import { CallError, call, newRequestId, NO_ANSWER } from '../../api/call.ts'
import { connected, heard } from '../../api/live.ts'
import { makeEmitter } from './emitter.ts'

/**
 * Drafts by room. Each key is stored in the tab at once and saved to the server a little later, which passes it to the
 * account's other devices. A draft that is not saved yet (`owed`) is never overwritten by one from the server.
 */
type Kept = { text: string; version: number; owed?: true }
/** Key of a room's whisper draft. The draft for the partner has the room's code as its key. */
export const insideOf = (code: string) => `whisper:${code}`
type Storage = { read: () => string | undefined; write: (text: string) => void }

const SOON_MS = 800
/** A sent message empties its draft on the server. If the message does not arrive, this save empties it later. */
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
  /** Newest known version by key, also of drafts that are empty now. */
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

  /** One save at a time per key, always the newest text. */
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
      // The text has changed meanwhile, or the server kept a newer one: save again.
      const owed = now?.text !== content || !saved.kept
      if (now) put(code, { text: now.text, version: Math.max(saved.version, now.version), ...(owed && { owed }) })
      if (now && owed) owe(code)
    } catch (error) {
      // No answer: the next connection saves it. Refused: the room is no longer ours, so stop trying.
      if (own === era && error instanceof CallError && error.code !== NO_ANSWER && known()[code]?.text === draft.text)
        put(code, { text: draft.text, version: draft.version })
    } finally {
      saving.delete(code)
    }
  }

  /** Takes a draft from another device. */
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
    /** The version to send with the message; undefined when the server has no draft. */
    versionOf: (code: string): number | undefined => versionOf(code) + (saving.has(code) ? 1 : 0) || undefined,
    sent: (code: string) => {
      put(code, { text: '', version: versionOf(code), owed: true })
      owe(code, LATER_MS)
    },
    keep: (code: string, text: string) => {
      put(code, { text, version: versionOf(code), owed: true })
      // An emptied draft is saved at once, so that it disappears from the other devices.
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
