import { Role, WalletKind } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const totalsOf = async (person: Person, input: object) => (await person.call('user/list', input)).totals
/** A group with two agents of 30.5 and 12.25 points, the second with 100 of credit, and one of any amount. */
const group = async () => {
  const { top, agent, cs, member } = await server.family()
  const second = await server.person({ role: Role.agent, under: agent })
  const third = await server.person({ role: Role.agent, under: agent })
  const set = (id: number, kind: 1 | 2, balance: number, floor: number | null) =>
    run(
      server.services.db,
      sql`update wallets set balance = ${balance}, floor = ${floor} where account_id = ${id} and kind = ${kind}`,
    )
  await set(agent.id, WalletKind.main, 305_000, 0)
  await set(second.id, WalletKind.main, 122_500, -1_000_000)
  await set(third.id, WalletKind.main, 999_999, null)
  await set(member.id, WalletKind.main, 70_000, 0)
  await set(member.id, WalletKind.game, 5000, 0)
  return { top, agent, cs, member, second, third }
}

test('[ACC-02] they are of everything found, whatever the page, and unlimited accounts add nothing', async () => {
  const { top, second } = await group()
  const all = { available: '142.7500', game_wallet: '0.0000', limit_of_credit: '100.0000' }
  expect(await totalsOf(top, { menu_id: 2 })).toEqual(all)
  expect(await totalsOf(top, { menu_id: 2, per_page: 1 })).toEqual(all)
  expect(await totalsOf(top, { menu_id: 2, per_page: 1, page: 3 })).toEqual(all)
  expect(await totalsOf(top, { menu_id: 2, per_page: 3 })).toEqual(all)
  const found = { menu_id: 2, username: second.username }
  expect(await totalsOf(top, found)).toEqual({ ...all, available: '112.2500' })
  expect(await totalsOf(top, { menu_id: 2, username: 'nobody' })).toEqual({
    available: '0.0000',
    game_wallet: '0.0000',
    limit_of_credit: '0.0000',
  })
})

test('[ACC-02] the game wallets that are in use count', async () => {
  const { top, member } = await group()
  expect((await totalsOf(top, { menu_id: 13 }))?.game_wallet).toBe('0.0000')
  await run(server.services.db, sql`update accounts set is_multiple_wallet = 1 where id = ${member.id}`)
  for (const per_page of [1, 50_000])
    expect(await totalsOf(top, { menu_id: 13, per_page })).toMatchObject({
      available: '7.0000',
      game_wallet: '0.5000',
    })
})

test('[ACC-11] [ACC-12] nobody learns the sum of what the list does not show', async () => {
  const { agent, cs, second } = await group()
  expect(await totalsOf(agent, { menu_id: 13 })).toBeNull()
  expect((await totalsOf(cs, { menu_id: 13 }))?.available).toBe('7.0000')
  expect(await totalsOf(second, { menu_id: 2 })).toMatchObject({ available: '0.0000', limit_of_credit: '0.0000' })
  const stranger = await server.family()
  expect((await totalsOf(stranger.top, { menu_id: 13 }))?.available).toBe('0.0000')
})
