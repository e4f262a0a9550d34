import { MessageType, Role } from '@tallyroom/contract/codes'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { connect, one, sql } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'
import { testDatabase } from '../../testing/postgres.ts'

const server = await startTestServer()

/** A few hundred bytes that take long to decode. */
let large = ''
beforeAll(async () => {
  const pixels = { width: 1200, height: 1200, channels: 3 as const, background: '#123' }
  const image = await sharp({ create: pixels }).webp({ lossless: true }).toBuffer()
  large = `data:image/webp;base64,${image.toString('base64')}`
})

test('[S18] many images of one account hold up others by one, and the eleventh that waits is refused', async () => {
  const { agent, member, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const code = (await other.call('room/list', {})).data[0]?.code ?? ''
  const ended: string[] = []
  const sent = Array.from({ length: 12 }, async () => {
    const { refusal } = await member.ask('sendMessage', { code: room, type: MessageType.image, content: large })
    ended.push(refusal ?? 'many')
  })
  await expect.poll(() => ended).toContain('server.busy')
  await other.call('sendMessage', { code, type: MessageType.image, content: large })
  ended.push('other')
  await Promise.all(sent)
  expect(ended.filter((end) => end === 'server.busy')).toHaveLength(2)
  expect(ended.slice(ended.indexOf('other')).filter((end) => end === 'many').length).toBeGreaterThan(4)
})

test('[S18] many writes of one account that wait for each other leave connections to the others', async () => {
  const { member } = await server.family()
  // From a connection of its own, and of the account's writes only: the server's tasks use some at any time.
  const watching = connect({ ...(await testDatabase()), max: 1 })
  let most = 0
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const found = await one<{ n: number }>(
        watching,
        sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      most = Math.max(most, found?.n ?? 0)
    }
  }
  const watched = watch()
  const setPicture = () => member.call('user/edit', { id: member.id, thumbnail: large })
  await Promise.all(Array.from({ length: 15 }, setPicture)).finally(() => (isOver = true))
  await watched
  await watching.end()
  // Three at once: one goes on, and two wait for it. Without the limit all ten connections would.
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(5)
})
