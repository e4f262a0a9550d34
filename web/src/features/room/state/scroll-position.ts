/** Scroll offset of the room list, saved when a phone opens a room over it, and which room. */
export type ScrollPosition = { offset: number; room: number | undefined }
const top = { offset: 0, room: undefined }

export const roomsScroll: ScrollPosition = { ...top }
export const botRoomsScroll: ScrollPosition = { ...top }

export const clearScrollPositions = () => {
  for (const position of [roomsScroll, botRoomsScroll]) Object.assign(position, top)
}
