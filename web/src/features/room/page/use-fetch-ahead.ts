import type { RoomSummary } from '@tallyroom/contract/events'
import { useEffect } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { useRoom, useRooms } from '../../../chat/view/use-chat.ts'
import { shownRooms } from '../state/filter.ts'
import { nextTwo, waitingRooms } from '../state/neighbour.ts'

/** A message changes the list several times in a row: wait until it is quiet. */
const SOON_MS = 400

const waits = (room: RoomSummary) => room.waiting_since !== null || room.message_read === 0

/** Prefetches where the keys lead: the longest waiting room and the next two of the list. Opening them needs no call. */
export const useFetchAhead = (code: string) => {
  const loaded = useRoom(code)?.state !== undefined
  const { list } = useRooms(1)
  useEffect(() => {
    if (!loaded) return
    const timer = setTimeout(() => {
      if (document.hidden) return
      const ahead = new Set([
        ...waitingRooms(rooms.waiting(1), (room) => room.code === code).slice(0, 1),
        ...nextTwo(shownRooms() ?? list, code, waits),
      ])
      for (const room of ahead) void rooms.fetchAhead(room.code)
    }, SOON_MS)
    return () => clearTimeout(timer)
  }, [code, loaded, list])
}
