import { randomUUID } from 'node:crypto'
import { type CallName, callNames, declared, errors, OK } from '@tallyroom/contract'
import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { many, run, sql } from '../src/data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../src/testing/app.ts'
import { roleMay } from '../src/identity/policy.ts'
import { makeWorld, MISSING_ID, nothing, type World } from '../src/testing/rights/matrix.ts'
import { type Name, names } from '../src/testing/rights/matrix-tree.ts'
import { inputOf } from '../src/testing/rights/rights.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
}, 60_000)

/** Forty fields that no caller may set, each with a value that would show. */
const privileged: Record<string, unknown> = {
  role_id: Role.admin,
  role: Role.admin,
  top_id: 987654,
  parent_id: 987654,
  group_id: 987654,
  path: '/EVIL/',
  account_id: 987654,
  balance: '987654',
  game_wallet: '987654',
  used_credit: '-987654',
  floor: null,
  wallet_id: 987654,
  kind: 1,
  password_hash: 'EVIL',
  payment_password_hash: 'EVIL',
  payment_failures: 3,
  payment_locked_until: '2099-01-01',
  share_code: 'EVIL',
  domain: 'https://evil.example',
  thumbnail_id: 'EVIL',
  customized_cs_qrcode_pic_url: 'EVIL',
  is_funded: true,
  created_at: '2001-01-01',
  last_seen_at: '2001-01-01',
  token: 'EVIL',
  token_hash: 'EVIL',
  session_id: 987654,
  agent_login: 1,
  user_id: 987654,
  user_username: 'EVIL',
  operator_cs: 'EVIL',
  create_user: 'EVIL',
  update_user: 'EVIL',
  actor_id: 987654,
  funder_id: 987654,
  sender_id: 987654,
  from_partner: true,
  seq: 987654,
  version: 987654,
  EventMode: 1,
  facts: { EVIL: 1 },
  has_payment_password: true,
}
/** The flags and limits, which only `user/saveAbilities` accepts. */
const abilities = {
  unlimited: true,
  limit_of_credit: '987654',
  is_multiple_wallet: 1,
  transaction_all: 1,
  event_mode: 1,
  is_sub: 1,
  flow_limit_modify_permission: 1,
  deduct_point_button_visible: 1,
  transfer_member_flow_limit_multiple: 77,
  masks_usernames: 1,
}

/** An agent makes what it may, the top account the rest of the office, and a member what is left. */
/** Only with a second admin, whom this platform does not have; only before the first transfer; only the first account. */
const refused: Partial<Record<CallName, number>> = {
  'person/erase': errors['change.needs_two'],
  'home/chooseZone': errors['change.needs_two'],
  'bank/addOwn': errors['bank.too_many'],
}
const doerOf = (call: CallName): Name => (roleMay(2, call) ? 'agent' : roleMay(1, call) ? 'top' : 'member')
/** Inputs for calls where the matrix would repeat what exists. */
const fresh = async (): Promise<Partial<Record<CallName, object>>> => {
  const { top, agent, member } = world.people
  const code = world.of.member?.code ?? ''
  const { message_id } = await agent.call('sendMessage', { code, type: MessageType.text, content: 'x' })
  const [bank] = (await top.call('orderType/list', {})).data
  const card = { id: world.of.member?.bank_account_id, bank_id: bank?.id, account_no: '87654321' }
  const deep = { id: world.of.grandchild?.approval_id }
  const password = { password: 'secret1', password_confirmation: 'secret1' }
  const below = async (username: string) =>
    (await agent.call('tree/add', { username, ...password, parent_id: agent.id, role_id: Role.agent })).id
  const limits = [{ type: TransferKind.gameDeduct, transfer: '5', hour: null, day: null, member: null }]
  return {
    'limit/save': { id: world.people.sub.id, limits },
    'right/save': { id: world.people.sub.id, rights: [{ name: 'quick_replies', given: false }] },
    // The agent decides what the agent below it has made.
    'approval/approve': deep,
    'approval/refuse': { ...deep, reason: 'x' },
    'change/approve': { id: world.of.grandchild?.change_id },
    'change/refuse': { id: world.of.grandchild?.change_id, reason: 'x' },
    'user/add': { username: 'newcs1', password: 'secret1', password_confirmation: 'secret1' },
    'user/addMember': { username: 'newmb1', password: 'secret1', password_confirmation: 'secret1' },
    // This call knows parent_id, so another account's would be refused.
    'user/addAgent': {
      username: 'newag1',
      password: 'secret1',
      password_confirmation: 'secret1',
      parent_id: agent.id,
    },
    'tree/add': {
      username: 'newag2',
      password: 'secret1',
      password_confirmation: 'secret1',
      parent_id: agent.id,
      role_id: Role.customerService,
    },
    'tree/move': { id: await below('newag1a'), to_id: await below('newag1b') },
    'orderType/save': { name: 'South' },
    // The member's own message: it may not take back another's.
    'message/takeBack': { code, message_id },
    'members/bank-card/create': { member_id: member.id, accounts: [card] },
    'members/bank-account/create': {
      member_id: member.id,
      exist_data_id: card.id,
      bank_id: bank?.id,
      account_name: 'Ann',
      account_no: '87654321',
    },
  }
}
const seenBy = async (who: Person) => {
  await run(server.services.db, sql`update wallets set flow_due = 0 where account_id = ${world.people.grandchild.id}`)
  return (await who.call('approval/list', { id: world.of.grandchild?.approval_id ?? 0 })).data[0]?.seen
}
const textOf = (rows: unknown) =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
const accounts = () =>
  many<Record<string, unknown>>(
    server.services.db,
    sql`select to_jsonb(a) - 'last_seen_at' - 'bell_quiet' - 'nickname' - 'nickname_folded' - 'status' as a, to_jsonb(w) - 'balance' - 'seq' - 'flow_due' as w
      from accounts a join wallets w on w.account_id = a.id order by w.id`,
  )

test('[S2] forty privileged fields added to every write: none is stored or has an effect', async () => {
  expect(Object.keys({ ...privileged, ...abilities }).length).toBeGreaterThanOrEqual(40)
  const { db } = server.services
  await run(db, sql`update accounts set chat_ai_bot_visible = 1 where id = ${world.people.agent.id}`)
  const before = await accounts()
  const own = await fresh()
  const writes = callNames.filter((call) => declared(call).effect === 'write' && inputOf(call, MISSING_ID, nothing()))
  for (const call of writes) {
    const its = world.of.member
    if (!its) throw new Error('no member')
    const who = world.people[doerOf(call)]
    const whom = call === 'user/transaction' || call === 'user/edit' ? world.people.sub : world.people.member
    const seen = call === 'approval/approve' ? { seen: await seenBy(who) } : {}
    const input = own[call]
      ? { ...own[call], ...seen }
      : inputOf(call, whom.id, { ...its, session: world.sessions.member, passkey_id: world.passkeys.agent })
    if (/^cash\/(giveBack|refuse|pay)$/.test(call)) await who.call('cash/take', { id: its.cash_id })
    const evil = { ...privileged, ...(call === 'user/saveAbilities' ? {} : abilities) }
    const { reply } = await server.post(call, server.wire.seal(call, { ...evil, ...input }), {
      authorization: `Bearer ${who.token}`,
    })
    const code = refused[call] ?? OK
    expect([call, reply.code, reply.message]).toEqual([call, code, expect.anything()])
    expect(textOf(reply)).not.toMatch(/EVIL|987654/)
    await world.restore()
  }
  const after = await accounts()
  expect(after.slice(0, before.length)).toEqual(before)
  const made = after.slice(before.length).map((row) => textOf(row))
  expect(made.length).toBeGreaterThan(0)
  const roleOf = (row: string) => (row.includes('newag1') ? 2 : row.includes('newmb1') ? 4 : 3)
  for (const row of made) expect(row).toContain(`"role_id":${roleOf(row)},`)
  const tables = await many<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  for (const { name } of tables) {
    const found = await many(db, { text: `select 1 from "${name}" t where t::text ~ 'EVIL|987654'`, values: [] })
    expect([name, found.length]).toEqual([name, 0])
  }
})

test('[S3] a child’s id with another parent’s id reads and writes nothing', async () => {
  const { people } = world
  const of = Object.entries(world.of)
  const [agent, top] = [people.agent, people.top]
  const count = async () =>
    (
      await many<{ n: number }>(
        server.services.db,
        sql`select (select count(*) from room_reads)::int + (select count(*) from messages)::int
      + (select count(*) from transfers)::int as n`,
      )
    )[0]?.n
  const before = await count()
  let cases = 0
  for (const who of names.filter((name) => name !== 'frozen')) {
    for (const [one, mine] of of) {
      for (const [other, theirs] of of) {
        if (one === other || !mine || !theirs) continue
        const person = people[who]
        const read = await person.ask('readMessage', { code: mine.code, message_id: theirs.message_id })
        const member = people[one as keyof typeof people]
        const given = await person.ask('transaction/add', {
          member_id: member.id,
          type: TransferKind.send,
          amount: '0.5',
          code: theirs.code,
          request_id: randomUUID(),
        })
        expect([who, one, other, read.code]).toEqual([who, one, other, errors['account.not_found']])
        expect([errors['access.denied'], errors['account.not_found']]).toContain(given.code)
        cases += 2
      }
    }
  }
  expect(cases).toBeGreaterThanOrEqual(250)
  expect(await count()).toBe(before)
  // The code names the room; other ids beside it change nothing.
  const { code = '' } = world.of.member ?? {}
  const entered = await agent.call('room/enter', { code, friend_id: people.siblingMember.id, room_id: 1 })
  expect(entered.room.code).toBe(code)
  expect((await top.ask('room/enter', { code })).code).toBe(errors['account.not_found'])
}, 60_000)
