import type { Aside } from '@tallyroom/contract/events'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { rooms } from '../../model/chat-session.ts'
import { past, mergeLive } from '../../model/rooms/history-window.ts'
import type { RoomState } from '../../model/rooms/room-state.ts'
import { useAsides, useOutgoing, useRoom } from '../use-chat.ts'
import { useNewLine } from '../use-read.ts'
import { itemsOf } from './items.ts'

/**
 * The history window around a message (`at`), while it is shown instead of the room's end. `over` is called when the user
 * goes on to the end. The message stays marked.
 */
const useHistoryWindow = (
  code: string,
  at: number | undefined,
  live: RoomState | undefined,
  liveAsides: readonly Aside[],
  over?: () => void,
) => {
  const known = useSyncExternalStore(
    useCallback((listener) => past.subscribe(code, listener), [code]),
    () => past.of(code),
  )
  const [mark, setMark] = useState(at)
  useEffect(() => {
    if (at === undefined) return
    setMark(at)
    void past.show(code, at)
    return () => past.close(code)
  }, [code, at])
  const now = useMemo(() => (known ? mergeLive(known, live, liveAsides) : undefined), [known, live, liveAsides])
  const onLatest = useCallback(() => {
    past.close(code)
    over?.()
  }, [code, over])
  const onNewer = useCallback(() => void past.newer(code), [code])
  const onOlder = useCallback(() => void past.older(code), [code])
  return { mark, shown: known && now ? { ...known, ...now, onLatest, onNewer, onOlder } : undefined }
}

/**
 * What is shown of a room: its end with the user's own messages on their way, or a history window around a message. `atAddress` is
 * the seq of the message in the address; `onAtOver` is called when the user has gone on to the end.
 */
export const useShownMessages = (code: string, atAddress: number | undefined, onAtOver: (() => void) | undefined) => {
  const room = useRoom(code)
  const outgoing = useOutgoing(code)
  const asides = useAsides(code)
  const [goTo, setGoTo] = useState<{ seq: number; isLoaded: boolean }>()
  // A quoted message that is not loaded is shown in a history window of its own.
  const at = goTo?.isLoaded === false ? goTo.seq : atAddress
  const leaveWindow = useCallback(() => {
    setGoTo(undefined)
    onAtOver?.()
  }, [onAtOver])
  const { mark, shown: around } = useHistoryWindow(code, at, room?.state, asides, leaveWindow)
  const newAfter = useNewLine(code)

  const looking = around?.loading === 'ready' ? around : undefined
  const messages = around ? looking?.messages : room?.state?.messages
  const hasMore = (around ?? room?.state)?.hasMore ?? false
  const items = useMemo(
    () =>
      looking
        ? itemsOf(messages ?? [], [], hasMore, looking.asides)
        : itemsOf(messages ?? [], outgoing, hasMore, asides, newAfter),
    [messages, looking, outgoing, hasMore, asides, newAfter],
  )
  const [visited, setVisited] = useState<number>()
  const goToSeq = (seq: number) =>
    setGoTo({ seq, isLoaded: items.some((item) => item.kind === 'message' && item.message.seq === seq) })
  const oldest = around || !hasMore ? undefined : messages?.[0]?.seq
  const isFar = newAfter !== undefined && oldest !== undefined && newAfter < oldest && visited !== newAfter
  const olderLive = useCallback(() => void rooms.older(code), [code])
  // Show the message that the user has just sent: it is at the end.
  const sent = outgoing.at(-1)?.id
  const sentBefore = useRef(sent)
  const onLatest = around?.onLatest
  useEffect(() => {
    if (sent && sent !== sentBefore.current) onLatest?.()
    sentBefore.current = sent
  }, [sent, onLatest])

  const { loading, error = '', older = 'ready' } = around ?? room ?? {}
  return {
    /** Undefined until they are loaded. */
    messages,
    items,
    outgoing,
    hasMore,
    older,
    onOlder: around?.onOlder ?? olderLive,
    /** Why there are no messages. */
    error: loading === 'failed' ? error : undefined,
    onRetry: onLatest ?? (() => void rooms.openRoom({ code })),
    /** The room's end is not visible. */
    isPast: around !== undefined,
    past: looking,
    mark,
    goTo: goTo?.isLoaded ? goTo : undefined,
    onGoTo: goToSeq,
    /** So many messages are new that the first of them is not loaded. */
    farNew: isFar
      ? {
          count: oldest - 1 - newAfter + (messages ?? []).filter(({ is_self }) => !is_self).length,
          onGo: () => {
            setVisited(newAfter)
            goToSeq(newAfter + 1)
          },
        }
      : undefined,
  }
}
