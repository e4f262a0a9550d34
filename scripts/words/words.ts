import { execFileSync } from 'node:child_process'
import { relative } from 'node:path'
import type { Given } from '../../server/src/cli/commands/command.ts'
import { programOf, root } from '../shell.mjs'
import { add, keep, remove, rename, set, type Text, waiting } from './edit.ts'
import { readTables, type Table, writeTable } from './tables.ts'

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
export const words = ({ command, words: typed, values }: Given, at = root): string => {
  const [key = '', second = '', third = ''] = typed
  const { after, ...forms } = values
  const textOf = (text: string): Text => (Object.keys(forms).length > 0 ? { other: text, ...forms } : text)
  const tables = readTables(at)
  const save = (next: Table[]): string => {
    const changed = next.filter(({ source }, index) => source !== tables[index]?.source)
    for (const table of changed) writeTable(table)
    if (changed.length > 0) format(changed)
    return `Changed ${changed.map(({ path }) => relative(at, path)).join(', ')}.`
  }
  if (command === 'add') return `${save(add(tables, key, textOf(second), after))}\nTen languages need a translation.`
  if (command === 'set') return save(set(tables, key, second, textOf(third)))
  if (command === 'keep') {
    const kept = second
      ? [second]
      : waiting(tables).flatMap((found) => (isOutdated(found, key) ? [found.language] : []))
    return save(kept.reduce((all, language) => keep(all, key, language), tables))
  }
  if (command === 'rename')
    return `${save(rename(tables, key, second))}\nnpm run check names the places that say '${key}'.`
  if (command === 'remove') return save(remove(tables, key))
  return report(tables)
}
