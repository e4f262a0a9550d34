import { makeSharedValue } from '../lib/shared-value.ts'

/** Number of the current opening; 0 while the palette is closed. */
const opening = makeSharedValue(0)
let last = 0

export const openPalette = () => opening.set(++last)
/** The `close` event is late: without the number it would close a palette that was opened again meanwhile. */
export const closePalette = (which: number) => {
  if (which === opening.get()) opening.set(0)
}
export const usePalette = opening.use
