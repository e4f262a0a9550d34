import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { many, sql } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'

const server = await startTestServer()
const { db, settings } = server.services
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const media = join(settings.dataDir, 'media')
const files = () =>
  readdirSync(media, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
const rows = async () => (await many<{ id: string }>(db, sql`select id from media order by id`)).map(({ id }) => id)

test('[ACC-03] an account that is refused leaves no picture behind', async () => {
  const { agent, cs } = await server.family()
  const secret = { password: 'secret123', password_confirmation: 'secret123' }
  const taken = await agent.ask('user/add', { ...secret, username: cs.username, thumbnail: PICTURE })
  expect(taken.refusal).toBe('account.username_taken')
  expect(await rows()).toEqual([])
  await expect.poll(files).toEqual([])
})
