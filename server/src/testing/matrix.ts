import { Role } from '@tallyroom/contract/codes'
import { createHash, randomBytes } from 'node:crypto'
import type { CallName } from '@tallyroom/contract'
import { many, one, run, sql } from '../data/sql.ts'
import type { Person, TestServer } from './app.ts'
import { bankRules } from './bank.ts'
import { type Name, names, tree } from './matrix-tree.ts'

/** A member's room and its head, a message in it, a transfer to him, an envelope that waits for him; notes, and a reply of his group. */
export type Its = {
  code: string
  head: number
  message_id: string
  transaction_id: string
  envelope: string
  room_id: number
  note_id: number
  content_id: number
  template_id: number
  bank_account_id: number
}

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

/** What a call is asked with about an account; `undefined` id: nobody's. */
export const about: Partial<Record<CallName, (id: number, its: Its & { session: string }) => object>> = {
  'user/view': (id) => ({ id }),
  'user/path': (id) => ({ id }),
  'user/abilities': (id) => ({ id }),
  'user/saveAbilities': (id) => ({ id, is_sub: 0 }),
  'session/listOf': (id) => ({ id }),
  'session/endOf': (id, { session }) => ({ id, session_id: session }),
  'user/edit': (id) => ({ id, nickname: 'Nick' }),
  'user/delete': (id) => ({ id }),
  'user/transaction': (id) => ({ id, amount: '0.01', remark: 'x' }),
  'member/view': (member_id) => ({ member_id }),
  'transaction/add': (member_id) => ({ member_id, type: 1, amount: '0.01' }),
  'transaction/correct': (_, { transaction_id }) => ({ transaction_id, remark: 'x' }),
  'member/flowLimit': (member_id) => ({ member_id }),
  'transaction/edit': (_, { transaction_id }) => ({ transaction_id, remark: 'y' }),
  'transaction/view': (_, { transaction_id }) => ({ transaction_id }),
  'envelope/answer': (_, { envelope }) => ({ transaction_id: envelope, accept: false }),
  'room/enter': (friend_id) => ({ friend_id }),
  'room/history': (_, { code }) => ({ code }),
  'room/sync': (_, { code }) => ({ code, version: 0 }),
  'room/recover': (_, { room_id }) => ({ room_id }),
  'room/giveToBot': (_, { room_id }) => ({ room_id }),
  'room/changeStatus': (_, { code }) => ({ code, status: 1 }),
  'draft/save': (_, { code }) => ({ code, content: 'x' }),
  'desk/take': (_, { code }) => ({ code }),
  'desk/handOver': (_, { code, head }) => ({ code, to: head }),
  'desk/release': (_, { code }) => ({ code }),
  'desk/whisper': (_, { code }) => ({ code, content: 'x' }),
  'desk/asides': (_, { code }) => ({ code, after: 0 }),
  'desk/settle': (_, { code }) => ({ code }),
  'desk/markUnread': (_, { code }) => ({ code }),
  sendMessage: (_, { code }) => ({ code, type: 1, content: 'x' }),
  readMessage: (_, { code, message_id }) => ({ code, message_id }),
  'friend/view': (member_id) => ({ member_id }),
  'friend/edit': (member_id) => ({ member_id, nickname: 'Neighbour' }),
  'members/bank-card': (member_id) => ({ member_id }),
  'members/bank-card/create': (member_id) => ({ member_id, accounts: [{ bank_id: 1, account_no: '1' }] }),
  'members/bank-card/delete': (member_id) => ({ member_id }),
  'members/bank-account': (member_id) => ({ member_id }),
  'members/bank-account/create': (member_id) => ({ member_id, bank_id: 1, account_name: 'x', account_no: '1' }),
  'members/bank-account/show': (member_id, { bank_account_id }) => ({ member_id, id: bank_account_id }),
  'note/list': (_, { room_id }) => ({ room_id }),
  'note/add': (_, { room_id }) => ({ room_id, title: 'x' }),
  'note/edit': (_, { note_id, room_id }) => ({ note_id, room_id, title: 'x', status: 1 }),
  'note_content/list': (_, { note_id }) => ({ note_id }),
  'note_content/add': (_, { note_id }) => ({ note_id, content: 'x' }),
  'note_content/edit': (_, { content_id, note_id }) => ({ content_id, note_id, content: 'x' }),
  'note_content/delete': (_, { content_id, note_id }) => ({ content_id, note_id }),
  'message-template/update': (_, { template_id }) => ({ targetID: template_id, title: 'x', content: 'y' }),
  'message-template/use': (_, { template_id }) => ({ targetID: template_id }),
  'message-template/delete': (_, { template_id }) => ({ targetID: template_id }),
}

const day = { start_date: '2026-01-01', end_date: '2026-01-02' }
const time = { start_time: '2026-01-01 00:00:00', end_time: '2026-01-02 00:00:00' }

/** Calls that are about nobody else. `null`: allowed ones are not made, because they change what the others rest on. */
export const alone: Partial<Record<CallName, object | null>> = {
  'userMenu/list': {},
  'userMenu/auth': { url: '/index' },
  'user/list': {},
  'user/export': {},
  'user/add': { username: 'taken', password: 'secret1', password_confirmation: 'other12' },
  'user/paymentPassword': null,
  'wallet/toGame': null,
  'transaction/list': time,
  'redEnvelope/record': time,
  'transaction/export': time,
  'report/sr02': day,
  'report/sr02Export': day,
  'report/reconciliation': {},
  'report/check': {},
  'audit/list': {},
  'setting/view': {},
  'setting/save': { name: 'Room' },
  'share/savePicture': null,
  'share/saveDomain': { domain: '' },
  'apiKey/list': {},
  'apiKey/add': null,
  'apiKey/rotate': null,
  'apiKey/revoke': null,
  'webhook/list': {},
  'room/list': {},
  'ai/view': {},
  'ai/save': null,
  'friend/list': {},
  'customer/list': {},
  'orderType/list': {},
  'orderType/save': { name: 'North' },
  'members/hasBankCardSetting': {},
  'bank_setting/view': {},
  'bank_setting/save': bankRules,
  'message-template/list': {},
  'message-template/create': { title: 'x', content: 'y' },
  'search/accounts': { text: 'a' },
  'search/messages': { text: 'hello' },
  'search/notes': { text: 'hello' },
  'draft/list': {},
  'home/view': {},
  'push/view': {},
  'push/subscribe': null,
  'push/unsubscribe': null,
  'desk/colleagues': {},
  'desk/bulk': { deed: 'hide', codes: [] },
  logout: null,
  'session/list': {},
  'session/end': null,
  'session/endOthers': null,
  'factor/view': {},
  'factor/begin': null,
  'factor/confirm': null,
  'factor/sendCode': null,
  'factor/remove': null,
  'factor/recoveryCodes': null,
  'factor/sendPhoneCode': null,
  'factor/setPhone': null,
  'factor/removePhone': null,
}
