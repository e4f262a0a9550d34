import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MessageType } from '@tallyroom/contract/codes'
import pg from 'pg'
import { expect, test } from 'vitest'
import { many, sql } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'
import { testDatabase } from '../../testing/postgres.ts'

const server = await startTestServer()
const { db, settings } = server.services
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const media = join(settings.dataDir, 'media')
const files = () =>
  readdirSync(media, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
const rows = async () => (await many<{ id: string }>(db, sql`select id from media order by id`)).map(({ id }) => id)

test('[SELF-01] [RUN-06] a picture that is replaced or removed is kept nowhere', async () => {
  const { member } = await server.family()
  const edit = async (thumbnail: string) => {
    await member.call('user/edit', { id: member.id, thumbnail })
    return (await member.call('user/view', {})).thumbnail.slice('/media/'.length)
  }
  const first = await edit(PICTURE)
  const second = await edit(PICTURE)
  expect(second).not.toBe(first)
  // Another change leaves it alone.
  await member.call('user/edit', { id: member.id, nickname: 'Kim' })
  expect(await rows()).toEqual([second])
  await expect.poll(files).toEqual([second])
  await edit('')
  expect(await rows()).toEqual([])
  await expect.poll(files).toEqual([])
})

test('[ACC-03] an account that is refused leaves no picture behind', async () => {
  const { agent, cs } = await server.family()
  const secret = { password: 'secret123', password_confirmation: 'secret123' }
  const taken = await agent.ask('user/add', { ...secret, username: cs.username, thumbnail: PICTURE })
  expect(taken.refusal).toBe('account.username_taken')
  expect(await rows()).toEqual([])
  await expect.poll(files).toEqual([])
})

test('[RUN-06] pictures that earlier versions left behind go with the new version', async () => {
  const { agent, member, room } = await server.family()
  await member.call('user/edit', { id: member.id, thumbnail: PICTURE })
  const photo = await member.call('sendMessage', { code: room, type: MessageType.image, content: PICTURE })
  const kept = (await rows()).toSorted()
  expect(kept).toContain(photo.content.slice('/media/'.length))
  const owner = new pg.Client(await testDatabase())
  await owner.connect()
  try {
    await owner.query(
      `insert into media (id, top_id, type, width, height) select repeat(n::text, 32), top_id, 'image/webp', 192 * n, 192
        from accounts, generate_series(1, 2) n where id = $1`,
      [agent.id],
    )
    await owner.query(readFileSync(new URL('../../../migrations/0062-replaced-pictures.sql', import.meta.url), 'utf8'))
  } finally {
    await owner.end()
  }
  expect(await rows()).toEqual([...kept, '2'.repeat(32)].toSorted())
  expect(await many(db, sql`select file from media_deletions`)).toEqual([{ file: '1'.repeat(32) }])
})
