import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { root } from '../shell.mjs'
import { checkSql } from './check.ts'
import { withSchema } from './database.ts'
import { replaceText } from './modules.ts'
import { staleParts } from './written.ts'

test('[CODE-01] schema.sql, tables.ts and the README say what the migrations make', async () => {
  expect(await withSchema(staleParts)).toEqual([])
  const changed = withSchema(async (client) => {
    await client.query('alter table notes rename column title to headline')
    return staleParts(client)
  })
  expect(await changed).toEqual([
    'server/schema/schema.sql is not what the migrations make: run npm run schema',
    'server/schema/tables.ts is not what the migrations make: run npm run schema',
  ])
})

const file = join(root, 'server/src/accounts/bank.ts')
afterEach(() => replaceText(file, undefined))

test('[CODE-01] the check finds a column that is gone, has another type, or can be null', async () => {
  const wrong = [
    `export const gone = (db: Db) => one<{ nick: string }>(db, sql\`select nick from accounts\`)`,
    `export const other = (db: Db) => one<{ nickname: number }>(db, sql\`select nickname from accounts\`)`,
    `export const empty = (db: Db) => one<{ parent: number }>(db, sql\`select parent_id as parent from accounts\`)`,
    `export const joined = (db: Db) => many<{ username: string }>(db,`,
    `  sql\`select u.username from accounts a left join accounts u on u.id = a.parent_id\`)`,
    `export const absent = (db: Db) => one<{ id: number; name: string }>(db, sql\`select id from accounts\`)`,
    `const here = sql\`id = \${1} and parent_id is not null\``,
    `export const right = (db: Db) => one<{ id: number; parent_id: number }>(db,`,
    `  sql\`select id, parent_id from accounts where \${here}\`)`,
    `export const typo = (db: Db) => one<{ id: number }>(db, sql\`select id from accounts where \${here} and rol_id = 1\`)`,
    `export const locked = (db: Db, lock = sql\`\`) => one<{ nickname: number }>(db, sql\`select nickname from accounts \${lock}\`)`,
    `export const given = (db: Db, rest: Sql) => one<{ nickname: number }>(db, sql\`select nickname from accounts \${rest}\`)`,
    `export const either = (db: Db, lock?: Sql) => one<{ nickname: number }>(db, sql\`select nickname from accounts \${lock ?? sql\`\`}\`)`,
  ]
  const before = readFileSync(file, 'utf8')
  replaceText(file, `${before}import { many, type Sql } from '../data/sql.ts'\n${wrong.join('\n')}\n`)
  const { broken } = await checkSql(['server/src/accounts/bank.ts'])
  const first = before.split('\n').length + 1
  const found = broken.map(({ location, message }) => [Number(location.split(':')[1]) - first, message])
  expect(found.sort(([a = 0], [b = 0]) => Number(a) - Number(b))).toEqual([
    [0, 'column "nick" does not exist'],
    [1, 'nickname has another type'],
    [2, 'parent can be null'],
    [3, 'username can be null'],
    [5, 'the query has no column name'],
    [9, 'column "rol_id" does not exist'],
    [10, 'nickname has another type'],
    [11, 'nickname has another type'],
    [12, 'nickname has another type'],
  ])
})
