import type { Answer, Input } from '@tallyroom/contract'
import { viewOfKind } from '@tallyroom/contract/transfer-kinds'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'

const server = await startTestServer()
const { db } = server.services

type Filter = Omit<Input<'transaction/list'>, 'start_time' | 'end_time'>
type Row = Answer<'transaction/list'>['data'][number]
/** The platform's time, an hour before and after now. */
const around = () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')
  return { start_time: at(-3_600_000), end_time: at(3_600_000) }
}
const find = async (viewer: Person, filter: Filter) =>
  (await viewer.call('transaction/list', { ...around(), ...filter })).data
const points = (text: string) => parsePoints(text) ?? 0n

/** A group with transfers of many kinds, amounts, states and remarks, in two rooms. */
const busyFamily = async () => {
  const { top, agent, cs, member, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  await top.call('user/transaction', { id: agent.id, amount: '5000' })
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const add = async (type: 1 | 2 | 3 | 4, amount: string, remark = '', to = member) =>
    (await cs.call('transaction/add', { member_id: to.id, type, amount, remark })).transaction_id
  const listed = await agent.call('user/transaction', { id: member.id, amount: '500', remark: 'Lost slip' })
  const kept = await add(TransferKind.send, '500', 'weekly Bonus')
  await member.call('envelope/answer', { transaction_id: kept, accept: true })
  const refused = await add(TransferKind.send, '20.5', 'Lost again')
  await member.call('envelope/answer', { transaction_id: refused, accept: false })
  await add(TransferKind.send, '3', 'waits')
  await add(TransferKind.gift, '500.0001', 'слот 7')
  await add(TransferKind.makeUp, '12', '迟到的 红包', other)
  await add(TransferKind.send, '40', `for ${other.username}`, other)
  const wrong = await add(TransferKind.send, '41', 'typo', other)
  await cs.call('transaction/edit', { transaction_id: wrong, remark: 'corrected typo' })
  await top.call('transaction/correct', { transaction_id: wrong, remark: 'lost the slip' })
  const otherRoom = (await agent.call('room/list', {})).data.find(({ member_id }) => member_id === other.id)?.code ?? ''
  return { top, agent, cs, member, other, room, otherRoom, listed: listed.transaction_id }
}

/** Words that are written with spaces are found from their beginning on. */
const contains = (remark: string, text: string) => {
  const [all, wanted] = [remark.toLowerCase(), text.toLowerCase()]
  const isWord = /^[a-z\d]/.test(wanted)
  return (
    Array.from(all).some((_, at) => all.startsWith(wanted, at) && !(isWord && /[a-z\d]/.test(all[at - 1] ?? ''))) ||
    wanted === ''
  )
}

/** What the filter means, written a second time. `inRoom`: the transfers of the room that it names. */
const fits = (row: Row, filter: Filter, inRoom: (row: Row) => boolean) => {
  const { min_amount, max_amount, types = [], statuses = [], remark = '', id, room, username = '' } = filter
  const names = [row.member_username, row.user_username].map((name) => name.toLowerCase())
  return (
    (min_amount === undefined || points(row.amount) >= points(min_amount)) &&
    (max_amount === undefined || points(row.amount) <= points(max_amount)) &&
    (types.length === 0 || types.includes(row.type)) &&
    (statuses.length === 0 || statuses.includes(row.status)) &&
    contains(row.remark, remark) &&
    (id === undefined || id === row.id || id.toLowerCase() === row.transaction_id) &&
    (room === undefined || inRoom(row)) &&
    (username === '' || names.some((name) => name.includes(username.toLowerCase())))
  )
}

test('[FIND-01] amount, range, kind, status, person, remark, id and room find what fits, in any combination', async () => {
  const { top, agent, cs, member, other, room, otherRoom, listed } = await busyFamily()
  const all = await find(agent, {})
  const [first] = all
  const parts: Filter[][] = [
    [{}, { min_amount: '500', max_amount: '500' }, { min_amount: '12' }, { max_amount: '40.9999' }],
    [
      {},
      { types: [TransferKind.send] },
      { types: [TransferKind.gift, TransferKind.makeUp] },
      { types: [TransferKind.receive, TransferKind.correction] },
    ],
    [
      {},
      { statuses: [TransferStatus.success] },
      { statuses: [TransferStatus.rejected, TransferStatus.pending] },
      { statuses: [TransferStatus.pending, TransferStatus.success] },
    ],
    [
      {},
      { remark: 'LOST' },
      { remark: 'слот' },
      { remark: '红包' },
      { remark: 'typo' },
      { remark: 'ypo' },
      { remark: 'lost a' },
      { remark: '的 红' },
    ],
    [{}, { username: member.username.toUpperCase() }, { username: cs.username }],
    [{}, { id: first?.id ?? '' }, { id: listed.toUpperCase() }],
    [{}, { room }, { room: otherRoom }],
  ]
  type Combination = { filter: Filter; parts: number }
  const combinations = parts.reduce<Combination[]>(
    (before, part) =>
      before.flatMap((one) =>
        part.map((more, at) => ({ filter: { ...one.filter, ...more }, parts: one.parts + (at > 0 ? 1 : 0) })),
      ),
    [{ filter: {}, parts: 0 }],
  )
  // Every filter alone, every two together, and some of the 10,000 others.
  const chosen = combinations.filter((one, at) => one.parts <= 2 || at % 101 === 0)
  let hits = 0
  for (const { filter } of chosen) {
    const owner = filter.room === room ? member : other
    const expected = all.filter((row) =>
      fits(
        row,
        filter,
        (one) =>
          one.member_username === owner.username &&
          one.transaction_id !== listed &&
          one.type !== TransferKind.correction,
      ),
    )
    const found = await find(agent, filter)
    expect([filter, found.map(({ id }) => id)]).toEqual([filter, expected.map(({ id }) => id)])
    hits += found.length
  }
  expect(hits).toBeGreaterThan(200)
  // Over all accounts other indexes are followed than over a few.
  const everywhere = await find(top, {})
  for (const filter of chosen.map((one) => one.filter).filter(({ room }) => room === undefined)) {
    const expected = everywhere.filter((row) => fits(row, filter, () => true))
    expect([filter, await find(top, filter)]).toEqual([filter, expected])
  }
  expect(await find(top, { room }), 'a room of somebody else is one that does not exist').toEqual([])
  const strangers = await server.family()
  expect(await find(strangers.agent, { id: listed })).toEqual([])
})

test('[FIND-01] totals are those of the rows, and the file has the same rows', async () => {
  const { agent } = await busyFamily()
  for (const filter of [
    {},
    { min_amount: '41', max_amount: '41' },
    { statuses: [TransferStatus.success] },
    { remark: 'lost' },
  ] as Filter[]) {
    const rows = await find(agent, filter)
    const sum = (tone: string) =>
      formatPoints(
        rows
          .filter(
            (row) => row.status === TransferStatus.success && viewOfKind(row.type, row.corrects_type)?.tone === tone,
          )
          .reduce((sum, { amount }) => sum + points(amount), 0n),
      )
    const { totals } = await agent.call('transaction/totals', { ...around(), ...filter })
    expect(totals).toEqual({ found: rows.length, given: sum('in'), taken: sum('out') })
    const { csv } = await agent.call('transaction/export', { ...around(), ...filter })
    expect(csv.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g)).toEqual(
      rows.map(({ transaction_id }) => transaction_id),
    )
  }
})

test('[FIND-01] [S35] viewers who see names masked find no hidden name by a remark', async () => {
  const { top, agent, member } = await busyFamily()
  await agent.call('user/transaction', { id: member.id, amount: '1', remark: `Bonus for ${member.username}!` })
  const edited = await agent.call('user/transaction', { id: member.id, amount: '3', remark: 'x' })
  await agent.call('transaction/edit', {
    transaction_id: edited.transaction_id,
    remark: `edited for ${member.username.toUpperCase()}`,
  })
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  const name = member.username
  const guesses = [
    name,
    name.toUpperCase(),
    name.slice(0, 3),
    name.slice(1, 5),
    `for ${name.slice(0, 1)}`,
    `${name.slice(-2)}!`,
  ]
  for (const remark of guesses) {
    expect([remark, await find(agent, { remark, min_amount: '1', max_amount: '3' })]).toEqual([remark, []])
    const { totals } = await agent.call('transaction/totals', { ...around(), remark, min_amount: '1', max_amount: '3' })
    expect(totals).toMatchObject({ found: 0 })
    expect(
      (await agent.call('transaction/export', { ...around(), remark, min_amount: '1', max_amount: '3' })).csv,
    ).toBe('')
  }
  // What they see of it is found.
  expect((await find(agent, { remark: 'bonus for' })).map(({ amount }) => amount)).toEqual(['1.0000'])
  expect((await find(agent, { remark: 'Edited' })).map(({ amount }) => amount)).toEqual(['3.0000'])
})

test('[FIND-01] a filter that cannot be is refused by name, and none of them fails', async () => {
  const { agent } = await server.family()
  const refused: [Record<string, unknown>, string][] = [
    [{ min_amount: '1.2.3' }, 'min_amount'],
    [{ max_amount: '...' }, 'max_amount'],
    [{ min_amount: '-5' }, 'min_amount'],
    [{ remark: 'x'.repeat(10_000) }, 'remark'],
    [{ types: [99] }, 'types.0'],
    [{ statuses: ['1'] }, 'statuses.0'],
    [{ id: '12ab' }, 'id'],
    [{ id: '9'.repeat(19) }, 'id'],
  ]
  for (const [filter, field] of refused) {
    const answer = await agent.ask('transaction/list', { ...around(), ...filter })
    expect([filter, answer.refusal, answer.data]).toEqual([filter, 'request.invalid', { field }])
  }
  const hostile = ["a'b", 'a(b', 'a:* & b', 'a\\b', '[a', 'İ', 'ﬀ', 'กา', '%.*', '😀'].map((remark) => ({ remark }))
  const empty = [{ min_amount: '9', max_amount: '1' }, { id: '9'.repeat(18) }, { room: 'nowhere' }]
  for (const filter of [...empty, ...hostile]) expect(await find(agent, filter)).toEqual([])
})

test('[MEMB-01] rows have the ids of the accounts that the viewer may open, where names are masked too', async () => {
  const { top, agent, cs, member } = await server.family()
  const { transaction_id } = await agent.call('user/transaction', { id: member.id, amount: '1' })
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  const idsOf = async (viewer: Person) => {
    const [row] = await find(viewer, { id: transaction_id })
    const view = viewer === member ? row : await viewer.call('transaction/view', { transaction_id })
    expect([view?.member_id, view?.user_id]).toEqual([row?.member_id, row?.user_id])
    return [row?.member_id, row?.user_id]
  }
  expect(await idsOf(agent)).toEqual([member.id, agent.id])
  expect((await find(agent, { id: transaction_id }))[0]?.member_username).toContain('***')
  // Customer service has no page of the agent above it, and a member none of the office.
  expect(await idsOf(cs)).toEqual([member.id, undefined])
  expect(await idsOf(member)).toEqual([member.id, undefined])
})
