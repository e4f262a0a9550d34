import { randomUUID } from 'node:crypto'
import { errors, OK } from '@tallyroom/contract'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { many, one, run, sql } from '../data/sql.ts'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { platform } from '../testing/fakes/platform.ts'
import { asSuperuser } from '../testing/postgres.ts'
import { outcomeOf } from '../testing/outcome.ts'

/** The id that old versions used for bets without a request_id: the SHA-256 of nothing. */
const EMPTY_ID = 'e3b0c442-98fc-8c14-8afb-f4c8996fb924'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const world = async (points = '100') => {
  const family = await server.family()
  await family.agent.call('transaction/add', { member_id: family.member.id, type: TransferKind.send, amount: points })
  const api = await platform(server, family.top)
  const balance = async () => {
    const { data } = (await api.call('balance/list', { usernames: [family.member.username] })) as {
      data: { balance: string }[]
    }
    return data[0]?.balance
  }
  return { ...family, api, balance, who: family.member.username }
}
const transfersOf = async (top: { id: number }) =>
  (
    await one<{ n: number }>(
      server.services.db,
      sql`select count(*)::int as n from transfers where top_id = ${top.id} and bet_id is not null`,
    )
  )?.n

test('[SET-06] any number of bets and wins work as documented, without a request_id, each once', async () => {
  const { api, top, who, balance } = await world()
  const bets = ['a', 'b', 'c', 'd'].map((bet_id, at) => ({ username: who, bet_id, amount: `${at + 1}` }))
  const answers: unknown[] = []
  for (const bet of bets) answers.push(await api.call('bet/report', bet))
  for (const bet of bets) answers.push(await api.call('win/report', { ...bet, amount: '2' }))
  expect(answers.map((answer) => (answer as { balance: string }).balance)).toEqual(
    ['99', '97', '94', '90', '92', '94', '96', '98'].map((points) => `${points}.0000`),
  )
  const again: unknown[] = []
  for (const bet of bets) again.push(await api.call('bet/report', bet))
  for (const bet of bets) again.push(await api.call('win/report', { ...bet, amount: '2' }))
  expect(again).toEqual(answers)
  expect(await balance()).toBe('98.0000')
  expect(await transfersOf(top)).toBe(8)
  // Nothing is stored beside the bets themselves.
  expect(await many(server.services.db, sql`select request_id from requests where actor_id = ${-top.id}`)).toEqual([])
})

test('[SET-06] the same bet_id with other content is refused, the same content written differently is not', async () => {
  const { api, agent, who, balance } = await world()
  const other = await server.person({ role: Role.member, under: agent, points: '10' })
  const bet = { username: who, bet_id: 'round', amount: '30', valid: '20' }
  const first = await api.call('bet/report', bet)
  const { valid: _, ...whole } = bet
  const changed = [
    { ...bet, amount: '31' },
    { ...bet, valid: '19' },
    { ...bet, valid: '30' },
    whole,
    { ...bet, username: other.username },
  ]
  for (const one of changed) {
    const { reply } = await api.post('bet/report', one)
    expect([one, reply]).toEqual([
      one,
      {
        code: errors['bet.id_reused'],
        message: 'This bet was already reported with different details.',
        data: null,
        refusal: 'bet.id_reused',
      },
    ])
  }
  expect(await api.call('bet/report', { ...bet, amount: '30.0', username: who.toUpperCase() })).toEqual(first)
  const won = await api.call('win/report', { username: who, bet_id: 'round', amount: '5' })
  expect((await api.post('win/report', { username: who, bet_id: 'round', amount: '6' })).reply).toBeRefusal(
    'bet.id_reused',
  )
  expect(await api.call('win/report', { username: who, bet_id: 'round', amount: '5' })).toEqual(won)
  expect(await balance()).toBe('75.0000')
  // Without `valid` the whole amount counts, so giving it is the same bet.
  const full = await api.call('bet/report', { username: who, bet_id: 'full', amount: '1' })
  expect(await api.call('bet/report', { username: who, bet_id: 'full', amount: '1', valid: '1' })).toEqual(full)
  // A bet stored without `valid` is compared by the other fields.
  await asSuperuser((tx) => run(tx, sql`update transfers set bet_valid = null where bet_id = 'full'`))
  expect(await api.call('bet/report', { username: who, bet_id: 'full', amount: '1' })).toEqual(full)
  expect((await api.post('bet/report', { username: who, bet_id: 'full', amount: '2' })).reply).toBeRefusal(
    'bet.id_reused',
  )
})

test('[SET-06] [R11] bets in parallel, each reported four times at once, count once each', async () => {
  const { api, top, who, balance } = await world()
  const bets = Array.from({ length: 30 }, (_, at) => ({ username: who, bet_id: `p${at}`, amount: '1' }))
  const sent = await Promise.all([...bets, ...bets, ...bets, ...bets].map((bet) => api.post('bet/report', bet)))
  const replies = sent.map(({ reply }) => reply)
  expect(replies.filter(({ code }) => code !== OK)).toEqual([])
  for (const by of [30, 60, 90]) expect(replies.slice(by, by + 30)).toEqual(replies.slice(0, 30))
  const wins = await Promise.all([...bets, ...bets].map((bet) => api.post('win/report', bet)))
  expect(wins.filter(({ reply }) => reply.code !== OK)).toEqual([])
  expect(await balance()).toBe('100.0000')
  expect(await transfersOf(top)).toBe(60)
})

test('[S3] the same bet_id of two top accounts are two bets', async () => {
  const [one, two] = [await world(), await world()]
  for (const { api, who, balance } of [one, two]) {
    await api.call('bet/report', { username: who, bet_id: 'same', amount: '40' })
    expect(await balance()).toBe('60.0000')
  }
  await one.api.call('win/report', { username: one.who, bet_id: 'same', amount: '1' })
  expect([await one.balance(), await two.balance()]).toEqual(['61.0000', '60.0000'])
})

test('[SET-06] rows of older versions for bets without a request_id do no harm', async () => {
  const { api, top, who, balance } = await world()
  const answer = { data: { transaction_id: randomUUID(), balance: '1.0000' } }
  await run(
    server.services.db,
    sql`insert into requests (actor_id, request_id, call, body_hash, answer)
      values (${-top.id}, ${EMPTY_ID}, 'api/bet/report', ${Buffer.alloc(32)}, ${JSON.stringify(answer)})`,
  )
  for (const bet_id of ['x', 'y']) await api.call('bet/report', { username: who, bet_id, amount: '1' })
  await api.call('win/report', { username: who, bet_id: 'x', amount: '3' })
  expect(await balance()).toBe('101.0000')
})

test('[SET-06] a bet may have a request_id: it is checked, and refused when invalid', async () => {
  const { api, who } = await world()
  const bet = { username: who, bet_id: 'with', amount: '1', request_id: randomUUID() }
  const first = await api.call('bet/report', bet)
  expect(await api.call('bet/report', bet)).toEqual(first)
  expect((await api.post('bet/report', { ...bet, bet_id: 'else' })).reply).toBeRefusal('request.id_reused')
  expect(await api.call('bet/report', { username: who, bet_id: 'with', amount: '1' })).toEqual(first)
  for (const request_id of ['', 'x', 7, null, {}])
    expect((await api.post('bet/report', { ...bet, request_id })).reply).toMatchObject({
      refusal: 'request.invalid',
      data: { field: 'request_id' },
    })
})

test('[SET-06] bets of two platforms at once find their own members, by either name', async () => {
  const worlds = await Promise.all([world(), world()])
  const reports = worlds.map(async ({ api, agent, who }, at) => {
    const third = `same-${randomUUID()}`
    await api.call('member/add', {
      username: `t${at}${randomUUID().slice(0, 8)}`,
      third_party_id: third,
      parent: agent.username,
    })
    const bet = (name: object, bet_id: string) => api.post('bet/report', { ...name, bet_id, amount: '1' })
    const other = worlds[1 - at]?.who
    const answers = await Promise.all([
      bet({ username: who.toUpperCase() }, 'own'),
      bet({ third_party_id: third }, 'third'),
      bet({ username: other }, 'not ours'),
      bet({ username: agent.username }, 'no member'),
      bet({ username: who, third_party_id: third }, 'both'),
      bet({}, 'none'),
    ])
    return answers.map(({ reply }) => outcomeOf(reply))
  })
  const [own, poor, unknown, invalid] = ['done', 'transfer.member_not_enough', 'account.not_found', 'request.invalid']
  const wanted = [own, poor, unknown, unknown, invalid, invalid]
  expect(await Promise.all(reports)).toEqual([wanted, wanted])
})

test('[API-02] a voided bet gives its points back once, is no bet of the report any more, and tells the platform nothing', async () => {
  const { api, top, agent, member, who, balance } = await world()
  await run(
    server.services.db,
    sql`update settings set api_url = 'https://platform.example' where account_id = ${top.id}`,
  )
  const before = await agent.call('member/view', { member_id: member.id })
  await api.call('bet/report', { username: who, bet_id: 'kept', amount: '5' })
  await api.call('bet/report', { username: who, bet_id: 'gone', amount: '30', valid: '20' })
  expect(await balance()).toBe('65.0000')
  const gone = { bet_id: 'gone', request_id: randomUUID() }
  const answers = await Promise.all([gone, gone, { bet_id: 'gone' }].map((body) => api.call('bet/void', body)))
  expect(answers).toEqual(answers.map(() => ({ transaction_id: expect.any(String) as string, balance: '95.0000' })))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  const { turnover_due } = await agent.call('member/view', { member_id: member.id })
  expect([before.turnover_due, turnover_due]).toEqual(['100.0000', '95.0000'])
  for (const [call, refusal] of [
    ['bet/report', 'bet.voided'],
    ['win/report', 'bet.voided'],
  ] as const) {
    const body = { username: who, bet_id: 'gone', amount: '30', ...(call === 'bet/report' ? { valid: '20' } : {}) }
    expect((await api.post(call, body)).reply).toBeRefusal(refusal)
  }
  const strangers = await world()
  expect((await strangers.api.post('bet/void', { bet_id: 'kept' })).reply).toBeRefusal('bet.not_found')
  const day = new Date().toISOString().slice(0, 10)
  const range = { start_time: `${day} 00:00:00`, end_time: `${day} 23:59:59` }
  const { data } = (await api.call('transfer/list', { ...range, types: [TransferKind.betVoid] })) as { data: object[] }
  expect(data).toMatchObject([{ bet_id: 'gone', amount: '30.0000', balance: '95.0000', member_username: who }])
  const report = await top.call('report/sr02', { start_date: day, end_date: day, what: 'bets' })
  expect(report.data).toMatchObject([{ total_in: '0.0000', total_out: '5.0000', valid: '5.0000' }])
  expect(await many(server.services.db, sql`select kind from webhooks where top_id = ${top.id}`)).toEqual([])
  expect(await transfersOf(top)).toBe(3)
})
