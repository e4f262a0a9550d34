/** How far the server's clock is ahead of this one, by what its answers say. */
let ahead = 0
export const noteServerTime = (date: string | null) => {
  const said = Date.parse(date ?? '')
  // It comes in whole seconds: less than that is no difference.
  if (!Number.isNaN(said)) ahead = Math.abs(said - Date.now()) > 2000 ? said - Date.now() : 0
}
export const serverNow = () => Date.now() + ahead
