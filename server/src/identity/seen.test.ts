import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { besideTransaction, type Db, many, one, sql } from '../data/sql.ts'
import { startTestServer } from '../testing/app.ts'
import { seenMarker } from './actor.ts'

type SessionRow = { id: bigint; accountId: number }

test('[S13] sessions that are seen at once share two commits, and wait for no locked row', async () => {
  const server = await startTestServer()
  const { db } = server.services
  // Without a call before: the server would mark that session too, perhaps later.
  const top = await server.person({ role: Role.admin })
  const agent = await server.person({ role: Role.agent, under: top })
  const cs = await server.person({ role: Role.customerService, under: agent })
  const member = await server.person({ role: Role.member, under: agent })
  const sessions = await many<SessionRow>(db, sql`select id, account_id as "accountId" from sessions`)
  await db.query(`update accounts set last_seen_at = '2020-01-01'`, [])
  const counted = { queries: 0 }
  const counting: Db = {
    query: (...args) => {
      counted.queries++
      return db.query(...args)
    },
  }
  const markSeen = seenMarker(counting)
  const lastSeen = async ({ id }: { id: number }) =>
    (await one<{ at: Date }>(db, sql`select last_seen_at as at from accounts where id = ${id}`))?.at.getFullYear()

  await db.transact(async (tx) => {
    await tx.query('select from accounts where id = $1 for update', [member.id])
    await besideTransaction(() => Promise.all(sessions.map(({ id }) => markSeen(id))))
  })
  expect(counted.queries).toBeLessThanOrEqual(2)
  expect(await Promise.all([agent, cs].map(lastSeen))).not.toContain(2020)
  expect(await lastSeen(member)).toBe(2020)
  await Promise.all(sessions.map(({ id }) => markSeen(id)))
  expect(await lastSeen(member)).not.toBe(2020)
})
