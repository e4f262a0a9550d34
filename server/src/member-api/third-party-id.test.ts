import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { platform } from '../testing/fakes/platform.ts'

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
  await agent.call('transaction/add', { member_id: id, type: 1, amount: '10' })
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

test('[SET-06] it is unique below a top account, compared exactly, and exclusive with the username', async () => {
  const [ours, theirs] = [await world(), await world()]
  const add = (api: typeof ours.api, third_party_id: string) =>
    api.post('member/add', { request_id: randomUUID(), username: fresh(), third_party_id })
  expect((await add(ours.api, 'same')).reply.code).toBe(1000)
  const taken = await add(ours.api, 'same')
  expect([taken.reply.code, taken.reply.message]).toEqual([1400, 'Another account already has this third-party ID.'])
  expect((await add(ours.api, 'Same')).reply.code).toBe(1000)
  expect((await add(theirs.api, 'same')).reply.code, 'another platform').toBe(1000)
  expect((await add(ours.api, ' ')).reply.code).toBe(1400)
  expect((await add(ours.api, 'x'.repeat(65))).reply.code).toBe(1400)
  const token = async (who: object) => (await ours.api.post('sign-in/token', { ...who, kind: 'landing' })).reply.code
  expect(await token({ third_party_id: 'none' })).toBe(1404)
  expect(await token({})).toBe(1400)
  expect(await token({ third_party_id: 'same', username: ours.member.username })).toBe(1400)
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
