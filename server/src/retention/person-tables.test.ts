import { expect, test } from 'vitest'
import { many, sql } from '../data/sql.ts'
import { startTestServer } from '../testing/app.ts'
import { decided } from './person-tables.ts'

const server = await startTestServer()

/** Every column that may name a person, hold its words, or say whose row it is. Parts of a table are one with it. */
const columns = () =>
  many<{ table: string; column: string }>(
    server.services.db,
    sql`select c.table_name as table, c.column_name as column from information_schema.columns c
      join pg_class k on k.oid = format('%I.%I', c.table_schema, c.table_name)::regclass and k.relkind in ('r', 'p') and not k.relispartition
      where c.table_schema = 'public' and (c.data_type not in ('smallint', 'bigint', 'integer', 'boolean', 'uuid', 'date', 'numeric',
          'double precision', 'timestamp with time zone', 'timestamp without time zone', 'interval', 'xid8')
        or c.data_type in ('integer', 'bigint', 'ARRAY') and c.column_name ~ '(^|_)(account|actor|member|target|maker|funder|payer|sender|owner|partner|holder|user|person|head|from|to|by|of)(_id|s|_ids)?$')
      order by 1, 2`,
  )

test('[RUN-06] of each table and column that may hold a person it is decided what erasing does with it', async () => {
  const found = await columns()
  const known = Object.entries(decided).flatMap(([table, parts]) =>
    Object.values(parts).flatMap((names) => names.split(' ').map((name) => `${table}.${name}`)),
  )
  const there = found.map(({ table, column }) => `${table}.${column}`)
  const undecided = there.filter((one) => !known.includes(one))
  expect(
    undecided.map(
      (one) =>
        `${one}: say in person-tables.ts what erasing does; if it goes, add it to erase_member() in a migration, ` +
        'to retention/export.ts and to testing/planted-words.ts',
    ),
  ).toEqual([])
  expect(known.filter((one) => !there.includes(one))).toEqual([])
  expect(known.length).toBe(new Set(known).size)
})
