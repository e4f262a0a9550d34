/** Reads the code of the room in the page's address. The member's page has one room, which is not in its address. */
let readShownRoom: (() => string | undefined) | undefined

/** Registers the function that reads it. @returns a function that unregisters it */
export const registerShownRoom = (read: () => string | undefined) => {
  readShownRoom = read
  return () => {
    if (readShownRoom === read) readShownRoom = undefined
  }
}
export const shownRoom = (): string | undefined => readShownRoom?.()

/**
 * Whether a text may be sent to `code`: the page shows that room now, and showed it when the first letter was typed.
 */
export const isRightRoom = (code: string, startedIn: string | undefined, now = shownRoom()) =>
  [startedIn, now].every((other) => other === undefined || other === code)
