import { expect, test } from 'vitest'
import { testDatabase, whenDone } from '../testing/postgres.ts'
import { firstAt, lastAt } from './local-time.ts'
import { connect, many, sql } from './sql.ts'

const db = connect({ ...(await testDatabase()), max: 1 })
whenDone(() => db.end())

/** Clocks are set back at 01:00, at midnight, at 02:00 by half an hour, at 03:00, and never. */
test.each([
  'Atlantic/Azores',
  'America/Havana',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'UTC',
])('[BOOK-03] each day of %s begins at its first instant', async (timeZone) => {
  const first = firstAt(sql`day::date`, timeZone)
  const wrong = await many(
    db,
    sql`select day::date::text, first::text
      from generate_series('2000-01-01'::timestamp, '2030-12-31', interval '1 day') day cross join lateral (select ${first}) found (first)
      where (first at time zone ${timeZone}::text)::date <> day::date
        or ((first - interval '1 microsecond') at time zone ${timeZone}::text)::date >= day::date`,
  )
  expect(wrong).toEqual([])
})

test.each([
  ['Atlantic/Azores', '2026-10-25 00:30', 60],
  ['Australia/Lord_Howe', '2026-04-05 01:45', 30],
  ['Europe/Berlin', '2026-10-25 12:00', 0],
])('in %s the clocks show %s for the last time %i minutes after the first', async (timeZone, local, minutes) => {
  const found = await many(
    db,
    sql`select extract(epoch from ${lastAt(sql`${local}`, timeZone)} - ${firstAt(sql`${local}`, timeZone)})::int as apart`,
  )
  expect(found).toEqual([{ apart: minutes * 60 }])
})
