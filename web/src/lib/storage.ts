/**
 * What the browser keeps of a session. localStorage may be full or forbidden: then it lives as long as the page.
 * The back office and the member's page share an origin, so each has its own prefix.
 */
export type Face = 'office' | 'member'
let face: Face = 'office'
export const setFace = (own: Face) => {
  face = own
}
export const currentFace = () => face

/** What localStorage would not take. */
const memory = new Map<string, string>()
const SHARED = new Set(['locale', 'theme', 'accent', 'side'])
const full = (key: string) => (SHARED.has(key) || face === 'office' ? key : `m_${key}`)

export const setStored = (key: string, value: string) => {
  try {
    localStorage.setItem(full(key), value)
    memory.delete(full(key))
  } catch {
    memory.set(full(key), value)
  }
}

export const getStored = (key: string): string | undefined => {
  // Newer than what a full storage still holds.
  const own = memory.get(full(key))
  if (own !== undefined) return own
  try {
    return localStorage.getItem(full(key)) ?? undefined
  } catch {
    return undefined
  }
}

/** Clears what this face has kept, the language and the look of the page excepted. */
export const clearStored = () => {
  for (const key of memory.keys()) if (!SHARED.has(key)) memory.delete(key)
  try {
    for (const key of Object.keys(localStorage)) {
      if (SHARED.has(key) || key.startsWith('m_') !== (face === 'member')) continue
      localStorage.removeItem(key)
    }
  } catch {
    // There was nothing to clear.
  }
}
