import { expect, test } from 'vitest'
import { shortNameOf } from './statement-names.ts'

test.each([
  ['select a.id from accounts a join rooms r on r.id = $1', 'select accounts'],
  [
    'with due as (select id from webhooks where due_at <= now() for update skip locked), taken as (select * from due) select * from taken',
    'select webhooks',
  ],
  [
    'with w as (insert into transfers (id) select * from unnest($1::int[]) returning id) select id from w',
    'insert transfers',
  ],
  ['insert into pushes as w (a) values ($1) on conflict (a) do update set a = 1', 'insert pushes'],
  ['update wallets set balance = $1', 'update wallets'],
  ['select 1 from wallets for no key update of w', 'select wallets'],
  ['delete from sessions where id = $1', 'delete sessions'],
  ["select 'from secrets' as x, extract(epoch from clock_timestamp()) as at", 'select'],
])('[RUN-03] %s is named %o', (text, name) => {
  expect(shortNameOf(text)).toBe(name)
})
