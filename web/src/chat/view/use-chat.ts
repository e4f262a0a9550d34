import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { serverNow } from '../../lib/clock.ts'
import { liveState, subscribeLive } from '../../api/live.ts'
import type { RoomSummary } from '@tallyroom/contract/events'
import type { RoomRef } from '../model/rooms/room-ref.ts'
import type { ListStatus } from '../model/rooms/list-index.ts'
import { unreadIn } from '@tallyroom/contract/unread'
import { longestWait } from '../model/rooms/list-index.ts'
import { LOUDEST } from '../model/wait.ts'
import { asides, drafts, outbox, photos, rooms } from '../model/chat-session.ts'

const useTopic = <T>(topic: string, from: Pick<typeof rooms, 'subscribe'>, read: () => T): T =>
  useSyncExternalStore(
    useCallback((listener) => from.subscribe(topic, listener), [topic, from]),
    read,
  )

export const useRoom = (code: string) => useTopic(code, rooms, () => rooms.room(code))
export const useSummary = (code: string) => useTopic('list', rooms, () => rooms.summary(code))
/** The name of the room's partner: a change of anything else in the list draws nothing again. */
export const useRoomName = (code: string) => useTopic('list', rooms, () => rooms.summary(code)?.name ?? '')
export const usePhotos = (code: string) => useTopic(code, photos, () => photos.of(code))
export const useOutgoing = (code: string) => useTopic(code, outbox, () => outbox.of(code))
/** The newest message that is on its way to a room. */
export const useOnTheWay = (code: string) => useTopic(code, outbox, () => outbox.onTheWay(code))
/** Number of messages, in all rooms, that wait for the server. */
export const useKept = () => useTopic('kept', outbox, () => outbox.kept())
/** The code of a room, as soon as it is known. */
export const useRoomCode = (ref: RoomRef | undefined) => useTopic('list', rooms, () => ref && rooms.resolveCode(ref))
/** Number of rooms in the list that are unread or marked unread. */
export const useUnreadRooms = () => useTopic('list', rooms, () => rooms.counts(1).unread)
/** The longest waiting of the rooms that `isWanted` accepts. */
export const useLongestWait = (isWanted: (room: RoomSummary) => boolean) =>
  useTopic('list', rooms, () => longestWait(rooms.waiting(1).filter(isWanted)))
/** Among the longest waiting of the list. */
export const useIsLoud = ({ code, waiting_since: since }: RoomSummary) =>
  useTopic('list', rooms, () => {
    if (!since) return false
    let longer = 0
    for (const room of rooms.waiting(1)) if (room.code !== code && (room.waiting_since ?? since) < since) longer++
    return longer < LOUDEST
  })
/** Unread messages in an agent's own room with its upline's customer service. */
export const useUplineUnread = () =>
  useTopic('list', rooms, () => {
    const room = rooms.uplineRoom()
    return room ? unreadIn(room) : 0
  })
/** The room's draft. */
export const useDraft = (code: string) => useTopic(code, drafts, () => drafts.of(code))
/** The internal notes of an open room; loads those that were missed. */
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

/** A list of rooms, loaded at its first use. */
export const useRooms = (status: ListStatus) => {
  const list = useTopic('list', rooms, () => rooms.list(status))
  const state = useTopic('list', rooms, () => rooms.listState(status))
  useEffect(() => {
    if (!rooms.listState(status)) void rooms.loadList(status)
  }, [status, state])
  return { list, loading: state?.loading ?? 'loading', error: state?.error, retry: () => void rooms.loadList(status) }
}

/** The current time, updated once a second while `running`. */
export const useNow = (running: boolean) => {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return now
}
