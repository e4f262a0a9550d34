import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { root } from '../shell.mjs'
import { readTables, schemaText, tablesText } from './dump.ts'

const pathOf = (file: string) => join(root, 'server/schema', file)

const textsOf = async (client: pg.Client) => ({
  'schema.sql': await schemaText(client),
  'tables.ts': await tablesText(client),
})

export const writeSchema = async (client: pg.Client) => {
  for (const [file, text] of Object.entries(await textsOf(client))) writeFileSync(pathOf(file), text)
}

/** What server/schema/ does not say as the migrations make it, each with what to do. */
export const staleParts = async (client: pg.Client): Promise<string[]> => {
  const stale = Object.entries(await textsOf(client)).flatMap(([file, text]) =>
    readFileSync(pathOf(file), 'utf8') === text
      ? []
      : [`server/schema/${file} is not what the migrations make: run npm run schema`],
  )
  const readme = readFileSync(pathOf('README.md'), 'utf8')
  const tables = await readTables(client)
  const functions = tables.flatMap(({ triggers }) => triggers.map((text) => /FUNCTION (\w+)\(/.exec(text)?.[1] ?? text))
  const names = new Set([...tables.map(({ name }) => name), ...functions])
  const missing = [...names].filter((name) => !readme.includes(`\`${name}\``))
  return [...stale, ...missing.map((name) => `server/schema/README.md does not name ${name}: add a line`)]
}
