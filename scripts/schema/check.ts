import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { grouped } from '../../server/src/lib/grouped.ts'
import { node, programOf, root } from '../shell.mjs'
import { GUESS, type Query, queriesOf } from './assemble.ts'
import { withSchema } from './database.ts'
import { type Column, describer } from './describe.ts'
import { lineAt, readModule } from './modules.ts'
import { staleParts } from './written.ts'

/** A copy of the server in which each row type is compared with the columns of its query. */
const COPY = join(root, 'node_modules/.cache/tallyroom/sql-check')

const COMPARES = `
declare global {
  /** Row types of queries, each with the columns that PostgreSQL says: \`{ name: [type, can be null] }\`. */
  type RowOf<_Mistakes extends never, Row> = Row
  type MistakesOf<Row, Columns extends Record<string, [unknown, boolean]>> = {
    [Name in keyof Row & string]: Name extends keyof Columns
      ? [Exclude<Row[Name], null | undefined>] extends [Columns[Name][0]]
        ? true extends Columns[Name][1]
          ? null extends Row[Name] ? never : \`\${Name} can be null\`
          : never
        : \`\${Name} has another type\`
      : undefined extends Row[Name] ? never : \`the query has no column \${Name}\`
  }[keyof Row & string]
}
export {}
`

const objectOf = (columns: Column[]): string =>
  `{ ${columns.map(({ name, type, isNullable }) => `${JSON.stringify(name)}: [${type}, ${isNullable}]`).join('; ')} }`

/** A type parameter of a helper such as \`many\` itself stands for any row. */
const isParameter = (text: string) => /^[A-Z]$/.test(text)

const serverFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server/src'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file))

export type Finding = { location: string; message: string }

const locationOf = ({ file, at }: Query) => `${relative(root, file)}:${lineAt(readModule(file), at)}`

type Described = { checked: { query: Query; columns: Column[] }[]; broken: Finding[]; unchecked: Finding[] }

/** A part that the caller gives is a condition, or it is something that may be missing, such as a lock. */
const describeEither = (describe: (text: string) => Promise<Column[]>, text: string): Promise<Column[]> =>
  describe(text).catch((error: unknown) => {
    const without = text.replaceAll(GUESS, '')
    if (without === text || without.trim() === '') throw error
    return describe(without).catch(() => {
      throw error
    })
  })

/** Prepares every query of which the source says one whole form. */
const describeAll = (queries: Query[]): Promise<Described> =>
  withSchema(async (client) => {
    const describe = await describer(client)
    const stale = (await staleParts(client)).map((message) => ({ location: '', message }))
    const result: Described = { checked: [], broken: stale, unchecked: [] }
    for (const query of queries) {
      const { part } = query
      const location = locationOf(query)
      if (part === 'unknown' || part === 'value') {
        result.unchecked.push({ location, message: 'its text is put together elsewhere' })
        continue
      }
      try {
        result.checked.push({ query, columns: await describeEither(describe, part.text) })
      } catch (error) {
        const { message } = error as Error
        // A form that no call makes: a part of it was not a condition.
        const isGuess = part.isGuess && /syntax error|missing FROM|operator does not exist|requires array/.test(message)
        ;(isGuess ? result.unchecked : result.broken).push({ location, message })
      }
    }
    return result
  })

/** Writes the copy, with `RowOf<…>` around each row type; lines stay where they are. */
const writeCopy = (checked: Described['checked']) => {
  rmSync(COPY, { recursive: true, force: true })
  mkdirSync(COPY, { recursive: true })
  for (const folder of ['server/src', 'server/schema'])
    cpSync(join(root, folder), join(COPY, folder), { recursive: true })
  const byFile = grouped(checked, ({ query }) => query.file)
  for (const [file, all] of byFile) {
    let { text } = readModule(file)
    const typed = all.flatMap(({ query: { rowType }, columns }) => (rowType ? [{ rowType, columns }] : []))
    for (const { rowType, columns } of typed.sort((a, b) => b.rowType.start - a.rowType.start)) {
      if (isParameter(rowType.text)) continue
      const compared = `RowOf<MistakesOf<${rowType.text}, ${objectOf(columns)}>, ${rowType.text}>`
      text = text.slice(0, rowType.start) + compared + text.slice(rowType.end)
    }
    const copy = join(COPY, relative(root, file))
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, text)
  }
  writeFileSync(join(COPY, 'server/src/row-of.d.ts'), COMPARES)
  const paths = { '@tallyroom/*': [`${root}*.ts`, `${root}*/index.ts`] }
  const config = {
    extends: `${root}tsconfig.json`,
    compilerOptions: { paths, typeRoots: [`${root}node_modules/@types`], lib: ['es2024', 'dom'] },
    include: ['server/src'],
    exclude: ['**/*.test.ts'],
  }
  writeFileSync(join(COPY, 'tsconfig.json'), JSON.stringify(config))
}

const compareTypes = async (): Promise<Finding[]> => {
  const args = [programOf('typescript', 'tsc'), '--pretty', 'false', '--singleThreaded', '-p', COPY]
  const { output }: { output: string } = await node(args, { env: { NO_COLOR: '1' }, cwd: COPY })
  return output
    .split(/\n(?=\S)/)
    .filter((line) => line.trim() !== '')
    .map((error) => {
      const [, file = '', line = '', message = error] = /^(\S+?)\((\d+),\d+\): (.*)/s.exec(error) ?? []
      const mistakes = /Type '("[^']*")' (?:does not satisfy the constraint|is not assignable to type) 'never'/.exec(
        message,
      )?.[1]
      return {
        location: `${file}:${line}`,
        message: mistakes ? mistakes.replaceAll('"', '').replaceAll(' | ', '; ') : message.trim(),
      }
    })
}

/** Compares every query of the server with the database that the migrations make. */
export const checkSql = async (files = serverFiles()) => {
  const queries = files.flatMap((file) => queriesOf(join(root, file)))
  const { checked, broken, unchecked } = await describeAll(queries)
  writeCopy(checked)
  const mistakes = await compareTypes()
  return { count: queries.length, checked: checked.length, broken: [...broken, ...mistakes], unchecked }
}
