/** Where a list of rooms stood when it made place for a room, which on a small screen it does, and for which one. */
export type ScrollPosition = { offset: number; room: number | undefined }
const top = { offset: 0, room: undefined }

export const roomsScroll: ScrollPosition = { ...top }
export const botRoomsScroll: ScrollPosition = { ...top }

export const clearScrollPositions = () => {
  for (const place of [roomsScroll, botRoomsScroll]) Object.assign(place, top)
}
