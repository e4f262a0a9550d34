import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../testing/app.ts'
import { run, sql } from '../data/sql.ts'
import { makeAnswerTimes } from './answer-time.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

type Said = { by: 'member' | 'group' | 'bot'; after: number }

/** Writes a room's messages in the order given, `after` minutes after the one before, the last one a day ago. */
const talk = async ({ agent, member, room }: { agent: Person; member: Person; room: string }, said: Said[]) => {
  const minutes = said.reduce<number[]>((all, { after }) => [...all, (all.at(-1) ?? 0) + after], [])
  const ago = minutes.map((minute) => 24 * 60 + (minutes.at(-1) ?? 0) - minute)
  await run(
    server.services.db,
    sql`insert into messages (room_id, seq, top_id, group_id, message_id, version, type, content, sender_id, from_partner, created_at)
      select r.id, v.seq, r.top_id, r.group_id, v.id, v.seq, 1, 'hello', v.sender, v.sender is not distinct from ${member.id}::int,
        now() - make_interval(mins => v.ago)
      from rooms r, unnest(${said.map((_, at) => at + 1)}::int[], ${said.map(() => randomUUID())}::uuid[],
        ${said.map(({ by }) => (by === 'bot' ? null : by === 'member' ? member.id : agent.id))}::int[], ${ago}::int[])
        v (seq, id, sender, ago)
      where r.code = ${room}`,
  )
}

/** The member asks, the group answers after each of these minutes; hours pass in between. */
const answered = (...minutes: number[]): Said[] =>
  minutes.flatMap((after): Said[] => [
    { by: 'member', after: 180 },
    // A second message of the member does not begin a new wait.
    { by: 'member', after: 0 },
    { by: 'group', after },
    { by: 'group', after: 1 },
  ])

test("the member's page says how long the group usually takes, once ten have waited", async () => {
  const few = await server.family()
  await talk(few, answered(1, 1, 1, 1, 1, 1, 1, 1, 1))
  expect(await few.member.call('room/answerTime', {})).toEqual({ minutes: null, opening: null })

  const enough = await server.family()
  await talk(enough, answered(2, 90, 3, 4, 400, 3, 1, 3, 2, 3))
  expect(await enough.member.call('room/answerTime', {})).toEqual({ minutes: 3, opening: null })
  // A colleague's members hear the same; another group's say nothing of it.
  expect((await few.member.call('room/answerTime', {})).minutes).toBeNull()
})

test('what a bot answers does not count, and who still waits does', async () => {
  const family = await server.family()
  const groupId = family.agent.id
  const bots = Array.from({ length: 20 }).flatMap((): Said[] => [
    { by: 'member', after: 60 },
    { by: 'bot', after: 0 },
  ])
  await talk(family, [...bots, ...answered(1, 1, 1, 1, 1, 1, 1, 1, 1), { by: 'member', after: 5 }])
  const measure = () => makeAnswerTimes().of(server.services.db, groupId)
  expect(await measure()).toBeUndefined()
  await run(server.services.db, sql`update rooms set waiting_since = now() where code = ${family.room}`)
  // Nine answers after a minute, and one wait of a day so far.
  expect(await measure()).toBe(60)
})

test('a group is measured again after ten minutes, and once for all who ask at the same time', async () => {
  const family = await server.family()
  const groupId = family.agent.id
  await talk(family, answered(2, 2, 2, 2, 2, 2, 2, 2, 2, 2))
  let at = 0
  let reads = 0
  const times = makeAnswerTimes(() => at)
  const db: typeof server.services.db = {
    ...server.services.db,
    query: (...args) => {
      reads++
      return server.services.db.query(...args)
    },
  }
  expect(await Promise.all([times.of(db, groupId), times.of(db, groupId)])).toEqual([120, 120])
  at = 9 * 60_000
  expect([await times.of(db, groupId), reads]).toEqual([120, 1])
  at = 11 * 60_000
  expect([await times.of(db, groupId), reads]).toEqual([120, 2])
})
