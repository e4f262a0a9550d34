/** Reads the code of the room in the page's address. The member's page has one room and no address for it. */
let readShownRoom: (() => string | undefined) | undefined

/** Registers how the address is read. @returns the function that ends it */
export const registerShownRoom = (read: () => string | undefined) => {
  readShownRoom = read
  return () => {
    if (readShownRoom === read) readShownRoom = undefined
  }
}
export const shownRoom = (): string | undefined => readShownRoom?.()

/** Whether a text may be sent to `code`: that room was shown at the text's first letter and is shown now. */
export const isRightRoom = (code: string, startedIn: string | undefined, now = shownRoom()) =>
  [startedIn, now].every((other) => other === undefined || other === code)
