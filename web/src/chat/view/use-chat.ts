import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { liveState, subscribeLive } from '../../api/live.ts'
import type { RoomSummary } from '@tallyroom/contract/events'
import type { RoomRef } from '../model/room-ref.ts'
import type { ListStatus } from '../model/summaries.ts'
import { unread } from '../model/room-state.ts'
import { asides, drafts, outbox, photos, rooms } from '../model/chat-session.ts'

const useTopic = <T>(topic: string, from: Pick<typeof rooms, 'subscribe'>, read: () => T): T =>
  useSyncExternalStore(
    useCallback((listener) => from.subscribe(topic, listener), [topic, from]),
    read,
  )

export const useRoom = (code: string) => useTopic(code, rooms, () => rooms.room(code))
export const useSummary = (code: string) => useTopic('list', rooms, () => rooms.summary(code))
export const usePhotos = (code: string) => useTopic(code, photos, () => photos.of(code))
export const useOutgoing = (code: string) => useTopic(code, outbox, () => outbox.of(code))
/** The code of the room behind a door, as soon as it is known. */
export const useBehind = (door: RoomRef | undefined) => useTopic('list', rooms, () => door && rooms.codeBehind(door))
/** How many talks of the list are unread, or marked so. */
export const useUnreadRooms = () => useTopic('list', rooms, () => unreadAmong(rooms.list(1)))
const unreadAmong = (list: readonly RoomSummary[]) => list.filter((room) => room.message_read === 0).length
/** How many messages wait in an agent's own talk with the customer service of its upline. */
export const useUplineUnread = () =>
  useTopic('list', rooms, () => {
    const room = rooms.uplines()
    return room ? unread(room) : 0
  })
/** What is typed in a room and not sent. */
export const useDraft = (code: string) => useTopic(code, drafts, () => drafts.of(code))
/** What was said among the group in an open room; what of it was missed is asked for. */
export const useAsides = (code: string) => {
  const last = useSummary(code)?.aside_seq ?? 0
  const loaded = useRoom(code)?.state !== undefined
  const live = useLive()
  useEffect(() => {
    if (loaded && live === 'on') void asides.catchUp(code, last)
  }, [code, last, loaded, live])
  return useTopic(code, asides, () => asides.of(code))
}
export const useLive = () => useSyncExternalStore(subscribeLive, liveState)

/** A list of rooms, loaded when it is first looked at. */
export const useRooms = (status: ListStatus) => {
  const list = useTopic('list', rooms, () => rooms.list(status))
  const state = useTopic('list', rooms, () => rooms.listState(status))
  useEffect(() => {
    if (!rooms.listState(status)) void rooms.loadList(status)
  }, [status, state])
  return { list, loading: state?.loading ?? 'loading', error: state?.error, retry: () => void rooms.loadList(status) }
}

/** The time, once a second while someone needs it. */
export const useNow = (running: boolean) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return now
}

/** True when the connection has been away long enough to say so; a blink is not worth a word. */
export const useCutOff = () => {
  const live = useLive()
  const [cut, setCut] = useState(false)
  useEffect(() => {
    if (live === 'on') return setCut(false)
    const timer = setTimeout(() => setCut(true), 2500)
    return () => clearTimeout(timer)
  }, [live])
  return cut
}
