import { randomUUID } from 'node:crypto'
import { TransferKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, expect, test } from 'vitest'
import { many, run, sql } from '../data/sql.ts'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { platform } from '../testing/fakes/platform.ts'
import { outcomeOf } from '../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: 'https://talk.example' })
})
let made = 0
const fresh = () => `tp${randomUUID().slice(0, 6)}${made++ % 10}`

const world = async () => {
  const family = await server.family()
  return { ...family, api: await platform(server, family.top) }
}

test('[SET-06] [CHAT-10] the platform can name an account by its own id, and contacts show it', async () => {
  const { agent, api } = await world()
  const username = fresh()
  const { id } = (await api.call('member/add', {
    username,
    third_party_id: 'M-0001',
    parent: agent.username,
  })) as { id: number }
  await agent.call('transaction/add', { member_id: id, type: TransferKind.send, amount: '10' })
  const bet = { third_party_id: 'M-0001', bet_id: 'one', amount: '4' }
  const first = await api.call('bet/report', bet)
  expect(first).toMatchObject({ balance: '6.0000' })
  // The same bet by the other name is the same bet.
  expect(await api.call('bet/report', { username, bet_id: 'one', amount: '4' })).toEqual(first)
  expect(await api.call('win/report', { ...bet, amount: '1' })).toMatchObject({ balance: '7.0000' })
  expect(await api.call('event-mode/set', { third_party_id: 'M-0001', event_mode: 1 })).toEqual({
    username,
    event_mode: 1,
  })
  const { url } = (await api.call('sign-in/token', { third_party_id: 'M-0001', kind: 'landing' })) as { url: string }
  expect(url).toContain('/WebLogin/')
  const { data } = await agent.call('friend/list', { username })
  expect(data).toMatchObject([{ member_id: id, third_party_id: 'M-0001' }])
  expect(await agent.call('friend/view', { member_id: id })).toMatchObject({ third_party_id: 'M-0001' })
})

test('[SET-06] [CASH-07] balances, transfers and webhooks name an account by the platform’s own id too', async () => {
  const { top, agent, member, api } = await world()
  const { db } = server.services
  const username = fresh()
  const { id } = (await api.call('member/add', { username, third_party_id: 'M-7', parent: agent.username })) as {
    id: number
  }
  await run(
    db,
    sql`insert into settings (account_id, top_id, api_url) values (${top.id}, ${top.id}, 'https://p.example/')`,
  )
  for (const member_id of [id, member.id])
    await agent.call('transaction/add', { member_id, type: TransferKind.send, amount: '10' })
  await api.call('bet/report', { third_party_id: 'M-7', bet_id: 'round-1', amount: '4' })
  const both = await api.call('balance/list', { usernames: [member.username], third_party_ids: ['M-7', 'none', 'm-7'] })
  expect(both).toMatchObject({
    data: [
      { username: member.username, third_party_id: null, balance: '10.0000' },
      { username, third_party_id: 'M-7', balance: '6.0000' },
    ],
  })
  expect((await api.post('balance/list', {})).reply).toBeRefusal('request.invalid')

  const day = (by: number) => `${new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10)} 00:00:00`
  const range = { start_time: day(-1), end_time: day(1) }
  const own = { third_party_id: 'M-7', member_username: username }
  const theirs = [
    { ...own, type: TransferKind.bet, bet_id: 'round-1' },
    { ...own, type: TransferKind.send, bet_id: null },
  ]
  expect(await api.call('transfer/list', { ...range, third_party_id: 'M-7' })).toMatchObject({ data: theirs, total: 2 })
  expect(await api.call('transfer/list', { ...range, member: username })).toMatchObject({ data: theirs, total: 2 })
  // A part of a name finds others as well.
  expect(await api.call('transfer/list', { ...range, member: member.username })).toMatchObject({
    data: [{ third_party_id: null, member_username: member.username }],
    total: 1,
  })
  for (const wrong of [{ member: 'nobody' }, { third_party_id: 'M-7', member: username }])
    expect((await api.post('transfer/list', { ...range, ...wrong })).reply.code).not.toBe(OK)

  const told = await many<{ kind: string; payload: unknown }>(
    db,
    sql`select kind, payload from webhooks where top_id = ${top.id} and payload ->> 'username' = ${username} order by id`,
  )
  expect(told).toMatchObject([{ kind: 'transfer.settled', payload: { username, third_party_id: 'M-7' } }])
  await api.call('member/add', { username: fresh(), third_party_id: 'M-8', parent: agent.username })
  const [added] = await many<{ payload: unknown }>(
    db,
    sql`select payload from webhooks where top_id = ${top.id} and kind = 'member.added'`,
  )
  expect(added?.payload).toMatchObject({ third_party_id: 'M-8' })
})

test('[SET-06] it is unique below a top account, compared exactly, and exclusive with the username', async () => {
  const [ours, theirs] = [await world(), await world()]
  const add = (api: typeof ours.api, third_party_id: string) =>
    api.post('member/add', { request_id: randomUUID(), username: fresh(), third_party_id })
  expect((await add(ours.api, 'same')).reply.code).toBe(OK)
  const taken = await add(ours.api, 'same')
  expect([outcomeOf(taken.reply), taken.reply.message]).toEqual([
    'account.third_party_id_taken',
    'Another account already has this third-party ID.',
  ])
  expect((await add(ours.api, 'Same')).reply.code).toBe(OK)
  expect((await add(theirs.api, 'same')).reply.code, 'another platform').toBe(OK)
  expect((await add(ours.api, ' ')).reply).toBeRefusal('request.invalid')
  expect((await add(ours.api, 'x'.repeat(65))).reply).toBeRefusal('request.invalid')
  const token = async (who: object) =>
    outcomeOf((await ours.api.post('sign-in/token', { ...who, kind: 'landing' })).reply)
  expect(await token({ third_party_id: 'none' })).toBe('account.not_found')
  expect(await token({})).toBe('request.invalid')
  expect(await token({ third_party_id: 'same', username: ours.member.username })).toBe('request.invalid')
  const unnamed = await ours.agent.call('friend/view', { member_id: ours.member.id })
  expect(unnamed.third_party_id).toBeNull()
})

test('[ACC-06] [S35] viewers who see usernames masked do not get the id', async () => {
  const { top, agent, cs, api } = await world()
  const username = fresh()
  const { id } = (await api.call('member/add', { username, third_party_id: 'N-1', parent: agent.username })) as {
    id: number
  }
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  for (const who of [agent, cs])
    expect(await who.call('friend/view', { member_id: id })).toMatchObject({ third_party_id: null })
})
