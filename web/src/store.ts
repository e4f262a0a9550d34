/**
 * What the browser keeps of a session. localStorage may be full or forbidden: then it lives as long as the page.
 * The back office and the member's page share an origin, so each has its own prefix.
 */
export type Face = 'office' | 'member'
let face: Face = 'office'
export const setFace = (own: Face) => {
  face = own
}
export const faceOfPage = () => face

const memory = new Map<string, string>()
const SHARED = new Set(['locale', 'theme', 'accent', 'side'])
const full = (key: string) => (SHARED.has(key) || face === 'office' ? key : `m_${key}`)

export const keep = (key: string, value: string) => {
  memory.set(full(key), value)
  try {
    localStorage.setItem(full(key), value)
  } catch {
    // Kept in memory.
  }
}

export const kept = (key: string): string | undefined => {
  try {
    return localStorage.getItem(full(key)) ?? undefined
  } catch {
    return memory.get(full(key))
  }
}

/** Clears what this face has kept, the language and the look of the page excepted. */
export const forget = () => {
  memory.clear()
  try {
    for (const key of Object.keys(localStorage)) {
      if (SHARED.has(key) || key.startsWith('m_') !== (face === 'member')) continue
      localStorage.removeItem(key)
    }
  } catch {
    // There was nothing to clear.
  }
}
