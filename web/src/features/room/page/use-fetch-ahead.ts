import type { RoomSummary } from '@tallyroom/contract/events'
import { useEffect } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { useRoom, useRooms } from '../../../chat/view/use-chat.ts'
import { shownRooms } from '../list/filter.ts'
import { nextTwo } from '../list/neighbour.ts'

/** A message changes the list several times in a row: wait until it is quiet. */
const SOON_MS = 400

export const waits = (room: RoomSummary) => room.waiting_since !== null || room.message_read === 0

/** Prefetches the next two waiting rooms of the list, so that opening one needs no call. */
export const useFetchAhead = (code: string) => {
  const loaded = useRoom(code)?.state !== undefined
  const { list } = useRooms(1)
  useEffect(() => {
    if (!loaded) return
    const timer = setTimeout(() => {
      if (document.hidden) return
      for (const room of nextTwo(shownRooms() ?? list, code, waits)) void rooms.fetchAhead(room.code)
    }, SOON_MS)
    return () => clearTimeout(timer)
  }, [code, loaded, list])
}
