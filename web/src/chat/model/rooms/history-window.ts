import type { Aside, Message } from '@tallyroom/contract/events'
import { type Call, call } from '../../../api/call.ts'
import type { RoomState } from './room-state.ts'
import type { Loading } from './loading.ts'
import { makeEmitter } from '../emitter.ts'

/**
 * A part of a room's history around an old message (seq `at`), apart from the live end. Messages are by seq, without
 * gaps.
 */
export type HistoryWindow = {
  at: number
  loading: Loading
  error?: string
  messages: readonly Message[]
  /** Internal notes between these messages. */
  asides: readonly Aside[]
  hasMore: boolean
  hasNewer: boolean
  older: Loading
  newer: Loading
}

const PAGE = 30

/** At most one history window per room. The live rooms (rooms.ts) are independent of it. */
export const makeHistoryWindows = (ask: Call) => {
  const open = new Map<string, HistoryWindow>()
  const { emit, subscribe } = makeEmitter()
  const set = (code: string, past: HistoryWindow | undefined) => {
    if (past) open.set(code, past)
    else open.delete(code)
    emit(code)
  }
  /** The window, if it is still the one for which an answer was requested. */
  const ifSame = (code: string, at: HistoryWindow) => {
    const now = open.get(code)
    return now && now.at === at.at ? now : undefined
  }

  const show = async (code: string, at: number): Promise<void> => {
    const requested: HistoryWindow = {
      at,
      loading: 'loading',
      messages: [],
      asides: [],
      hasMore: false,
      hasNewer: false,
      older: 'ready',
      newer: 'ready',
    }
    set(code, requested)
    try {
      const page = await ask('room/history', { code, around: at, per_page: PAGE })
      if (open.get(code) !== requested) return
      const { messages, asides, has_more: hasMore, has_newer: hasNewer } = page
      set(code, { ...requested, loading: 'ready', messages, asides, hasMore, hasNewer })
    } catch (error) {
      if (open.get(code) !== requested) return
      set(code, { ...requested, loading: 'failed', error: error instanceof Error ? error.message : String(error) })
    }
  }

  const older = async (code: string): Promise<void> => {
    const past = open.get(code)
    const first = past?.messages[0]
    if (!past?.hasMore || !first || past.older === 'loading') return
    set(code, { ...past, older: 'loading' })
    const page = await ask('room/history', { code, before: first.seq, per_page: PAGE }).catch(() => undefined)
    const now = ifSame(code, past)
    if (!now) return
    if (!page) return set(code, { ...now, older: 'failed' })
    const messages = [...page.messages, ...now.messages]
    set(code, {
      ...now,
      older: 'ready',
      messages,
      asides: mergeAsides(page.asides, now.asides),
      hasMore: page.has_more,
    })
  }

  const newer = async (code: string): Promise<void> => {
    const past = open.get(code)
    const last = past?.messages.at(-1)
    if (!past?.hasNewer || !last || past.newer === 'loading') return
    set(code, { ...past, newer: 'loading' })
    const page = await ask('room/history', { code, after: last.seq, per_page: PAGE }).catch(() => undefined)
    const now = ifSame(code, past)
    if (!now) return
    if (!page) return set(code, { ...now, newer: 'failed' })
    const messages = [...now.messages, ...page.messages]
    set(code, {
      ...now,
      newer: 'ready',
      messages,
      asides: mergeAsides(now.asides, page.asides),
      hasNewer: page.has_newer,
    })
  }

  return {
    subscribe,
    of: (code: string): HistoryWindow | undefined => open.get(code),
    show,
    older,
    newer,
    close: (code: string) => {
      if (open.has(code)) set(code, undefined)
    },
  }
}

const mergeAsides = (some: readonly Aside[], others: readonly Aside[]): Aside[] =>
  [...new Map([...some, ...others].map((aside) => [aside.seq, aside])).values()].sort((a, b) => a.seq - b.seq)

/**
 * Combines the window with the live room: takes newer versions of its messages, and appends the live messages as soon as
 * the two parts meet.
 */
export const mergeLive = (
  past: HistoryWindow,
  live: RoomState | undefined,
  liveAsides: readonly Aside[] = [],
): Pick<HistoryWindow, 'messages' | 'asides' | 'hasNewer'> => {
  if (!live) return past
  const bySeq = new Map(live.messages.map((message) => [message.seq, message]))
  const fresh = (message: Message) => {
    const other = bySeq.get(message.seq) ?? live.olderUpdates.get(message.seq)
    return other && other.version > message.version ? other : message
  }
  const last = past.messages.at(-1)?.seq ?? 0
  const first = live.messages[0]?.seq
  const meets = first !== undefined && first <= last + 1
  const more = meets ? live.messages.filter((message) => message.seq > last) : []
  const newest = live.messages.at(-1)?.seq ?? 0
  const messages = [...past.messages.map(fresh), ...more]
  const hasNewer = meets ? false : past.hasNewer || newest > last
  // Asides after messages that are not loaded yet come with their page.
  const end = hasNewer ? last : Number.POSITIVE_INFINITY
  return { messages, hasNewer, asides: mergeAsides(past.asides, liveAsides).filter((aside) => aside.after_seq <= end) }
}

export const past = makeHistoryWindows(call)
