import type { Answer } from '@tallyroom/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { onEvent } from '../../../api/live.ts'
import { TYPING_PAUSE_MS } from '../../../lib/use-debounced.ts'

export type Hit = Answer<'search/messages'>['data'][number]
type SearchResult = {
  hits: readonly Hit[]
  /** The next cursor; null when everything has been searched. */
  next: string | null
  searching: boolean
  searchedTo: string | null
  error?: string
}
const nothing: SearchResult = { hits: [], next: null, searching: true, searchedTo: null }

const PAGE = 20

/** Messages that contain the text, page by page. One page may take several calls back in time. */
export const useMessageSearch = (text: string) => {
  const [found, setFound] = useState(nothing)
  const running = useRef(new AbortController())

  const search = useCallback(async (wanted: string, from: SearchResult) => {
    running.current.abort()
    const own = new AbortController()
    running.current = own
    const enough = from.hits.length + PAGE
    let now: SearchResult = { hits: from.hits, next: from.next, searchedTo: from.searchedTo, searching: true }
    setFound(now)
    try {
      do {
        const input = { text: wanted, ...(now.next ? { before: now.next } : {}) }
        const { data, next, looked_to } = await call('search/messages', input, own.signal)
        if (own.signal.aborted) return
        const hits = [...now.hits, ...data]
        now = { hits, next, searchedTo: looked_to, searching: next !== null && hits.length < enough }
        setFound(now)
      } while (now.searching)
    } catch (error) {
      if (own.signal.aborted) return
      setFound({ ...now, searching: false, error: error instanceof Error ? error.message : String(error) })
    }
  }, [])

  // A result that is on the screen loses what is taken back now; a later search does not find it.
  useEffect(
    () =>
      onEvent('room', ({ messages }) => {
        const gone = new Set(messages.flatMap((message) => (message.taken_back ? [message.message_id] : [])))
        if (gone.size === 0) return
        setFound((now) => ({ ...now, hits: now.hits.filter(({ message_id }) => !gone.has(message_id)) }))
      }),
    [],
  )

  useEffect(() => {
    setFound(nothing)
    const timer = setTimeout(() => void search(text, nothing), TYPING_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      running.current.abort()
    }
  }, [text, search])

  return { ...found, more: () => void search(text, found) }
}
