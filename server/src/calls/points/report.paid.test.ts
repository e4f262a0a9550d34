import { expect, test } from 'vitest'
import { checkLedger } from '../../ledger/check/check.ts'
import { sumAll } from '../../ledger/read/report-sums.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { cashFamily } from '../../testing/cash.ts'
import { makeOlder } from '../../testing/ledger/make-older.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { run, sql } from '../../data/sql.ts'

const server = await startTestServer()
const { db } = server.services
const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

test('[BOOK-03] points that a member asked for count for the person who paid them, today and once the day is summed', async () => {
  const { agent, cs, top, member, taken } = await cashFamily(server)
  for (const [who, amount] of [
    [cs, '30'],
    [cs, '5.5'],
    [agent, '20'],
  ] as const)
    await who.call('cash/pay', { id: await taken(who, amount), amount })
  await cs.call('user/transaction', { id: member.id, amount: '-2', remark: 'x' })
  let ago = 0
  const days = () => ({ start_date: dayOf(ago), end_date: dayOf(ago) })
  const out = async (who: Person, by: 'person' | 'service') =>
    Object.fromEntries(
      (await who.call('report/sr02', { by, ...days() })).data.map(({ id, total_out }) => [id, total_out]),
    )
  const rowsBehind = async (who: Person, id: number) => {
    const cell = { what: 'points', by: 'person', id, way: 'out' } as const
    const time = { start_time: `${dayOf(ago)} 00:00:00`, end_time: `${dayOf(ago)} 23:59:59` }
    return (await who.call('transaction/list', { ...time, cell })).data.map(({ amount }) => amount)
  }
  const isRight = async () => {
    for (const who of [top, agent]) {
      expect(await out(who, 'person')).toEqual({ [agent.id]: '20.0000', [cs.id]: '37.5000' })
      expect(await out(who, 'service')).toEqual({ [cs.id]: '37.5000' })
      expect(await rowsBehind(who, cs.id)).toEqual(['2.0000', '5.5000', '30.0000'])
      expect(await rowsBehind(who, agent.id)).toEqual(['20.0000'])
      expect(await rowsBehind(who, member.id)).toEqual([])
    }
  }
  await isRight()
  ago = 3
  await makeOlder(24 * ago)
  await asSuperuser((tx) => run(tx, sql`update day_totals set day = day - ${ago}::int`))
  await sumAll(db, 'UTC')
  await isRight()
  expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
})

test('[HIST-03] the operator of points that a member asked for is who paid them; the search finds them by that name', async () => {
  const { agent, cs, top, member, taken } = await cashFamily(server)
  const waiting = await taken(cs)
  const time = { start_time: `${dayOf(1)} 00:00:00`, end_time: `${dayOf(-1)} 00:00:00` }
  const rows = async (who: Person, username: string) =>
    (await who.call('transaction/list', { ...time, username })).data.map(({ amount, user_username }) => [
      amount,
      user_username,
    ])
  expect(await rows(agent, cs.username)).toEqual([])
  expect((await rows(agent, member.username))[0]).toEqual(['30.0000', member.username])
  await cs.call('cash/pay', { id: waiting, amount: '30' })
  for (const who of [top, agent, cs]) {
    expect(await rows(who, cs.username)).toEqual([['30.0000', cs.username]])
    expect((await rows(who, member.username))[0]).toEqual(['30.0000', cs.username])
  }
  // Members see the name of their group.
  const [own] = (await member.call('transaction/list', time)).data
  expect(own).toMatchObject({ amount: '30.0000', user_username: `Nick ${agent.username}` })
})
