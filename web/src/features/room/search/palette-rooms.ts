import { foldWanted } from '@tallyroom/contract/text/fold'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useMemo } from 'react'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { type Choice, MAX_CHOICES, type PaletteSource } from '../../../ui/palette-source.ts'
import { nameRank } from '../../../lib/name-rank.ts'
import { foldedNames, isNamed } from '../state/filter.ts'
import { firstInChat } from './palette-commands.ts'

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
  rank: firstInChat,
  useChoices: (text) => {
    const [shown, hidden, bots] = [useRooms(1), useRooms(2), useRooms(3)]
    const choices = useMemo(() => {
      if (text === '') return []
      const all = [shown.list, hidden.list, bots.list].flat()
      const wanted = foldWanted(text)
      const rank = (room: RoomSummary) => Math.min(...foldedNames(room).map((name) => nameRank(name, wanted)))
      return all
        .filter(isNamed(text))
        .map((room) => ({ room, rank: rank(room) }))
        .toSorted((a, b) => a.rank - b.rank)
        .slice(0, MAX_CHOICES)
        .map(({ room }) => roomChoice(room))
    }, [text, shown.list, hidden.list, bots.list])
    return { choices }
  },
}
