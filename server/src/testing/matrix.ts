import { Role } from '@tallyroom/contract/codes'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { many, one, run, sql } from '../data/sql.ts'
import type { Person, TestServer } from './app.ts'
import { bankRules } from './bank.ts'
import { type Name, names, tree } from './matrix-tree.ts'

/** A member's room and its head, a message in it, a transfer to him, an envelope that waits for him; notes, and a reply of his group. */
export type Its = {
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
  bank_account_id: number
}

/** An id that no account has, and things that do not exist. */
export const NOBODY = 99_999_999
export const nothing = (): Its & { session: string } => ({
  session: '99999999',
  code: 'A'.repeat(22),
  head: 1,
  message_id: randomUUID(),
  taken_back_id: randomUUID(),
  transaction_id: randomUUID(),
  envelope: randomUUID(),
  room_id: NOBODY,
  note_id: NOBODY,
  content_id: NOBODY,
  template_id: NOBODY,
  bank_account_id: NOBODY,
})

export type World = {
  people: Record<Name, Person>
  /** What there is about each member. */
  of: Partial<Record<Name, Its>>
  /** A session of each that is not the one he is asked with. */
  sessions: Record<Name, string>
  /** Tokens of sessions that are over, and of one of the agent's that was opened by an agent login. */
  tokens: { expired: string; ended: string; frozen: string; agentLogin: string }
  mend(): Promise<void>
}

export const makeWorld = async (server: TestServer): Promise<World> => {
  const { db } = server.services
  const people = {} as Record<Name, Person>
  for (const name of names) {
    const { role, under } = tree[name]
    const parent = under && people[under]
    const purse = role === Role.admin ? { unlimited: true } : role === Role.agent ? { limit: '100000' } : {}
    people[name] = await server.person({ role, ...(parent ? { under: parent } : {}), ...purse })
  }
  const of: World['of'] = {}
  for (const admin of [people.top, people.strangerTop]) await admin.call('bank_setting/save', bankRules)
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
    const { message_id } = await member.call('sendMessage', { code, type: 1, content: 'hello' })
    const taken = await member.call('sendMessage', { code, type: 1, content: 'hello again' })
    await member.call('message/takeBack', { code, message_id: taken.message_id })
    const { transaction_id } = await head.call('user/transaction', { id: member.id, amount: '5', remark: 'x' })
    await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
    const offer = await head.call('transaction/add', { member_id: member.id, type: 1, amount: '1' })
    await run(db, sql`update accounts set withdraw_confirm = 0 where id = ${member.id}`)
    const { note_id } = await head.call('note/add', { room_id, title: 'about' })
    const { content_id } = await head.call('note_content/add', { note_id, content: 'first' })
    const { id: template_id } = await head.call('message-template/create', { title: 'hi', content: 'hello' })
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
      bank_account_id: await bankOf(name === 'strangerMember' ? people.strangerTop : people.top, member.id),
    }
  }
  for (const top of ['top', 'strangerTop'] as const) await people[top].call('setting/save', { name: 'Talk' })
  const again = async (id: number, change: ReturnType<typeof sql>) => {
    const token = randomBytes(32).toString('base64url')
    const hash = createHash('sha256').update(token).digest()
    await run(
      db,
      sql`insert into sessions (account_id, token_hash, face, expires_at) values (${id}, ${hash}, 'office', now() + interval '1 day')`,
    )
    await run(db, sql`update sessions set ${change} where token_hash = ${hash}`)
    return token
  }
  const tokens = {
    expired: await again(people.agent.id, sql`expires_at = now() - interval '1 second'`),
    ended: await again(people.agent.id, sql`ended_at = now(), end_reason = 'ended'`),
    frozen: people.frozen.token,
    agentLogin: await again(people.agent.id, sql`agent_login = true`),
  }
  const sessions = {} as Record<Name, string>
  for (const name of names) {
    const made = await one<{ id: bigint }>(
      db,
      sql`insert into sessions (account_id, token_hash, face, expires_at)
        values (${people[name].id}, ${randomBytes(32)}, 'office', now() + interval '1 day') returning id`,
    )
    sessions[name] = String(made?.id)
  }
  await run(db, sql`update accounts set status = 0 where id = ${people.frozen.id}`)
  // The sweeper would end the frozen one's envelope at a moment of its own.
  await server.services.ledger.expireDue()
  const ids = names.map((name) => people[name].id)
  const living = await many<{ id: bigint }>(
    db,
    sql`select id from sessions where account_id = any(${ids}) and ended_at is null`,
  )
  const deletable: { table: string; rows: string }[] = []
  for (const table of ['note_contents', 'templates', 'bank_accounts']) {
    const all = await one<{ rows: string }>(db, {
      text: `select jsonb_agg(to_jsonb(t))::text as rows from ${table} t`,
      values: [],
    })
    deletable.push({ table, rows: all?.rows ?? '[]' })
  }
  return {
    people,
    of,
    sessions,
    tokens,
    // After a deed that was allowed: nobody new is frozen, whoever was signed in is, and what was deleted is there again.
    mend: async () => {
      for (const { table, rows } of deletable)
        await run(db, {
          text: `insert into ${table} overriding system value
            select * from jsonb_populate_recordset(null::${table}, $1::jsonb) on conflict do nothing`,
          values: [rows],
        })
      await run(
        db,
        sql`update accounts set status = 1 where id = any(${ids}) and id <> ${people.frozen.id} and status = 0`,
      )
      await run(
        db,
        sql`update sessions set ended_at = null, end_reason = null where id = any(${living.map(({ id }) => id)})`,
      )
    },
  }
}

/** Written by deeds that are refused, or beside the calls: the outcomes of the ledger's refusals, the chain of the log. */
const ASIDE = ['requests', 'audit_pending', 'audit_chain', 'schema_migrations']

/** A hash of every table, but for when somebody was last seen. */
export const hashOfAll = async ({ services: { db } }: TestServer): Promise<Record<string, string>> => {
  const tables = await many<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      and not table_name = any(${ASIDE}) order by 1`,
  )
  const hashes = tables.map(
    ({ name }) => `'${name}', (select md5(string_agg(row, '' order by row)) from "${name}" t
      cross join lateral (select md5((to_jsonb(t) - 'seen_at' - 'last_seen_at')::text) as row) r)`,
  )
  const found = await one<{ all: Record<string, string> }>(db, {
    text: `select json_build_object(${hashes.join(', ')}) as all`,
    values: [],
  })
  return found?.all ?? {}
}
