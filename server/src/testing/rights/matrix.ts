import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import pg from 'pg'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { many, one, run, sql } from '../../data/sql.ts'
import type { Person, TestServer } from '../app.ts'
import { bankRules } from '../bank.ts'
import { type Name, names, tree } from './matrix-tree.ts'
import { asSuperuser } from '../postgres.ts'

/** What belongs to a member: its room, the room's head, a message, a transfer, an open envelope, notes, a quick reply. */
export type Belongings = {
  code: string
  head: number
  message_id: string
  /** One that he took back. */
  taken_back_id: string
  transaction_id: string
  envelope: string
  room_id: number
  note_id: number
  content_id: number
  template_id: number
  /** A view of the whole group. */
  view_id: number
  bank_account_id: number
  cash_id: number
  approval_id: number
  /** A sensitive change that the room's head has asked for. */
  change_id: number
}

/** An id that no account has, and ids of things that do not exist. */
export const MISSING_ID = 99_999_999
export const nothing = (): Belongings & { session: string; passkey_id: number } => ({
  session: '99999999',
  passkey_id: MISSING_ID,
  code: 'A'.repeat(22),
  head: 1,
  message_id: randomUUID(),
  taken_back_id: randomUUID(),
  transaction_id: randomUUID(),
  envelope: randomUUID(),
  room_id: MISSING_ID,
  note_id: MISSING_ID,
  content_id: MISSING_ID,
  template_id: MISSING_ID,
  view_id: MISSING_ID,
  bank_account_id: MISSING_ID,
  cash_id: MISSING_ID,
  approval_id: MISSING_ID,
  change_id: MISSING_ID,
})

export type World = {
  people: Record<Name, Person>
  /** What belongs to each member. */
  of: Partial<Record<Name, Belongings>>
  /** A second session of each account. */
  sessions: Record<Name, string>
  passkeys: Record<Name, number>
  /** Tokens of ended sessions, and of the agent's session opened by an agent login. */
  tokens: { expired: string; ended: string; frozen: string; agentLogin: string }
  restore(): Promise<void>
}

export const makeWorld = async (server: TestServer): Promise<World> => {
  const { db } = server.services
  const people = {} as Record<Name, Person>
  for (const name of names) {
    const { role, under } = tree[name]
    const parent = under && people[under]
    const points = role === Role.admin ? { unlimited: true } : role === Role.agent ? { limit: '100000' } : {}
    people[name] = await server.person({ role, ...(parent ? { under: parent } : {}), ...points })
  }
  const of: World['of'] = {}
  for (const admin of [people.top, people.strangerTop]) {
    await admin.call('setting/save', { name: 'Talk', cash_requests: 1 })
    await admin.call('bank_setting/save', bankRules)
  }
  const bankOf = async (admin: Person, member_id: number) => {
    const { data } = await admin.call('orderType/list', {})
    const bank_id = data[0]?.id ?? (await admin.call('orderType/save', { name: 'North' })).id
    const account = { bank_id, account_name: 'Ann', account_no: '12345678' }
    await admin.call('members/bank-account/create', { member_id, ...account })
    return (await admin.call('members/bank-account', { member_id })).data?.id ?? 0
  }
  for (const name of names.filter((one) => tree[one].role === Role.member)) {
    const member = people[name]
    const head = people[tree[name].under as Name]
    const { code = '', room_id = 0 } = (await member.call('room/list', {})).data[0] ?? {}
    const { message_id } = await member.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
    const taken = await member.call('sendMessage', { code, type: MessageType.text, content: 'hello again' })
    await member.call('message/takeBack', { code, message_id: taken.message_id })
    await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
    const approval_id = await approvalOf(db, head, member.id, name === 'grandchild')
    await run(db, sql`update accounts set withdraw_confirm = 0 where id = ${member.id}`)
    const { transaction_id } = await head.call('user/transaction', { id: member.id, amount: '5', remark: 'x' })
    await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
    const offer = await head.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    await run(db, sql`update accounts set withdraw_confirm = 0 where id = ${member.id}`)
    const { note_id } = await head.call('note/add', { room_id, title: 'about' })
    const { content_id } = await head.call('note_content/add', { note_id, content: 'first' })
    const { id: template_id } = await head.call('message-template/create', { title: 'hi', content: 'hello' })
    const { id: view_id } = await head.call('listView/save', {
      list: 'user',
      name: 'Frozen',
      filters: { status: '0' },
      shared: 1,
    })
    const { id: cash_id } = await member.call('cash/ask', { direction: 'in', amount: '1' })
    of[name] = {
      code,
      head: head.id,
      message_id,
      taken_back_id: taken.message_id,
      transaction_id,
      envelope: offer.transaction_id,
      room_id,
      note_id,
      content_id,
      template_id,
      view_id,
      cash_id,
      approval_id,
      change_id: await sensitiveChangeOf(db, head, member.id),
      bank_account_id: await bankOf(name === 'strangerMember' ? people.strangerTop : people.top, member.id),
    }
  }
  // All have the right to approve, so only the position in the tree decides.
  await run(db, sql`update accounts set may_approve = 1 where role_id in (2, 3)`)
  const sessionWith = async (id: number, assignment: ReturnType<typeof sql>) => {
    const token = randomBytes(32).toString('base64url')
    const hash = createHash('sha256').update(token).digest()
    await run(
      db,
      sql`insert into sessions (account_id, token_hash, face, expires_at) values (${id}, ${hash}, 'office', now() + interval '1 day')`,
    )
    await run(db, sql`update sessions set ${assignment} where token_hash = ${hash}`)
    return token
  }
  const tokens = {
    expired: await sessionWith(people.agent.id, sql`expires_at = now() - interval '1 second'`),
    ended: await sessionWith(people.agent.id, sql`ended_at = now(), end_reason = 'ended'`),
    frozen: people.frozen.token,
    agentLogin: await sessionWith(people.agent.id, sql`agent_login = true`),
  }
  const sessions = {} as Record<Name, string>
  const passkeys = {} as Record<Name, number>
  for (const name of names) {
    const made = await one<{ id: bigint }>(
      db,
      sql`insert into sessions (account_id, token_hash, face, expires_at)
        values (${people[name].id}, ${randomBytes(32)}, 'office', now() + interval '1 day') returning id`,
    )
    sessions[name] = String(made?.id)
    const passkey = await one<{ id: number }>(
      db,
      sql`insert into passkeys (account_id, top_id, credential_id, host, public_key, counter, transports, name)
        values (${people[name].id}, 0, ${name}, 'office.example', '', 0, '{}', 'Phone') returning id`,
    )
    passkeys[name] = passkey?.id ?? 0
  }
  await run(db, sql`update accounts set status = 0 where id = ${people.frozen.id}`)
  // Otherwise the sweeper would end the frozen member's envelope during the tests.
  await server.services.ledger.expireDue()
  const waiting = await many<{ id: number; transferId: bigint }>(
    db,
    sql`select id, transfer_id as "transferId" from approvals where state = 'waiting'`,
  )
  const ids = names.map((name) => people[name].id)
  const active = await many<{ id: bigint }>(
    db,
    sql`select id from sessions where account_id = any(${ids}) and ended_at is null`,
  )
  await makeRestore(db, {
    accounts: ids,
    frozen: people.frozen.id,
    sessions: active.map(({ id }) => id),
    approvals: waiting,
  })
  return { people, of, sessions, passkeys, tokens, restore: () => run(db, sql`select restore_world()`).then(() => {}) }
}

type Before = {
  accounts: number[]
  frozen: number
  sessions: bigint[]
  approvals: { id: number; transferId: bigint }[]
}

/**
 * Makes a function of the database that undoes allowed calls: it unfreezes accounts, reopens sessions and restores deleted
 * rows. The matrix calls it thousands of times, so it is one query.
 */
const makeRestore = async (db: TestServer['services']['db'], before: Before) => {
  const list = (values: readonly (number | bigint)[]) => `'{${values.join()}}'::bigint[]`
  const rows: string[] = []
  for (const table of ['note_contents', 'templates', 'bank_accounts', 'list_views']) {
    const all = await one<{ rows: string }>(db, {
      text: `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t`,
      values: [],
    })
    rows.push(`insert into ${table} overriding system value
      select * from jsonb_populate_recordset(null::${table}, ${pg.escapeLiteral(all?.rows ?? '[]')}::jsonb) on conflict do nothing;`)
  }
  const text = `create or replace function restore_world() returns void language plpgsql security definer as $restore$ begin
    ${rows.join('\n')}
    delete from account_rights;
    -- The program never opens an ended approval, change or request again, and triggers refuse it.
    perform set_config('session_replication_role', 'replica', true);
    update approvals set state = 'waiting', ended_at = null, ended_by = null, answer = ''
      where id = any(${list(before.approvals.map(({ id }) => id))});
    update sensitive_changes set state = 'waiting', ended_at = null, ended_by = null, answer = '';
    update envelopes set status = 4, type = 6, settled_at = null, settled_by = null
      where transfer_id = any(${list(before.approvals.map(({ transferId }) => transferId))});
    update cash_requests set state = 'asked', taken_by = null, lease_until = null, ended_at = null, ended_by = null,
      reason = '';
    perform set_config('session_replication_role', 'origin', true);
    update accounts set status = 1 where id = any(${list(before.accounts)}) and id <> ${before.frozen} and status = 0;
    update sessions set ended_at = null, end_reason = null where id = any(${list(before.sessions)});
  end $restore$`
  await asSuperuser((tx) => run(tx, { text, values: [] }))
}

/**
 * Of the head about a member: a question for points above its limit, which holds nothing, so that it can be put back
 * after it has ended. `isDeep`: it is below the limit of the head above, who may then decide.
 */
const approvalOf = async (
  db: TestServer['services']['db'],
  head: Person,
  member_id: number,
  isDeep: boolean,
): Promise<number> => {
  const most = isDeep ? 10_000n : 20_000n
  await run(
    db,
    sql`insert into transfer_limits (account_id, top_id, op, per_transfer) select id, top_id, 2, ${most}::bigint from accounts
      where id = ${head.id} on conflict do nothing`,
  )
  await head.call('transaction/add', { member_id, type: TransferKind.receive, amount: isDeep ? '1.5' : '3' })
  const found = await one<{ id: number }>(db, sql`select max(id) as id from approvals`)
  return found?.id ?? 0
}

/** An export of the head about a member waits for approval. Approving it makes nothing, so it can be put back. */
export const sensitiveChangeOf = async (
  db: TestServer['services']['db'],
  head: Person,
  member_id: number,
  facts: object = {},
): Promise<number> => {
  const made = await one<{ id: number }>(
    db,
    sql`insert into sensitive_changes (top_id, kind, call, maker_id, target_id, change, facts, expires_at)
      select top_id, 'export', 'user/export', id, ${member_id}, '{}', ${JSON.stringify(facts)}, now() + interval '1 day'
      from accounts where id = ${head.id} returning id`,
  )
  return made?.id ?? 0
}

/** Tables that refused calls may change too, or tasks beside them: outcomes of ledger refusals, the audit chain, sums. */
const IGNORED_TABLES = [
  'requests',
  'audit_pending',
  'audit_chain',
  'posting_marks',
  'report_sums',
  'summed_spans',
  'schema_migrations',
  'database_sizes',
  'api_key_days',
  // Who has no page open is noted as gone meanwhile.
  'desk_heartbeats',
  'desk_people',
  // Waits are counted beside the messages of calls before.
  'desk_spells',
  'desk_waits',
  'desk_waits_mark',
]

/** A hash of every table, without the columns that record when an account was last seen. */
export const hashOfAll = async ({ services: { db } }: TestServer): Promise<Record<string, string>> => {
  const tables = await many<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      and not table_name = any(${IGNORED_TABLES}) and table_name not like 'requests\\_%' order by 1`,
  )
  const hashes = tables.map(
    ({ name }) => `select '${name}' as name, (select md5(string_agg(row, '' order by row)) from "${name}" t
      cross join lateral (select md5((to_jsonb(t) - 'seen_at' - 'last_seen_at')::text) as row) r) as hash`,
  )
  const found = await one<{ all: Record<string, string> }>(db, {
    // Not json_build_object(): a function takes at most 100 arguments, which is 50 tables.
    text: `select json_object_agg(name, hash) as all from (${hashes.join(' union all ')}) h`,
    values: [],
  })
  return found?.all ?? {}
}
