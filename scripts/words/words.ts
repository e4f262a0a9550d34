import { execFileSync } from 'node:child_process'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { programOf, root } from '../shell.mjs'
import { add, keep, remove, rename, set, type Text, waiting } from './edit.ts'
import { readTables, type Table, writeTable } from './tables.ts'

const USAGE = `npm run words -- add KEY "English" [--after KEY]      a new key in all languages, to be translated
npm run words -- set KEY LANGUAGE "text"              the text of a language
npm run words -- keep KEY [LANGUAGE]                  an outdated translation, or all of them, is still right
npm run words -- rename KEY NEW-KEY                   in all languages
npm run words -- remove KEY                           from all languages
npm run words -- check                                what still needs a translator
A plural has more forms beside the text, which is its form "other": --one "{n} room" in English. The check names those
of each language.`

const options = {
  after: { type: 'string' },
  zero: { type: 'string' },
  one: { type: 'string' },
  two: { type: 'string' },
  few: { type: 'string' },
  many: { type: 'string' },
} as const

/** Biome knows the width of each script; without it the next `npm run check` would complain about long lines. */
const format = (tables: Table[]) => {
  const biome = [programOf('@biomejs/biome', 'biome'), 'format', '--write', '--log-level=error']
  const always = ['--vcs-enabled=false', `--config-path=${root}`]
  execFileSync(process.execPath, [...biome, ...always, ...tables.map(({ path }) => path)], { stdio: 'ignore' })
}

const report = (tables: Table[]): string => {
  const found = waiting(tables)
  if (found.length === 0) return 'Every word is translated.'
  return found.map(({ language, key, mark, command }) => `${language}: '${key}' is ${mark}. ${command}`).join('\n')
}

const isOutdated = (found: ReturnType<typeof waiting>[number], key: string) =>
  found.key === key && found.mark === 'outdated'

/**
 * Runs one command on the tables below `at`.
 * @returns what to print; @throws Error with one line for the person at the keyboard
 */
export const words = (args: string[], at = root): string => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [command = '', key = '', third = '', fourth = ''] = positionals
  const { after, ...forms } = values
  const textOf = (text: string): Text => (Object.keys(forms).length > 0 ? { other: text, ...forms } : text)
  const tables = readTables(at)
  const save = (next: Table[]): string => {
    const changed = next.filter(({ source }, index) => source !== tables[index]?.source)
    for (const table of changed) writeTable(table)
    if (changed.length > 0) format(changed)
    return `Changed ${changed.map(({ path }) => relative(at, path)).join(', ')}.`
  }
  const counts: Record<string, number[]> = { add: [3], set: [4], keep: [2, 3], rename: [3], remove: [2], check: [1] }
  if (!counts[command]?.includes(positionals.length) || positionals.includes('')) throw new Error(USAGE)
  if (command === 'add') return `${save(add(tables, key, textOf(third), after))}\nTen languages need a translation.`
  if (command === 'set') return save(set(tables, key, third, textOf(fourth)))
  if (command === 'keep') {
    const kept = third ? [third] : waiting(tables).flatMap((found) => (isOutdated(found, key) ? [found.language] : []))
    return save(kept.reduce((all, language) => keep(all, key, language), tables))
  }
  if (command === 'rename')
    return `${save(rename(tables, key, third))}\nnpm run check names the places that say '${key}'.`
  if (command === 'remove') return save(remove(tables, key))
  return report(tables)
}
