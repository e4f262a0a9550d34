import type { RoomSummary } from '@tallyroom/contract/events'
import { useRouter } from '@tanstack/react-router'
import { outbox, rooms } from '../../../chat/model/chat-session.ts'
import { readAddress } from './address.ts'
import { shownRooms } from './filter.ts'
import { beingSettled, neighbour, waitingRooms } from './neighbour.ts'

const isAnswered = (code: string) => outbox.onTheWay(code) !== undefined || beingSettled.has(code)

/**
 * Goes to another room of the list. `useGo()('waiting')` goes to the one that has waited longest (CONV-04). False when
 * there is none.
 */
export const useGo = () => {
  const router = useRouter()
  return (where: 'down' | 'up' | 'waiting'): boolean => {
    const list = shownRooms() ?? rooms.list(1)
    // Start from the address: two keys in a row must move two rooms on, even if the first is still loading.
    const here = readAddress(router).room_id
    const room: RoomSummary | undefined =
      where === 'waiting'
        ? // Without a line an answered room waits on: going back to it would show nothing to do.
          waitingRooms(rooms.waiting(1), ({ room_id, code }) => String(room_id) === here || isAnswered(code))[0]
        : neighbour(list, here, where === 'down' ? 1 : -1)
    if (!room) return false
    void router.navigate({
      to: '/chat/messaging/$room_id/$member_id/$room_code',
      params: { room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code },
    })
    return true
  }
}
