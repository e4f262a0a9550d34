import { useRooms } from '../../../chat/view/use-chat.ts'
import type { Address } from '../page/address.ts'

/** Whether one is among the rooms in the bot's hands: in their list, or in one of them however one came into it. */
export const useBots = ({ room_id, ai = false }: Address): boolean => {
  const { list } = useRooms(3)
  return room_id ? list.some((room) => String(room.room_id) === room_id) : ai
}
