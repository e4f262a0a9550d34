/**
 * What the browser stores for a session. If localStorage is full or forbidden, values live as long as the page. The
 * back office and the member's page share an origin, so the member's keys have a prefix.
 */
export type Face = 'office' | 'member'
let face: Face = 'office'
export const setFace = (next: Face) => {
  face = next
}
export const currentFace = () => face

/** Values that localStorage did not accept. */
const memory = new Map<string, string>()
const SHARED = new Set(['locale', 'theme', 'accent', 'side'])
/** How the member's group looks: known before the next sign-in, too. */
const KEPT = 'm_look'
const keyFor = (key: string) => (SHARED.has(key) || face === 'office' ? key : `m_${key}`)

export const setStored = (key: string, value: string) => {
  try {
    localStorage.setItem(keyFor(key), value)
    memory.delete(keyFor(key))
  } catch {
    memory.set(keyFor(key), value)
  }
}

export const getStored = (key: string): string | undefined => {
  // Newer than the value that a full storage still has.
  const own = memory.get(keyFor(key))
  if (own !== undefined) return own
  try {
    return localStorage.getItem(keyFor(key)) ?? undefined
  } catch {
    return undefined
  }
}

/** Deletes this face's values, except language, theme and the look of the member's group. */
export const clearStored = () => {
  for (const key of memory.keys()) if (!SHARED.has(key) && key !== KEPT) memory.delete(key)
  try {
    for (const key of Object.keys(localStorage)) {
      if (SHARED.has(key) || key === KEPT || key.startsWith('m_') !== (face === 'member')) continue
      localStorage.removeItem(key)
    }
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}
