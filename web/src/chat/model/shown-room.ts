/** Reads the code of the room in the page's address. The member's page has one room and no address for it. */
let named: (() => string | undefined) | undefined

/** Registers how the address is read. @returns the function that ends it */
export const showsRoom = (read: () => string | undefined) => {
  named = read
  return () => {
    if (named === read) named = undefined
  }
}
export const shownRoom = (): string | undefined => named?.()

/** Whether a text may be sent to `code`: that room was shown at the text's first letter and is shown now. */
export const isRightRoom = (code: string, begunIn: string | undefined, now = shownRoom()) =>
  [begunIn, now].every((other) => other === undefined || other === code)
