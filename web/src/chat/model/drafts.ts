import { MAX_DRAFT } from '@tallyroom/contract/lengths'
import type { Draft } from '@tallyroom/contract/events'
import { CallError, call, newRequestId, NO_ANSWER } from '../../api/call.ts'
import { onConnected, onEvent } from '../../api/live.ts'
import { makeEmitter } from './emitter.ts'

/**
 * Drafts by room. Each key is stored in the tab at once and saved to the server a little later, which passes it to the
 * account's other devices. A draft that is not saved yet (`owed`) is never overwritten by one from the server.
 */
type StoredDraft = { text: string; version: number; owed?: true }
/** Key of a room's whisper draft. The draft for the partner has the room's code as its key. */
export const whisperKeyOf = (code: string) => `whisper:${code}`
type Storage = { read: () => string | undefined; write: (text: string) => void }

const SAVE_AFTER_MS = 800
/** A sent message empties its draft on the server. If the message does not arrive, this save empties it later. */
const SAVE_SENT_AFTER_MS = 10_000
const WHISPER_PREFIX = whisperKeyOf('')
const parseKey = (key: string) =>
  key.startsWith(WHISPER_PREFIX)
    ? { code: key.slice(WHISPER_PREFIX.length), inside: true }
    : { code: key, inside: false }
const keyOf = ({ code, inside }: Draft) => (inside ? whisperKeyOf(code) : code)

/** The drafts as this tab has them, read when the first one is asked for. */
const makeStoredDrafts = (storage: () => Storage) => {
  let all: Record<string, StoredDraft> | undefined
  /** Newest known version by key, also of drafts that are now empty. */
  const versions = new Map<string, number>()
  const { emit, subscribe } = makeEmitter()
  const known = (): Record<string, StoredDraft> => {
    all ??= parse(storage().read())
    return all
  }
  return {
    subscribe,
    of: (code: string): StoredDraft | undefined => known()[code],
    allOwed: () => Object.entries(known()).flatMap(([code, { owed }]) => (owed ? [code] : [])),
    put: (code: string, kept: StoredDraft) => {
      const { [code]: _, ...others } = known()
      all = kept.text || kept.owed ? { ...others, [code]: kept } : others
      versions.set(code, Math.max(kept.version, versions.get(code) ?? 0))
      storage().write(JSON.stringify(all))
      emit(code)
    },
    versionOf: (code: string) => known()[code]?.version ?? versions.get(code) ?? 0,
    newestVersionOf: (code: string) => versions.get(code) ?? known()[code]?.version ?? 0,
    forget: () => {
      versions.clear()
      all = undefined
    },
  }
}

export const makeDrafts = (storage: () => Storage, ask: typeof call = call, saveAfterMs = SAVE_AFTER_MS) => {
  const { subscribe, of, allOwed, put, versionOf, newestVersionOf, forget } = makeStoredDrafts(storage)
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const saving = new Set<string>()
  /** Drafts of the server by key that arrived after another text had been typed: shown again once that text is gone. */
  const earlier = new Map<string, string>()
  /** A save before the first list has arrived would overwrite a draft that nobody has seen on this page. */
  let isLoaded = false
  let generation = 0

  const scheduleSave = (code: string, ms = saveAfterMs) => {
    clearTimeout(timers.get(code))
    timers.set(
      code,
      setTimeout(() => void save(code), ms),
    )
  }

  /** One save at a time per key, always the newest text. */
  const save = async (code: string): Promise<void> => {
    const draft = of(code)
    if (!isLoaded || !draft?.owed || saving.has(code) || draft.text.length > MAX_DRAFT) return
    const current = generation
    saving.add(code)
    try {
      const { text: content, version: upon } = draft
      const saved = await ask('draft/save', { ...parseKey(code), content, upon, request_id: newRequestId() })
      if (current !== generation) return
      const now = of(code)
      // The text has changed meanwhile, or the server kept a newer one: save again.
      const owed = now?.text !== content || !saved.kept
      if (now) put(code, { text: now.text, version: Math.max(saved.version, now.version), ...(owed && { owed }) })
      if (now && owed) scheduleSave(code)
    } catch (error) {
      // No answer: the next connection saves it. Refused: this account may no longer write in the room, so stop trying.
      const isRefused = error instanceof CallError && error.code !== NO_ANSWER
      if (isRefused && current === generation && of(code)?.text === draft.text)
        put(code, { text: draft.text, version: draft.version })
    } finally {
      saving.delete(code)
    }
  }

  const keepText = (code: string, text: string) => {
    put(code, { text, version: versionOf(code), owed: true })
    scheduleSave(code)
  }
  /** Empties the draft. False if an earlier draft took its place. */
  const empty = (code: string): boolean => {
    const text = earlier.get(code)
    if (text !== undefined) {
      earlier.delete(code)
      keepText(code, text)
      return false
    }
    const version = versionOf(code)
    // Before the list has arrived, an empty box owes the server nothing: the draft that is still to come stays.
    put(code, { text: '', version, ...((isLoaded || version > 0) && { owed: true }) })
    return true
  }

  /** Takes over a draft of the server: one of its list, or of another device. */
  const receive = (draft: Draft) => {
    const [code, { content, version }] = [keyOf(draft), draft]
    const own = of(code)
    if (!content) earlier.delete(code)
    if (own?.owed && own.text !== content) {
      // Version 0: the text was typed before this page had seen the draft. A text that continues the draft contains it.
      if (!isLoaded && own.version === 0 && !own.text.startsWith(content)) earlier.set(code, content)
      return
    }
    if (newestVersionOf(code) >= version) return
    clearTimeout(timers.get(code))
    put(code, { text: content, version })
  }
  const load = async (): Promise<void> => {
    const current = generation
    const answer = await ask('draft/list', {}).catch(() => undefined)
    if (current !== generation || !answer) return
    for (const draft of answer.data) receive(draft)
    isLoaded = true
    for (const code of allOwed()) void save(code)
  }

  return {
    subscribe,
    of: (code: string): string => of(code)?.text ?? '',
    /** The version to send with the message; undefined when the server has no draft. */
    versionOf: (code: string): number | undefined => versionOf(code) + (saving.has(code) ? 1 : 0) || undefined,
    sent: (code: string) => {
      if (empty(code)) scheduleSave(code, SAVE_SENT_AFTER_MS)
    },
    keep: (code: string, text: string) => {
      if (text) keepText(code, text)
      else if (empty(code)) {
        // An emptied draft is saved at once, so that it disappears from the other devices.
        clearTimeout(timers.get(code))
        void save(code)
      }
    },
    receive,
    load,
    /** Loads the drafts at once, before there is a connection: an opened room should have its draft in the box. */
    start: () => {
      void load()
      return [onConnected(() => void load()), onEvent('draft', receive)]
    },
    stop: () => {
      generation++
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      saving.clear()
      earlier.clear()
      isLoaded = false
      forget()
    },
  }
}

const parse = (text: string | undefined): Record<string, StoredDraft> => {
  try {
    const found: unknown = JSON.parse(text ?? '{}')
    const entries = typeof found === 'object' && found !== null ? Object.entries(found) : []
    return Object.fromEntries(entries.filter(([, kept]) => typeof (kept as StoredDraft | undefined)?.text === 'string'))
  } catch {
    return {}
  }
}
