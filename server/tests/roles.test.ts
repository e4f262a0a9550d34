import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { migrateFor } from '../src/data/access.ts'
import { migrate } from '../src/data/migrate.ts'
import { APP, OWNER, SUPERUSER } from '@tallyroom/postgres/roles'
import { startPostgres } from '@tallyroom/postgres'
import { startTestServer } from '../src/testing/app.ts'
import { databaseHasRoles, freshDatabase, ownerOf, testDatabase } from '../src/testing/postgres.ts'

const DENIED = '42501'
const base = mkdtempSync(join(tmpdir(), 'tallyroom-roles-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const ask = async (config: pg.ClientConfig, ...statements: string[]) => {
  const client = new pg.Client(config)
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
const codeOf = (config: pg.ClientConfig, statement: string) =>
  ask(config, statement).then(
    () => 'allowed',
    (error: unknown) => (error as { code?: string }).code,
  )
/** The rights of a role to each table, such as `transfers: INSERT SELECT`. */
const rightsOf = async (config: pg.ClientConfig) =>
  (
    await ask(
      config,
      `select c.relname || ': ' || string_agg(p, ' ' order by p) as line
        from pg_class c, unnest(array['DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE']) p
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and (has_table_privilege(c.oid, p) or (p = 'UPDATE' and has_any_column_privilege(c.oid, p)))
        group by c.relname order by c.relname`,
    )
  ).map(({ line }) => String(line))

describe.runIf(databaseHasRoles)('[W84] the role that serves', () => {
  test('a server works with it, and it is no superuser', async () => {
    const server = await startTestServer()
    await server.family()
    const [role] = await ask(
      await testDatabase(),
      `select current_user as name, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
    )
    expect(role).toEqual({
      name: APP,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
    })
  })

  const kept = { transfers: 'op', postings: 'leg', remark_edits: 'remark', audit_log: 'kind', audit_chain: 'hash' }
  test.each([
    ...Object.entries(kept).flatMap(([table, column]) => [
      `alter table ${table} disable trigger all`,
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
      `alter table ${table} owner to ${APP}`,
      `select 1 from ${table} for update`,
    ]),
    `set session_replication_role = replica`,
    `copy (select 1) to program 'true'`,
    `copy (select 1) to '/tmp/tallyroom-copy'`,
    `copy accounts from '/etc/passwd'`,
    `select pg_read_file('/etc/passwd')`,
    'create table mine ()',
    `create function mine() returns int language sql as 'select 1'`,
    'create schema mine',
    'create extension dblink',
    'drop table drafts',
    'drop table requests_first',
    'drop trigger postings_append_only on postings',
    'truncate messages cascade',
    'update envelopes set expires_at = now()',
    'update envelopes set top_id = 1',
    'delete from envelopes',
    'delete from wallets',
    'update wallets set top_id = 1',
    `update schema_migrations set checksum = ''`,
    `set role ${OWNER}`,
    `set session authorization ${SUPERUSER}`,
    'alter system set fsync = off',
    `alter role ${APP} superuser`,
  ])('may not: %s', async (statement) => {
    expect(await codeOf(await testDatabase(), statement)).toBe(DENIED)
  })

  // A new table appears here by itself. If its rows must never change, its migration adds the triggers of
  // `refuse_change`, and the role can only insert.
  test('may change only tables that are not append-only', async () => {
    const rights = await rightsOf(await testDatabase())
    const restricted = rights.filter((line) => !line.endsWith(': DELETE INSERT SELECT UPDATE'))
    expect(restricted).toEqual([
      'approvals: INSERT SELECT UPDATE',
      'audit_chain: INSERT SELECT',
      'audit_log: INSERT SELECT',
      'cash_requests: INSERT SELECT UPDATE',
      'closed_balances: INSERT SELECT',
      'closed_periods: INSERT SELECT',
      'confirmed_transfers: INSERT SELECT',
      'envelopes: INSERT SELECT UPDATE',
      'erased_remarks: SELECT',
      'file_quotas: INSERT SELECT UPDATE',
      'first_places: SELECT',
      'past_places: INSERT SELECT',
      'point_confirmations: INSERT SELECT',
      'postings: INSERT SELECT',
      'remark_edits: INSERT SELECT',
      'schema_migrations: SELECT',
      'seal_blocks: INSERT SELECT',
      'seal_parts: INSERT SELECT',
      'seal_state: INSERT SELECT UPDATE',
      'sealed_wallets: INSERT SELECT UPDATE',
      'sensitive_changes: INSERT SELECT UPDATE',
      'settlements: INSERT SELECT UPDATE',
      'taken_back_messages: INSERT SELECT',
      'transfers: INSERT SELECT',
      'wallets: INSERT SELECT UPDATE',
    ])
    const changeable = rights.filter((line) => !restricted.includes(line)).map((line) => line.split(':')[0])
    expect(changeable).toMatchInlineSnapshot(`
      [
        "account_rights",
        "accounts",
        "ai_work",
        "api_key_days",
        "api_keys",
        "api_nonces",
        "approval_pushes",
        "asides",
        "audit_pending",
        "bank_accounts",
        "bank_settings",
        "banks",
        "bell_items",
        "challenges",
        "database_sizes",
        "day_totals",
        "desk_heartbeats",
        "desk_hours",
        "desk_people",
        "desk_settings",
        "desk_spells",
        "desk_texts",
        "desk_waits",
        "desk_waits_mark",
        "drafts",
        "event_numbers",
        "failed_sign_ins",
        "installation",
        "known_devices",
        "ledger_checks",
        "list_views",
        "media",
        "media_deletions",
        "member_limit_sums",
        "messages",
        "note_contents",
        "notes",
        "one_time_tokens",
        "passkey_challenges",
        "passkeys",
        "payment_offers",
        "posting_marks",
        "push_subscriptions",
        "pushes",
        "receiving_accounts",
        "recovery_codes",
        "recovery_phones",
        "report_sums",
        "requests",
        "room_reads",
        "rooms",
        "sandboxes",
        "second_factors",
        "security_notices",
        "sessions",
        "settings",
        "sign_in_tries",
        "sign_up_tries",
        "slip_pictures",
        "sms_codes",
        "storage_budgets",
        "summed_spans",
        "template_uses",
        "templates",
        "timed_acts",
        "transfer_limits",
        "uploads",
        "webhook_deliveries",
        "webhook_endpoints",
        "webhooks",
      ]
    `)
  })

  test('gets its rights to a table of a later migration at once: insert only, where rows are append-only', async () => {
    const config = await freshDatabase()
    const directory = join(base, 'migrations')
    cpSync(fileURLToPath(new URL('../migrations', import.meta.url)), directory, { recursive: true })
    const number = String(readdirSync(directory).length + 1).padStart(4, '0')
    writeFileSync(
      join(directory, `${number}-later.sql`),
      `create table later_list (id int generated always as identity primary key, word text);
       create table later_ledger (id int generated always as identity primary key, amount bigint);
       create trigger later_append_only before update or delete on later_ledger for each row execute function refuse_change();`,
    )
    await migrate(ownerOf(config), { directory, app: APP })
    await ask(
      config,
      `insert into later_list (word) values ('a')`,
      `update later_list set word = 'b'`,
      'delete from later_list',
    )
    await ask(config, 'insert into later_ledger (amount) values (1)', 'select amount from later_ledger')
    expect(await codeOf(config, 'update later_ledger set amount = 2')).toBe(DENIED)
    expect(await codeOf(config, 'delete from later_ledger')).toBe(DENIED)
  })

  test('loses other granted rights at the next start', async () => {
    const config = await freshDatabase()
    await ask(
      ownerOf(config),
      `grant update, truncate on postings to ${APP}`,
      `grant update (amount) on transfers to ${APP}`,
    )
    expect(await codeOf(config, 'update transfers set amount = amount')).toBe('allowed')
    await migrate(ownerOf(config), { app: APP })
    expect(await codeOf(config, 'update transfers set amount = amount')).toBe(DENIED)
    expect(await codeOf(config, 'truncate postings')).toBe(DENIED)
  })

  test('works without an owner when the schema is up to date', async () => {
    expect(await migrate(await freshDatabase())).toEqual([])
  })
})

test('[W84] a database made by an earlier version as superuser is converted at the next start', async () => {
  const dataDir = join(base, 'old')
  const first = await startPostgres({ dataDir, durable: false })
  // The earlier state: one role, which owns everything.
  await ask(
    first.superuser,
    `alter database tallyroom owner to ${SUPERUSER}`,
    `alter schema public owner to ${SUPERUSER}`,
  )
  await ask(first.superuser, `drop owned by ${OWNER}, ${APP}`, `drop role ${OWNER}, ${APP}`)
  await migrate(first.superuser)
  await first.stop()

  const second = await startPostgres({ dataDir, durable: false })
  await migrateFor(second)
  const owners = await ask(
    second.app,
    `select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace`,
  )
  expect(owners).toEqual([{ owner: OWNER }])
  expect(await codeOf(second.app, 'alter table postings disable trigger all')).toBe(DENIED)
  expect(await codeOf(second.app, 'delete from audit_log')).toBe(DENIED)
  expect(await codeOf(second.app, 'create temporary table mine ()')).toBe(DENIED)
  expect(await ask(second.app, 'select count(*)::int as n from accounts')).toEqual([{ n: 0 }])
  await second.stop()
})
