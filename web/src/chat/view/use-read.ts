import { useEffect, useMemo, useRef, useState } from 'react'
import { call, type CallError } from '../../api/call.ts'
import { useLostSince } from '../../api/connection.ts'
import { onConnected } from '../../api/live.ts'
import { rooms } from '../model/chat-session.ts'
import { makeReadMark } from '../model/rooms/read-mark.ts'
import { nextNewLine } from './new-line.ts'
import { useRoom, useSummary } from './use-chat.ts'

const isPageActive = () => !document.hidden && document.hasFocus()

/** Whether the page is visible and has the focus. */
const usePageActive = () => {
  const [front, setFront] = useState(isPageActive)
  useEffect(() => {
    const update = () => setFront(isPageActive())
    document.addEventListener('visibilitychange', update)
    window.addEventListener('focus', update)
    window.addEventListener('blur', update)
    return () => {
      document.removeEventListener('visibilitychange', update)
      window.removeEventListener('focus', update)
      window.removeEventListener('blur', update)
    }
  }, [])
  return front
}

/** After the user or the connection has come back, what was held back meanwhile arrives within this time. */
const ARRIVAL_MS = 2000

/** Whether what arrives now is seen as it arrives: the page is in front and connected, and what it missed is there. */
const useWatch = () => {
  const front = usePageActive()
  const isLost = useLostSince() !== undefined
  const isHere = front && !isLost
  const [hasAll, setHasAll] = useState(isHere)
  useEffect(() => {
    if (!isHere) return setHasAll(false)
    const timer = setTimeout(() => setHasAll(true), ARRIVAL_MS)
    return () => clearTimeout(timer)
  }, [isHere])
  return isHere ? (hasAll ? 'here' : 'back') : 'away'
}

/** The seq that the "New" line comes after; undefined for no line. */
export const useNewLine = (code: string): number | undefined => {
  const watch = useWatch()
  const summary = useSummary(code)
  const messages = useRoom(code)?.state?.messages
  const [line, setLine] = useState<number | null>()
  if (!summary || !messages) return line ?? undefined
  const next = nextNewLine(line, { summary, messages, watch })
  if (next !== line) setLine(next)
  return line ?? undefined
}

/** Marks the last message as read when it is in view (`seen` is its seq) and the page is visible and focused. */
export const useRead = (code: string, seen: number, onFailed: (error: CallError) => void) => {
  const front = usePageActive()
  const last = useRoom(code)?.state?.messages.at(-1)
  const summary = useSummary(code)
  const readSeq = summary?.read_seq
  const marked = summary?.marked_unread === 1
  const failed = useRef(onFailed)
  failed.current = onFailed
  const mark = useMemo(() => makeReadMark(call, code, (error) => failed.current(error)), [code])

  useEffect(() => onConnected(mark.connected), [mark])
  useEffect(() => {
    const { seq = 0, message_id = '' } = last ?? {}
    if (!front || seen !== seq || readSeq === undefined || seq === 0 || (seq <= readSeq && !marked)) return
    rooms.markRead(code, seq)
    mark.read(message_id)
  }, [code, front, seen, readSeq, marked, last, mark])
}
