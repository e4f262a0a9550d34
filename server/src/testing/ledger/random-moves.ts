import { randomUUID } from 'node:crypto'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { Role } from '@tallyroom/contract/codes'
import { errors, OK } from '@tallyroom/contract'
import { expect } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import type { Person, TestServer } from '../app.ts'
import { dice } from './dice.ts'
import { asSuperuser } from '../postgres.ts'

type Plan = { moves: number; seed: number }

/**
 * Moves agents and members about below four branches while points move everywhere. Afterwards the ledger is sound, every
 * path agrees with its parents, SR02 of the day before is as it was for everyone, and the four branches together have
 * counted today what the top account has.
 */
export const randomMoves = async (
  server: TestServer,
  { moves, seed }: Plan,
): Promise<{ moved: number; given: number }> => {
  const { db } = server.services
  const random = dice(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const top = await server.person({ role: Role.admin, unlimited: true })
  const branches = await Promise.all(
    [1, 2, 3, 4].map(() => server.person({ role: Role.agent, under: top, points: '1000' })),
  )
  const agents: Person[] = []
  for (let n = 0; n < 8; n++)
    agents.push(await server.person({ role: Role.agent, under: pick([...branches, ...agents]), limit: '100000' }))
  const heads = [...branches, ...agents]
  const members: Person[] = []
  for (let n = 0; n < 12; n++) members.push(await server.person({ role: Role.member, under: pick(heads) }))

  const transfer = (amount: string) =>
    pick(heads).ask('user/transaction', { id: pick(members).id, amount, remark: 'x', request_id: randomUUID() })
  for (let n = 0; n < 60; n++) await transfer(n % 4 === 3 ? '-1' : '3')
  await toYesterday(top)
  const days = await many<{ today: string; before: string }>(
    db,
    sql`select (now() at time zone 'UTC')::date::text as today, ((now() at time zone 'UTC')::date - 1)::text as before`,
  )
  const { today = '', before = '' } = days[0] ?? {}
  const reports = (day: string) =>
    Promise.all([top, ...heads].map((who) => who.call('report/sr02', { start_date: day, end_date: day })))
  const yesterday = await reports(before)
  expect(parsePoints(yesterday[0]?.total.total_in ?? '')).toBeGreaterThan(0n)

  let [moved, given] = [0, 0]
  const mover = async () => {
    for (let n = 0; n < moves; n++) {
      const { code } = await top.ask('tree/move', { id: pick([...agents, ...members]).id, to_id: pick(heads).id })
      if (code === OK) moved++
      // Below itself, or there already.
      else expect(code).toBe(errors['request.invalid'])
    }
  }
  let done = false
  const giver = async () => {
    while (!done) {
      const { code } = await transfer(pick(['1', '2.5', '-1']))
      if (code === OK) given++
      // No longer, or not yet, below the giver; or nothing to take.
      else
        expect([errors['account.not_found'], errors['transfer.not_enough'], errors['transfer.over_credit']]).toContain(
          code,
        )
    }
  }
  const givers = [giver(), giver(), giver()]
  await mover().finally(() => {
    done = true
  })
  await Promise.all(givers)

  expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
  expect(
    await many(
      db,
      sql`select a.id from accounts a join accounts p on p.id = a.parent_id
        where a.path <> p.path || a.id || '/' or a.group_id <> case when a.role_id <= 2 then a.id else p.group_id end`,
    ),
  ).toEqual([])
  expect(
    await many(
      db,
      sql`select r.id from rooms r join accounts a on a.id = r.partner_id join accounts p on p.id = a.parent_id
        where r.group_id <> p.group_id or exists (select from messages m where m.room_id = r.id and m.group_id <> r.group_id)`,
    ),
  ).toEqual([])
  expect(await reports(before)).toEqual(yesterday)
  const [whole, ...parts] = await reports(today)
  const sum = (side: 'total_in' | 'total_out') =>
    formatPoints(parts.slice(0, branches.length).reduce((all, { total }) => all + (parsePoints(total[side]) ?? 0n), 0n))
  expect({ total_in: sum('total_in'), total_out: sum('total_out') }).toEqual(whole?.total)
  return { moved, given }
}

/** Makes everything that has been counted so far a day older, past the triggers. */
const toYesterday = (top: Person) =>
  asSuperuser(async (tx) => {
    await run(tx, sql`update transfers set created_at = created_at - interval '1 day' where top_id = ${top.id}`)
    await run(tx, sql`update postings set created_at = created_at - interval '1 day' where top_id = ${top.id}`)
    await run(tx, sql`update day_totals set day = day - 1 where top_id = ${top.id}`)
  })
