import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { many, one, run, type Sql, sql } from '../data/sql.ts'
import { deleteExpired } from '../identity/sign-in/cleaning.ts'
import { startTestServer } from '../testing/app.ts'
import { noteDatabaseSize } from './database-size.ts'
import { bounds } from './growth.ts'

const server = await startTestServer()
const { db, uploads } = server.services
const { top, member } = await server.family()

const listed = (bound: keyof typeof bounds) => bounds[bound].split(/\s+/)

test('[RUN-05] of each table it is decided what keeps it from growing without an end', async () => {
  const found = await many<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`,
  )
  const known = Object.keys(bounds).flatMap((bound) => listed(bound as keyof typeof bounds))
  expect(known.length).toBe(new Set(known).size)
  // Say in growth.ts what bounds a new table. If nothing does, let cleaning.ts or old-rows.ts delete from it.
  expect(found.map(({ name }) => name)).toEqual(known.toSorted())
})

const bytes = () => sql`${randomBytes(32)}::bytea`
const now = sql`now()`
const longAgo = sql`now() - interval '500 days'`
/** A session that ended at that time, and its subscription. */
const subscription = (
  at: Sql,
) => sql`with s as (insert into sessions (token_hash, account_id, idle_minutes, expires_at, seen_at, face)
    values (${bytes()}, ${member.id}, 60, ${at} + interval '1 hour', ${at}, 'member') returning id)
  insert into push_subscriptions (session_id, account_id, top_id, sealed, endpoint_hash, language, created_at)
    select id, ${member.id}, ${top.id}, '', ${bytes()}, 'en', ${at} from s returning id`

/** How to put a row of some time into each table, and the column that has that time. */
const plants: Record<string, [column: string, plant: (at: Sql) => Sql]> = {
  api_key_days: ['day', (at) => sql`insert into api_key_days values (${randomUUID()}, (${at})::date, 1, 0)`],
  api_nonces: ['seen_at', (at) => sql`insert into api_nonces values ('tk_1', ${randomUUID()}, ${at})`],
  bell_items: [
    'created_at',
    (at) => sql`insert into bell_items (account_id, top_id, kind, cash_id, created_at)
      values (${top.id}, ${top.id}, 'refused', ${randomBytes(3).readUIntBE(0, 3)}, ${at})`,
  ],
  challenges: [
    'expires_at',
    (at) =>
      sql`insert into challenges (id_hash, account_id, top_id, expires_at) values (${bytes()}, ${member.id}, ${top.id}, ${at})`,
  ],
  database_sizes: ['day', (at) => sql`insert into database_sizes values ((${at})::date, 1) on conflict do nothing`],
  failed_sign_ins: [
    'hour',
    (at) => sql`insert into failed_sign_ins values (${member.id}, ${top.id}, date_trunc('hour', ${at}), 1)`,
  ],
  known_devices: [
    'seen_at',
    (at) => sql`insert into known_devices values (${bytes()}, ${member.id}, ${top.id}, ${at})`,
  ],
  ledger_checks: ['at', (at) => sql`insert into ledger_checks (at, took_ms, findings) values (${at}, 1, '[]')`],
  one_time_tokens: [
    'expires_at',
    (at) => sql`insert into one_time_tokens values (${bytes()}, 'agent', ${member.id}, ${top.id}, ${at})`,
  ],
  passkey_challenges: [
    'expires_at',
    (at) => sql`insert into passkey_challenges (challenge_hash, purpose, origin, host, expires_at)
      values (${bytes()}, 'sign-in', '', '', ${at} + interval '1 minute')`,
  ],
  push_subscriptions: ['created_at', subscription],
  pushes: [
    'sent_at',
    (at) => sql`insert into pushes (subscription_id, room_id, top_id, sent_at)
      select max(p.id), max(r.id), ${top.id}, ${at} from push_subscriptions p, rooms r
        where p.created_at > now() - interval '1 hour'
          and not exists (select from pushes o where o.subscription_id = p.id)`,
  ],
  security_notices: [
    'created_at',
    (at) => sql`insert into security_notices (account_id, top_id, kind, user_agent, address, created_at)
      values (${member.id}, ${top.id}, 'new_device', '', '', ${at})`,
  ],
  sign_in_tries: ['last_at', (at) => sql`insert into sign_in_tries values (${bytes()}, 1, ${at})`],
  sign_up_tries: [
    'ends_at',
    (at) => sql`insert into sign_up_tries values (${bytes()}, 1, ${at} + interval '1 minute')`,
  ],
  slip_pictures: [
    'asked_at',
    (at) => sql`insert into slip_pictures (cash_id, top_id, member_id, asked_at)
      values (${randomBytes(3).readUIntBE(0, 3)}, ${top.id}, ${member.id}, ${at})`,
  ],
  sms_codes: [
    'sent_at',
    (at) => sql`insert into sms_codes (id, account_id, top_id, code_hash, sent_at, expires_at)
      values (${randomUUID()}, ${member.id}, ${top.id}, ${bytes()}, ${at}, ${at})`,
  ],
  storage_budgets: ['since', (at) => sql`insert into storage_budgets values (${bytes()}, ${at}, 1)`],
  timed_acts: [
    'due_at',
    (at) => sql`insert into timed_acts (id, top_id, room_id, account_id, kind, due_at, content, state)
      select ${randomUUID()}, ${top.id}, max(r.id), ${top.id}, 'remind', ${at}, '', 'due' from rooms r`,
  ],
  uploads: [
    'created_at',
    (at) => sql`insert into uploads (id, account_id, room_id, name, size, created_at)
      values (${randomBytes(16).toString('hex')}, ${member.id}, 1, 'a.pdf', 1, ${at})`,
  ],
  webhooks: [
    'created_at',
    // One that waits since the platform has removed its address.
    (at) =>
      sql`insert into webhooks (top_id, kind, payload, created_at, due_at, seq)
        select ${top.id}, 'member.added', '{}', ${at}, ${at}, 1000000 + count(*) from webhooks`,
  ],
}

const count = async (table: string, isOld: Sql) =>
  (await one<{ n: number }>(db, { ...isOld, text: `select count(*)::int as n from ${table} where ${isOld.text}` }))?.n
const rowsOf = async (table: string, column: string) => {
  const border = { text: `${column} < now() - interval '450 days'`, values: [] }
  const recent = { text: `${column} >= now() - interval '2 hours'`, values: [] }
  return [await count(table, border), await count(table, recent)]
}
/** A day has no hours. */
const border = (table: string) =>
  ['api_key_days', 'database_sizes'].includes(table) ? "day + time '23:59'" : undefined

test('[RUN-05] what nothing needs any more is deleted from every such table, and nothing else', async () => {
  expect(Object.keys(plants).sort()).toEqual(listed('hourly').toSorted())
  // One for each of the two pushes, which go with their subscription.
  await run(db, subscription(now))
  for (const [, plant] of Object.values(plants)) {
    await run(db, plant(longAgo))
    await run(db, plant(now))
  }
  for (const [table, [column]] of Object.entries(plants))
    expect([table, ...(await rowsOf(table, border(table) ?? column))]).toEqual([table, 1, expect.any(Number)])
  await deleteExpired(db)
  await noteDatabaseSize(db)
  await uploads.removeOld()
  for (const [table, [column]] of Object.entries(plants)) {
    const [old, recent] = await rowsOf(table, border(table) ?? column)
    expect([table, old]).toEqual([table, 0])
    expect([table, recent]).not.toEqual([table, 0])
  }
})

test('[RUN-05] more rows than one statement deletes go in several, and a table that fails keeps no other from it', async () => {
  await run(
    db,
    sql`insert into sign_in_tries select sha256(n::text::bytea), 1, now() - interval '3 days' from generate_series(1, 25000) n`,
  )
  await run(
    db,
    sql`insert into api_nonces select 'tk_2', n::text, now() - interval '2 hours' from generate_series(1, 10001) n`,
  )
  const failing = {
    ...db,
    query: ((...given: Parameters<typeof db.query>) =>
      given[0].includes('sms_codes')
        ? Promise.reject(new Error('no such table'))
        : db.query(...given)) as typeof db.query,
  }
  await expect(deleteExpired(failing)).rejects.toThrow('no such table')
  expect(await count('sign_in_tries', sql`last_at < now() - interval '2 days'`)).toBe(0)
  expect(await count('api_nonces', sql`seen_at < now() - interval '1 hour'`)).toBe(0)
})
