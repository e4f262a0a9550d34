/** Where a list of rooms stood when it made place for a room, which on a small screen it does, and for which one. */
export type Place = { offset: number; room: number | undefined }
const top = { offset: 0, room: undefined }

export const placeOfRooms: Place = { ...top }
export const placeOfBots: Place = { ...top }

export const forgetPlaces = () => {
  for (const place of [placeOfRooms, placeOfBots]) Object.assign(place, top)
}
