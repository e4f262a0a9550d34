/** The code of the room that the address names. The member's page has one room, and no address for it. */
let named: (() => string | undefined) | undefined

/** Says how the address is read, until what is given back is called. */
export const showsRoom = (read: () => string | undefined) => {
  named = read
  return () => {
    if (named === read) named = undefined
  }
}
export const shownRoom = (): string | undefined => named?.()

/** Whether a text may go: the room it names is the one that was shown at its first letter, and is shown now. */
export const isRightRoom = (code: string, begunIn: string | undefined, now = shownRoom()) =>
  [begunIn, now].every((other) => other === undefined || other === code)
