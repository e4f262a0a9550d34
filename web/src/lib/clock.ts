/** How far the server's clock is ahead of this one, in ms, from the Date header of its answers. */
let ahead = 0
export const noteServerTime = (date: string | null) => {
  const serverTime = Date.parse(date ?? '')
  // The header has whole seconds, so a smaller difference means nothing.
  if (!Number.isNaN(serverTime)) ahead = Math.abs(serverTime - Date.now()) > 2000 ? serverTime - Date.now() : 0
}
export const serverNow = () => Date.now() + ahead
