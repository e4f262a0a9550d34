import { useParams, useSearch } from '@tanstack/react-router'
import { useRooms } from '../../chat/use-talk.ts'

/** Whether one is among the rooms in the bot's hands: in their list, or in one of them however one came into it. */
export const useBots = (): boolean => {
  const { room_id } = useParams({ strict: false })
  const { ai } = useSearch({ strict: false })
  const { list } = useRooms(3)
  return room_id ? list.some((room) => String(room.room_id) === room_id) : ai === 1
}
