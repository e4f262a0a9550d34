import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Where the words of a page stand as keys: its own parts, and what it shares with others. */
const PLACES: Record<string, string[]> = {
  session: ['src/features/session', 'src/ui', 'src/call.ts'],
  member: ['src/member', 'src/chat', 'src/ui', 'src/call.ts', 'src/words.ts', 'src/time.ts'],
  offline: ['src/offline'],
}

function* filesIn(path: string): Generator<string> {
  if (statSync(path).isFile()) return yield path
  for (const name of readdirSync(path)) yield* filesIn(`${path}/${name}`)
}

const usedThere = (places: string[]): Set<string> => {
  const used = new Set<string>()
  for (const place of places)
    for (const file of filesIn(fileURLToPath(new URL(place, import.meta.url))))
      for (const [, key] of readFileSync(file, 'utf8').matchAll(/'([a-z_]+(?:\.\w+)*)'/g)) if (key) used.add(key)
  return used
}

type Property = { type: string; start: number; end: number; key?: { value?: string; name?: string } }
type Statement = { type: string; declaration?: { type: string; properties?: Property[] } }

/**
 * `import('@tallyroom/locales/en?member')`: a language without the words of the back office, which are most of them,
 * for pages opened on cheap phones; `?session` has those of the way in, `?offline` those of the page shown without a line. Every key that stands
 * somewhere in the places above stays.
 */
export const someWords = (): Plugin => ({
  name: 'some-words',
  enforce: 'post',
  transform(code, id) {
    const places = PLACES[/\?(\w+)$/.exec(id)?.[1] ?? '']
    if (!places) return undefined
    const body = this.parse(code).body as unknown as Statement[]
    const words = body.find((statement) => statement.type === 'ExportDefaultDeclaration')?.declaration
    if (words?.type !== 'ObjectExpression' || !words.properties) throw new Error(`${id} is not a plain table of words`)
    const used = usedThere(places)
    const kept = words.properties.filter(({ type, key }) => {
      if (type !== 'Property') throw new Error(`${id} has words that do not stand in it themselves`)
      return used.has(key?.value ?? key?.name ?? '')
    })
    return { code: `export default {${kept.map(({ start, end }) => code.slice(start, end)).join(',')}}`, map: null }
  },
})
