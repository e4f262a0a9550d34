import { useRooms } from '../../../chat/view/use-chat.ts'
import type { Address } from './address.ts'

/** Whether the page shows AI rooms: their list, or one of them. */
export const useBots = ({ room_id, ai = false }: Address): boolean => {
  const { list } = useRooms(3)
  return room_id ? list.some((room) => String(room.room_id) === room_id) : ai
}
