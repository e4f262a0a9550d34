import type { Message, RoomSummary } from '@tallyroom/contract/events'
import { unreadIn } from '@tallyroom/contract/unread'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, type CallError } from '../../api/call.ts'
import { onConnected } from '../../api/live.ts'
import { rooms } from '../model/chat-session.ts'
import { isEventLine } from '../model/message-kinds.ts'
import { makeReadMark } from '../model/rooms/read-mark.ts'
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

/** The last seq before the first unread message: read by this account, or answered by anyone of its side. */
const seqBeforeUnread = (summary: RoomSummary, messages: readonly Message[]) => {
  if (unreadIn(summary) === 0) return summary.last_seq
  const answer = messages.findLast((message) => message.is_self && !isEventLine(message.type))
  return Math.max(summary.read_seq, answer?.seq ?? 0)
}

/**
 * Where the "New" line belongs: before the first unread message when the room was opened, before opening marks it as
 * read; and later, when messages arrive while the page is in the background, before the first of those.
 */
export const useReadBefore = (code: string): number | undefined => {
  const front = usePageActive()
  const summary = useSummary(code)
  const messages = useRoom(code)?.state?.messages
  const [before, setBefore] = useState<number>()
  if (!summary || !messages) return before
  const seq = seqBeforeUnread(summary, messages)
  const comesUnseen = !front && unreadIn(summary) > 0
  if (before === undefined || (comesUnseen && seq > before)) setBefore(seq)
  return before
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
