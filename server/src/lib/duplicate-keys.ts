/** Texts and the characters that begin, end and part objects and lists in JSON. */
const PARTS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

type Level = { keys?: Set<string>; at: string | number }

/**
 * The paths of the keys that an object of this JSON text has twice, which `JSON.parse` hides: it keeps the last one.
 * The text must be valid JSON.
 */
export const duplicateKeys = (text: string): (string | number)[][] => {
  const found: (string | number)[][] = []
  const levels: Level[] = []
  let last = ''
  for (const [part] of text.matchAll(PARTS)) {
    const level = levels.at(-1)
    if (part === '{') levels.push({ keys: new Set(), at: '' })
    else if (part === '[') levels.push({ at: 0 })
    else if (part === '}' || part === ']') levels.pop()
    else if (part === ',' && typeof level?.at === 'number') level.at++
    else if (part === ':' && level?.keys) {
      const key = JSON.parse(last) as string
      level.at = key
      if (level.keys.has(key)) found.push(levels.map(({ at }) => at))
      level.keys.add(key)
    }
    last = part
  }
  return found
}
