import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { languages } from '../../locales/index.ts'
import { MARK } from './marks.mjs'

export type Mark = 'untranslated' | 'outdated'
export type Entry = {
  key: string
  /** Offsets of the whole entry, from the start of its first line to the end of its last, with the line feed. */
  start: number
  end: number
  /** Offsets of the text or the plural forms. */
  value: { start: number; end: number }
  mark: Mark | undefined
}
export type Table = { language: string; path: string; source: string; entries: Entry[] }

type Node = { type: string; start: number; end: number }
type Property = Node & { key: { value?: string; name?: string }; value: Node }
type Literal = Node & { expression?: Literal; properties?: Property[] }

/** `as const satisfies …` wraps the object of a table. */
const objectIn = (node: Literal | undefined): Property[] | undefined =>
  node?.properties ?? (node?.expression && objectIn(node.expression))

export const parseTable = (language: string, path: string, source: string): Table => {
  const body = parseAst(source, { lang: 'ts' }).body as unknown as (Node & { declaration?: Literal })[]
  const properties = objectIn(body.find(({ type }) => type === 'ExportDefaultDeclaration')?.declaration)
  if (!properties) throw new Error(`${path} exports no object: it must be \`export default { … }\`.`)
  const entries = properties.map(({ key, value, start, end }): Entry => {
    const lineEnd = source.indexOf('\n', end)
    return {
      key: key.value ?? key.name ?? '',
      start: source.lastIndexOf('\n', start) + 1,
      end: lineEnd + 1,
      value,
      mark: MARK.exec(source.slice(end, lineEnd))?.[1] as Mark | undefined,
    }
  })
  return { language, path, source, entries }
}

export const readTables = (root: string): Table[] =>
  languages.map((language) => {
    const path = join(root, 'locales', `${language}.ts`)
    return parseTable(language, path, readFileSync(path, 'utf8'))
  })

export const writeTable = ({ path, source }: Table) => writeFileSync(path, source)
export const entryOf = ({ entries }: Table, key: string) => entries.find((entry) => entry.key === key)

/** Replaces a part of the source. */
export const spliced = (table: Table, start: number, end: number, text: string): Table =>
  parseTable(table.language, table.path, table.source.slice(0, start) + text + table.source.slice(end))
