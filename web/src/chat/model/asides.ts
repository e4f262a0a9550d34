import type { Aside } from '@tallyroom/contract/events'
import type { call } from '../../api/call.ts'
import { makeEmitter } from './emitter.ts'

const none: readonly Aside[] = []

/** Internal notes by room, each once and by seq. `catchUp` loads those that are missing at the end. */
export const makeAsides = (ask: typeof call) => {
  const all = new Map<string, readonly Aside[]>()
  const { emit, subscribe } = makeEmitter()
  const loading = new Set<string>()
  /** The seq of each room up to which all notes are loaded. */
  const loadedUpTo = new Map<string, number>()
  const of = (code: string) => all.get(code) ?? none

  /** `upTo`: the server has sent all up to this seq, except those between older messages. */
  const take = (code: string, asides: readonly Aside[], upTo = 0) => {
    let end = Math.max(upTo, loadedUpTo.get(code) ?? 0)
    for (const { seq } of asides) if (seq === end + 1) end = seq
    loadedUpTo.set(code, end)
    const known = new Set(of(code).map(({ seq }) => seq))
    const fresh = asides.filter(({ seq }) => !known.has(seq))
    if (fresh.length === 0) return
    all.set(
      code,
      [...of(code), ...fresh].sort((a, b) => a.seq - b.seq),
    )
    emit(code)
  }

  return {
    subscribe,
    of,
    take,
    /** Loads what is missing up to `last`, the room's highest seq: events may have been lost. */
    catchUp: async (code: string, last: number): Promise<void> => {
      if ((loadedUpTo.get(code) ?? 0) >= last || loading.has(code)) return
      loading.add(code)
      try {
        for (let more = true; more; ) {
          const answer = await ask('desk/asides', { code, after: loadedUpTo.get(code) ?? 0 })
          take(code, answer.asides)
          more = answer.has_more && answer.asides.length > 0
        }
      } catch {
        // The next change of the room or the next connection asks again.
      } finally {
        loading.delete(code)
      }
    },
    clear: () => {
      const codes = [...all.keys()]
      all.clear()
      loadedUpTo.clear()
      for (const code of codes) emit(code)
    },
  }
}
