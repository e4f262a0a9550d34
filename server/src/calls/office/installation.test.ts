import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '@tallyroom/contract'
import { MessageType, TransferKind } from '@tallyroom/contract/codes'
import { noteBackup } from '../../doctor/last-backup.ts'
import { run, sql } from '../../data/sql.ts'
import { thresholds } from '../../doctor/findings.ts'
import { noteDatabaseSize } from '../../retention/database-size.ts'
import { noSockets } from '../../testing/no-sockets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

type Finding = Answer<'installation/view'>['findings'][number]
/** As another copy would answer, which has not looked yet. */
const look = async (top: Person): Promise<Partial<Record<Finding['topic'], Finding>>> => {
  server.services.live = { ...noSockets, people: () => Promise.resolve(7) }
  const { findings } = await top.call('installation/view', {})
  return Object.fromEntries(findings.map((one) => [one.topic, one]))
}

test('[RUN-02] an admin reads the numbers of the metrics, and what the doctor finds, each once', async () => {
  const { top, cs, member, room, agent } = await server.family()
  const { db, settings } = server.services
  const before = await look(top)
  expect(before.people).toMatchObject({ state: 'fine', count: 7 })
  expect(before.backup).toMatchObject({ state: 'wrong', seconds: null })
  expect(before.drill).toBeUndefined()
  expect(before.points).toMatchObject({ state: 'fine' })
  for (const topic of ['migrations', 'key', 'clock', 'parts', 'disk', 'webhooks', 'pushes'] as const)
    expect([topic, before[topic]?.state]).toEqual([topic, 'fine'])

  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
  await member.call('sendMessage', { code: room, type: MessageType.text, content: 'hello?' })
  await run(db, sql`insert into database_sizes values (current_date - 10, 1000)`)
  await noteDatabaseSize(db)
  await noteBackup(settings.dataDir)
  const after = await look(top)
  // The message, and the line about the points.
  expect(after.messages?.count).toBe((before.messages?.count ?? 0) + 2)
  expect(after.transfers?.count).toBe((before.transfers?.count ?? 0) + 1)
  expect(after.waiting).toMatchObject({ state: 'fine', count: (before.waiting?.count ?? 0) + 1 })
  expect(after.backup).toMatchObject({ state: 'fine' })
  expect(after.drill).toMatchObject({ state: 'warning', seconds: null })
  const { bytes = 0, more_bytes } = after.database ?? {}
  expect(more_bytes).toBeCloseTo((Number(bytes) - 1000) / 10, -5)

  await run(db, sql`update rooms set waiting_since = waiting_since - interval '16 minutes' where code = ${room}`)
  await run(db, sql`update wallets set balance = balance + 1 where account_id = ${agent.id} and kind = 1`)
  const ill = await look(top)
  await run(db, sql`update wallets set balance = balance - 1 where account_id = ${agent.id} and kind = 1`)
  expect(ill.waiting).toMatchObject({ state: 'warning' })
  expect(ill.waiting?.seconds).toBeGreaterThan(960)
  expect(ill.points).toMatchObject({ state: 'wrong' })
})

test('[RUN-02] many looks at once cost the database one, and only an admin may look', async () => {
  const { top, agent, cs, member } = await server.family()
  server.services.live = { ...noSockets }
  const [one, two] = await Promise.all([top.call('installation/view', {}), top.call('installation/view', {})])
  expect(two.at).toBe(one?.at)
  for (const other of [agent, cs, member])
    expect((await other.ask('installation/view', {})).refusal).toBe('access.denied')
})

test('[RUN-04] the page looks from the same thresholds on as the alerts', () => {
  const alerts = readFileSync(new URL('../../../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8')
  for (const [metric, seconds] of [
    ['longest_wait_seconds', thresholds.wait],
    ['webhook_oldest_seconds', thresholds.webhook],
    ['seal_age_seconds', thresholds.seal],
  ] as const)
    expect(alerts).toContain(`max(tallyroom_${metric}) > ${seconds}\n`)
})
