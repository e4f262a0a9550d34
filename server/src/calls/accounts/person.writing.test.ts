import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AccountStatus, MessageType, Role } from '@tallyroom/contract/codes'
import pg from 'pg'
import { expect, test } from 'vitest'
import { many, one, sql } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'
import { testDatabase } from '../../testing/postgres.ts'
import { outcomeOf } from '../../testing/outcome.ts'

const server = await startTestServer()
const { db, settings } = server.services
const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const isWaiting = () => one(db, sql`select from pg_locks where not granted`)

test('[RUN-06] a message that is being written while its sender is erased goes too', async () => {
  const { top, cs, member, room } = await server.family()
  const second = await server.person({ role: Role.admin, under: top })
  await cs.call('sendMessage', { code: room, type: MessageType.text, content: 'said before' })
  await top.call('person/erase', { id: member.id })
  const [sensitiveChange] = (await second.call('change/list', {})).data
  // Another copy has locked the room and written the message, and is about to commit.
  const other = new pg.Client(await testDatabase())
  await other.connect()
  try {
    await other.query('begin')
    await other.query('update rooms set last_seq = last_seq + 1, version = version + 1 where code = $1', [room])
    await other.query(
      `insert into messages (room_id, seq, top_id, group_id, message_id, version, type, content, sender_id, from_partner)
        select id, last_seq, top_id, group_id, $2, version, 1, 'said meanwhile', partner_id, true from rooms where code = $1`,
      [room, randomUUID()],
    )
    const erased = second.call('change/approve', { id: sensitiveChange?.id ?? 0 })
    await expect.poll(isWaiting).toBeDefined()
    const later = member.ask('sendMessage', { code: room, type: MessageType.text, content: 'said later' })
    await other.query('commit')
    expect(await erased).toMatchObject({ state: 'approved' })
    // Stored before the erasing, or refused because the sender is frozen.
    expect(['done', 'session.dead']).toContain(outcomeOf(await later))
  } finally {
    await other.end()
  }
  expect(
    await many(db, sql`select m.content from messages m join rooms r on r.id = m.room_id where r.code = ${room}`),
  ).toEqual([])
})

test('[RUN-06] a photo that is being stored while its sender is erased is not kept', async () => {
  const { member, room } = await server.family()
  const files = () =>
    readdirSync(join(settings.dataDir, 'media'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const before = files()
  // Another copy has erased the member, and is about to commit.
  const other = new pg.Client(await testDatabase())
  await other.connect()
  try {
    await other.query('begin')
    await other.query('select from erase_member($1)', [member.id])
    const sent = member.ask('sendMessage', { code: room, type: MessageType.image, content: PHOTO })
    await expect.poll(isWaiting).toBeDefined()
    await other.query('commit')
    expect((await sent).refusal).toBe('session.dead')
  } finally {
    await other.end()
  }
  const rooms = sql`select id from rooms where code = ${room}`
  expect(await many(db, sql`select id from media where room_id in (${rooms})`)).toEqual([])
  expect(files()).toEqual(before)
})

test('[RUN-06] a draft and a name that are being saved while their member is erased are not kept', async () => {
  const { agent, member, room } = await server.family()
  const other = new pg.Client(await testDatabase())
  await other.connect()
  try {
    await other.query('begin')
    await other.query('select from erase_member($1)', [member.id])
    const saved = [
      member.ask('draft/save', { code: room, inside: false, content: 'typed meanwhile' }),
      member.ask('user/edit', { id: member.id, nickname: 'Meanwhile' }),
    ]
    const bothWait = sql`select from pg_locks where not granted having count(distinct pid) > 1`
    await expect.poll(() => one(db, bothWait)).toBeDefined()
    await other.query('commit')
    for (const { refusal } of await Promise.all(saved)) expect(['account.not_found', 'session.dead']).toContain(refusal)
  } finally {
    await other.end()
  }
  expect(await many(db, sql`select content from drafts where account_id = ${member.id} and content <> ''`)).toEqual([])
  expect(await one(db, sql`select nickname from accounts where id = ${member.id}`)).toEqual({ nickname: '' })
  // Nobody brings the account back.
  expect(await agent.ask('user/edit', { id: member.id, status: AccountStatus.active, nickname: 'Again' })).toBeRefusal(
    'account.not_found',
  )
})
