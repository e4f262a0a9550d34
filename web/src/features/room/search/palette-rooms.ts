import type { RoomSummary } from '@tallyroom/contract/events'
import { useMemo } from 'react'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { type Choice, MAX_CHOICES, type PaletteSource } from '../../../ui/palette-source.ts'
import { isNamed } from '../list/filter.ts'

const roomChoice = (room: RoomSummary): Choice => ({
  key: `room ${room.code}`,
  kind: 'room',
  icon: 'chat',
  title: room.name,
  detail: room.partner_username,
  href: `/chat/messaging/${room.room_id}/${room.member_id}/${room.code}`,
})

/** All rooms that this browser has loaded, including hidden and AI rooms. */
export const roomSource: PaletteSource = {
  name: 'chat.rooms',
  useChoices: (text) => {
    const [shown, hidden, bots] = [useRooms(1), useRooms(2), useRooms(3)]
    const choices = useMemo(() => {
      if (text === '') return []
      const all = [shown.list, hidden.list, bots.list].flat()
      return all.filter(isNamed(text)).slice(0, MAX_CHOICES).map(roomChoice)
    }, [text, shown.list, hidden.list, bots.list])
    return { choices }
  },
}
