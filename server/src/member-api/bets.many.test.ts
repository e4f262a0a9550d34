import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { DatabaseAway } from '../data/faults.ts'
import { one, sql } from '../data/sql.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { startTestServer } from '../testing/app.ts'
import { platform } from '../testing/fakes/platform.ts'
import { outcomeOf } from '../testing/outcome.ts'

const server = await startTestServer()
const { db, ledger } = server.services

type Row = { bet_id: string | null; refusal: string | null; data: { balance?: string; errors?: unknown } | null }
const prepared = async () => {
  const { top, agent, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '1000', remark: 'start' })
  const api = await platform(server, top)
  const { username } = member
  const list = async (name: string, rows: unknown[]) => ((await api.call(name, { rows })) as { rows: Row[] }).rows
  const bet = (bet_id: string, amount = '1') => ({ username, bet_id, amount })
  const counted = async () =>
    (
      await one<{ n: number }>(
        db,
        sql`select count(*)::int as n from transfers where top_id = ${top.id} and bet_id is not null`,
      )
    )?.n
  return { top, member, api, username, list, bet, counted }
}

test('[API-02] 200 bets in a list have a result each, in their order, and the same list again changes nothing', async () => {
  const { list, bet, counted } = await prepared()
  const rows = Array.from({ length: 200 }, (_, at) => bet(`r${at}`))
  const first = await list('bet/reportMany', rows)
  expect(first.map(({ bet_id, refusal }) => [bet_id, refusal])).toEqual(rows.map(({ bet_id }) => [bet_id, null]))
  expect(first.map(({ data }) => data?.balance)).toEqual(rows.map((_, at) => `${999 - at}.0000`))
  expect(await list('bet/reportMany', rows)).toEqual(first)
  expect(await counted()).toBe(200)
  const wins = await list('win/reportMany', [bet('r7', '3'), bet('none'), bet('r7', '4'), bet('r8', '2')])
  expect(wins.map(({ refusal }) => refusal)).toEqual([null, 'bet.not_found', 'bet.id_reused', null])
  expect(wins[3]?.data?.balance).toBe('805.0000')
  expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
})

test('[API-02] a bad row is refused alone, wherever it is and whatever is wrong with it', async () => {
  const { api, list, bet, username, counted } = await prepared()
  const request_id = randomUUID()
  const rows = [
    { ...bet('x', '1.00001'), valid: '-1' },
    bet('a'),
    'no object',
    { ...bet('b'), passwort: 1 },
    bet('b'),
    { bet_id: 'c', amount: '1' },
    { ...bet('d'), username: 'nobody' },
    bet('dear', '5000'),
    { ...bet('nul'), username: 'a\0b' },
    // Twice in one list: the same bet, another one of the same id, and one request_id for two bets.
    bet('a'),
    bet('a', '2'),
    { ...bet('e'), request_id },
    { ...bet('e'), request_id },
    { ...bet('f'), request_id },
    bet('last'),
  ]
  const found = await list('bet/reportMany', rows)
  expect(found.map(({ bet_id, refusal }) => [bet_id, refusal])).toEqual([
    ['x', 'request.invalid'],
    ['a', null],
    [null, 'request.invalid'],
    ['b', 'request.invalid'],
    ['b', null],
    ['c', 'request.invalid'],
    ['d', 'account.not_found'],
    ['dear', 'transfer.member_not_enough'],
    ['nul', 'request.invalid'],
    ['a', null],
    ['a', 'bet.id_reused'],
    ['e', null],
    ['e', null],
    ['f', 'request.id_reused'],
    ['last', null],
  ])
  expect(found[0]?.data?.errors).toMatchObject([{ pointer: '/amount' }, { pointer: '/valid' }])
  expect(found[9]).toEqual(found[1])
  expect(await counted()).toBe(4)
  expect(await list('bet/reportMany', rows)).toEqual(found)
  expect(await counted()).toBe(4)
  // Alone it gets the same answer.
  expect(await api.call('bet/report', bet('a'))).toEqual(found[1]?.data)
  const whole = async (body: unknown) => {
    const { status, reply } = await api.post('bet/reportMany', body)
    return [status, outcomeOf(reply)]
  }
  for (const body of [{}, { rows: [] }, { rows: {} }, { rows: Array(201).fill(bet('z')) }, { rows: [bet('z')], x: 1 }])
    expect(await whole(body)).toEqual([200, 'request.invalid'])
  expect(await whole('{"rows":[')).toEqual([200, 'request.bad_envelope'])
  expect(await whole(`{"rows":[{"username":"${username}","bet_id":"y","bet_id":"z","amount":"1"}]}`)).toEqual([
    200,
    'request.invalid',
  ])
  // What is no refusal is no result: the whole list is sent again.
  vi.spyOn(ledger, 'bet').mockRejectedValueOnce(new DatabaseAway(new Error('planted')))
  expect(await whole({ rows: [bet('g'), bet('h')] })).toEqual([503, 'server.starting'])
  vi.restoreAllMocks()
  expect((await list('bet/reportMany', [bet('g'), bet('h')])).map(({ refusal }) => refusal)).toEqual([null, null])
  expect(await counted()).toBe(6)
})
