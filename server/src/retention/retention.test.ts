import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { errors, OK } from '@tallyroom/contract'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { tendRequests } from '../data/request-parts.ts'
import { many, one, run, sql } from '../data/sql.ts'
import { verifyAudit } from '../identity/audit-chain.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { startTestServer, type TestServer } from '../testing/app.ts'
import { linkAll } from '../testing/audit.ts'
import { asSuperuser, testDatabase } from '../testing/postgres.ts'
import { deleteOldRows } from './old-rows.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const db = () => server.services.db
const forEver = { requestDays: 30, sessionDays: 365, messageDays: 0, readingDays: 0 }
const keep = (retention: Partial<typeof forEver>) =>
  deleteOldRows({ db: db(), media: server.services.media, retention: { ...forEver, ...retention } })

const parts = () => many<{ name: string; ends: Date }>(db(), sql`select name, ends from request_parts() order by ends`)
/** Another copy has started so many days later. */
const tendLater = (days: number) =>
  one(db(), sql`select tend_requests(30, now() + make_interval(hours => 24 * ${days}::int))`)
/** As if these requests had been made so many days later. */
const moveRequests = (actorId: number, days: number) =>
  run(
    db(),
    sql`update requests set created_at = created_at + make_interval(hours => 24 * ${days}::int) where actor_id = ${actorId}`,
  )
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const uuid7 = (daysAgo: number) => {
  const time = (Date.now() - daysAgo * 86_400_000).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice('xxxxxxxx-xxxx-4'.length)}`
}

test('[RUN-05] a repeated request finds its outcome in every part of the table, and parts are made ahead', async () => {
  const { agent, member, cs, room } = await server.family()
  await tendRequests(db(), 30)
  const before = await parts()
  expect(before.at(-1)?.ends.getTime()).toBeGreaterThan(Date.now() + 20 * 86_400_000)
  await tendLater(30)
  expect((await parts()).length).toBeGreaterThan(before.length)
  const points = { member_id: member.id, type: TransferKind.send, amount: '5', request_id: randomUUID() }
  const hello = { code: room, type: MessageType.text, content: 'hello', request_id: randomUUID() }
  const renamed = { id: member.id, nickname: 'Once', request_id: randomUUID() }
  const answers = async () => [
    await cs.call('sendMessage', hello),
    await agent.call('transaction/add', points),
    await agent.call('user/edit', renamed),
  ]
  const first = await answers()
  for (const { id } of [agent, cs]) await moveRequests(id, 40)
  expect(await answers()).toEqual(first)
  expect((await agent.call('user/view', { id: member.id })).balance).toBe('5.0000')
})

test('[RUN-05] two equal requests at once around the end of a part have one effect', async () => {
  const { agent } = await server.family()
  const request_id = randomUUID()
  // Another copy is at work on the same request, which it has written into the next part.
  const other = new pg.Client(await testDatabase())
  await other.connect()
  try {
    await other.query('begin')
    await other.query(`select pg_advisory_xact_lock(hashtextextended($1, 7460119241))`, [`${agent.id}/${request_id}`])
    await other.query(
      `insert into requests values ($1, $2, 'user/edit', 'x', '{"data":null}', now() + interval '960 hours')`,
      [agent.id, request_id],
    )
    const asked = agent.ask('user/edit', { id: agent.id, nickname: 'Twice', request_id })
    await untilWaiting()
    await other.query('commit')
    // It finds that outcome, which is of other content here.
    expect((await asked).refusal).toBe('request.id_reused')
  } finally {
    await other.end()
  }
})
const untilWaiting = async () => {
  for (;;) if (await one(db(), sql`select from pg_locks where locktype = 'advisory' and not granted`)) return
}

test('[RUN-05] parts are dropped when the time of the promise is over; points are not moved a second time', async () => {
  const { agent, member, cs, room } = await server.family()
  const points = { member_id: member.id, type: TransferKind.send, amount: '5', request_id: uuid7(0) }
  const hello = { code: room, type: MessageType.text, content: 'hello', request_id: randomUUID() }
  await cs.call('sendMessage', hello)
  await agent.call('transaction/add', points)
  await tendLater(45)
  const kept = await one<{ n: number }>(db(), sql`select count(*)::int as n from requests where actor_id = ${agent.id}`)
  expect(kept?.n).toBeGreaterThan(0)
  await tendLater(75)
  expect(await many(db(), sql`select from requests where actor_id in (${agent.id}, ${cs.id})`)).toEqual([])
  // It is still today: today's part is made again.
  await asSuperuser((tx) =>
    run(
      tx,
      sql`do $$ begin
      execute format('create table requests_today partition of requests for values from (minvalue) to (%L)',
        (select min(starts) from request_parts()));
      alter table requests_today add primary key (actor_id, request_id);
    end $$`,
    ),
  )
  // An old page sends it again with an id that does not say its time: the message is there.
  expect((await cs.ask('sendMessage', hello)).refusal).toBe('request.too_old')
  const late = await agent.ask('transaction/add', { ...points, request_id: uuid7(31) })
  expect(late).toMatchObject({ code: errors['request.too_old'], refusal: 'request.too_old' })
  expect((await agent.call('user/view', { id: member.id })).balance).toBe('5.0000')
  expect((await agent.ask('transaction/add', { ...points, request_id: uuid7(29) })).code).toBe(OK)
  const broken = (await checkLedger(db(), 'UTC')).filter(({ breaches }) => breaches.length)
  expect(broken).toEqual([])
})

test('[RUN-05] messages are kept for ever, or go with their files after MESSAGE_DAYS', async () => {
  const { agent, cs, member, room } = await server.family()
  await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'old words' })
  const { content } = await cs.call('sendMessage', { code: room, type: MessageType.image, content: png })
  const taken = await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'old and taken back' })
  await cs.call('message/takeBack', { code: room, message_id: taken.message_id })
  await run(db(), sql`update messages set created_at = created_at - interval '41 days' where sender_id = ${cs.id}`)
  await run(db(), sql`update rooms set last_message_at = last_message_at - interval '41 days' where code = ${room}`)
  const file = join(server.services.settings.dataDir, 'media', content.slice(7, 9), content.slice(7))
  await keep({})
  expect((await agent.call('room/enter', { code: room })).messages.length).toBe(3)
  expect(existsSync(file)).toBe(true)
  await keep({ messageDays: 40 })
  await expect.poll(() => existsSync(file)).toBe(false)
  expect(await agent.call('room/enter', { code: room })).toMatchObject({ messages: [], has_more: false })
  expect(await one(db(), sql`select last_message_content as words from rooms where code = ${room}`)).toEqual({
    words: '',
  })
  expect(await many(db(), sql`select from taken_back_messages where content = 'old and taken back'`)).toEqual([])
  await member.call('sendMessage', { code: room, type: MessageType.text, content: 'and on we go' })
  expect(await agent.call('room/enter', { code: room })).toMatchObject({
    messages: [{ seq: 4, content: 'and on we go' }],
    has_more: false,
  })
})

test('[RUN-05] an old message that only names a file takes no file along', async () => {
  const { agent, cs, member, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const code = (await other.call('room/list', {})).data[0]?.code ?? ''
  const photo = await cs.call('sendMessage', { code, type: MessageType.image, content: png })
  await agent.call('user/edit', { id: agent.id, thumbnail: png })
  const { thumbnail } = await agent.call('user/view', {})
  for (const content of [photo.content, thumbnail])
    await member.call('sendMessage', { code: room, type: MessageType.text, content })
  const taken = await member.call('sendMessage', { code: room, type: MessageType.text, content: photo.content })
  await member.call('message/takeBack', { code: room, message_id: taken.message_id })
  await run(db(), sql`update messages set created_at = created_at - interval '41 days' where sender_id = ${member.id}`)
  await keep({ messageDays: 40 })
  expect((await member.call('room/enter', { code: room })).messages).toEqual([])
  const files = [photo.content, thumbnail].map((content) => content.slice('/media/'.length))
  expect(await many(db(), sql`select from media where id = any(${files}::text[])`)).toHaveLength(2)
})

test('[RUN-05] [DESK-09] what the report of work counts goes with the messages', async () => {
  const { agent, top } = await server.family()
  const plant = (days: number) =>
    run(
      db(),
      sql`with old as (select now() - make_interval(days => ${days}) as at),
        spell as (insert into desk_spells (top_id, group_id, account_id, started_at, until_at, is_over)
          select ${top.id}, ${agent.id}, ${agent.id}, at, at, true from old)
      insert into desk_waits (room_id, asked_seq, top_id, group_id, asked_at, from_at, is_first)
        select -${agent.id}::int, ${days}, ${top.id}, ${agent.id}, at, at, true from old`,
    )
  const left = () =>
    one(
      db(),
      sql`select (select count(*)::int from desk_waits where group_id = ${agent.id}) as waits,
        (select count(*)::int from desk_spells where group_id = ${agent.id}) as spells`,
    )
  await plant(39)
  await plant(41)
  await keep({})
  expect(await left()).toEqual({ waits: 2, spells: 2 })
  await keep({ messageDays: 40 })
  expect(await left()).toEqual({ waits: 1, spells: 1 })
})

test('[RUN-05] sessions go a year after their end', async () => {
  const { agent } = await server.family()
  await agent.call('logout', {})
  const left = () => many(db(), sql`select id from sessions where account_id = ${agent.id}`)
  await run(db(), sql`update sessions set ended_at = now() - interval '364 days' where account_id = ${agent.id}`)
  await keep({})
  expect((await left()).length).toBe(1)
  await run(db(), sql`update sessions set ended_at = now() - interval '366 days' where account_id = ${agent.id}`)
  await keep({})
  expect(await left()).toEqual([])
})

test('[RUN-05] old entries about reading leave the audit log, and no other entry can leave like them', async () => {
  const { agent, top } = await server.family()
  await agent.call('user/edit', { id: agent.id, nickname: 'Kept' })
  await run(
    db(),
    sql`insert into audit_log (top_id, kind, actor_id, facts, at)
      select ${top.id}, 'exported', ${agent.id}, '{"rows": 3}', now() - age from unnest(array[interval '100 days', '10 days']) age`,
  )
  await linkAll(db())
  const { rows } = await verifyAudit(db())
  await keep({ readingDays: 90 })
  const about = () =>
    many(
      db(),
      sql`select at from audit_log where kind = 'exported' and actor_id = ${agent.id} and at < now() - interval '1 day'`,
    )
  expect((await about()).length).toBe(1)
  expect(await verifyAudit(db())).toMatchObject({ breaches: [], rows })
  await linkAll(db())
  expect(await verifyAudit(db())).toMatchObject({ breaches: [], rows: rows + 1 })
  // Removed by hand, it is missed; and the serving role cannot remove any.
  await expect(run(db(), sql`delete from audit_log where kind = 'exported'`)).rejects.toThrow()
  const undone = new Error('undo')
  for (const kind of ['exported', 'account_edited'])
    await expect(
      asSuperuser(async (tx) => {
        await run(tx, sql`delete from audit_log where id = (select max(id) from audit_log where kind = ${kind})`)
        const found = await verifyAudit({
          ...db(),
          transact: (work) => work({ ...tx, query: withoutIsolation(tx.query) }),
        })
        expect(found.breaches.length).toBe(1)
        throw undone
      }),
    ).rejects.toBe(undone)
})
const withoutIsolation =
  (query: ReturnType<typeof db>['query']): ReturnType<typeof db>['query'] =>
  async (text, values, isReplanned) =>
    text.startsWith('set transaction') ? [] : query(text, values, isReplanned)
