import { MessageType, Role } from '@tallyroom/contract/codes'
import { defaultRules } from '@tallyroom/contract/desk/rules'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const say = (who: Person, code: string) => who.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
const owned = async (who: Person, id: number) =>
  (await who.call('room/list', {})).data.filter(({ owner_id }) => owner_id === id).length
const stateOf = async (who: Person, id: number) =>
  (await who.call('desk/colleagues', {})).data.find((one) => one.id === id)?.state
const linesOf = async (who: Person, code: string) =>
  (await who.call('room/enter', { code })).asides.map(({ kind, content, target_id }) => [kind, content, target_id])
/** All slices. @returns how many rooms each had */
const endShift = async (who: Person, input: { to?: number; note?: string } = {}) => {
  const parts: number[] = []
  for (let after: number | null = 0; after !== null; ) {
    const part: { n: number; next: number | null } = await who.call('desk/endShift', { ...input, after })
    parts.push(part.n)
    after = part.next
  }
  return parts
}

test('[DESK-08] all own conversations go to a colleague, also snoozed and hidden ones, with one note; then one is away', async () => {
  const { agent, cs, member, room } = await server.family()
  const second = await server.person({ role: Role.customerService, under: agent })
  const other = await server.person({ role: Role.member, under: agent })
  const { code } = (await other.call('room/list', {})).data[0] ?? expect.fail('no room')
  await say(member, room)
  for (const one of [room, code]) await cs.call('desk/take', { code: one })
  await cs.call('desk/snooze', { code: room, until: new Date(Date.now() + 3_600_000).toISOString() })
  await cs.call('room/changeStatus', { code, status: 2 })
  await cs.call('desk/state', { state: 'on' })
  expect(await endShift(cs, { to: second.id, note: ' see you tomorrow ' })).toEqual([2])
  expect(await stateOf(agent, cs.id)).toBe('away')
  for (const one of [room, code])
    expect((await linesOf(agent, one)).at(-1)).toEqual(['handed', 'see you tomorrow', second.id])
  expect((await member.call('room/enter', { code: room })).asides).toEqual([])
  expect((await agent.call('room/list', {})).data.find((one) => one.code === room)).toMatchObject({
    owner_id: second.id,
    snoozed_until: expect.any(String),
  })
  // Nothing is left: it may be done again.
  expect(await endShift(cs)).toEqual([0])
})

test('[DESK-08] many go in slices, and nobody is away before the last', async () => {
  const { top, agent, cs } = await server.family()
  await run(
    server.services.db,
    sql`with made as (insert into accounts (username, password_hash, role_id, path, parent_id, top_id, group_id, share_code)
        select 'shift' || ${agent.id}::text || 'x' || n, 'x', ${Role.member}, '', ${agent.id}, ${top.id}, ${agent.id}, 'shift' || ${agent.id}::text || 'x' || n
        from generate_series(1, 450) n returning id)
      insert into rooms (code, top_id, group_id, partner_id, owner_id)
        select 'shift' || id, ${top.id}, ${agent.id}, id, ${cs.id} from made`,
  )
  await cs.call('desk/state', { state: 'on' })
  const { n, next } = await cs.call('desk/endShift', {})
  expect(n).toBe(200)
  expect(await stateOf(agent, cs.id)).toBe('on')
  expect((await cs.call('desk/endShift', { after: next ?? 0 })).n).toBe(200)
  expect(await endShift(cs)).toEqual([50])
  expect([await owned(agent, cs.id), await stateOf(agent, cs.id)]).toEqual([0, 'away'])
})

test('[DESK-08] while the server assigns, none is left with who has gone', async () => {
  const { agent, cs } = await server.family()
  await agent.call('deskSetting/save', { ...defaultRules, assign: 'least', capacity: 50 })
  await agent.call('desk/state', { state: 'away' })
  await cs.call('desk/state', { state: 'on' })
  const codes: { who: Person; code: string }[] = []
  for (let n = 0; n < 6; n++) {
    const who = await server.person({ role: Role.member, under: agent })
    codes.push({ who, code: (await who.call('room/list', {})).data[0]?.code ?? '' })
  }
  await say(codes[0]?.who ?? cs, codes[0]?.code ?? '')
  await expect.poll(() => owned(agent, cs.id)).toBe(1)
  await Promise.all([...codes.slice(1).map(({ who, code }) => say(who, code)), endShift(cs, { note: 'home' })])
  await expect.poll(() => owned(agent, cs.id)).toBe(0)
  expect(await stateOf(agent, cs.id)).toBe('away')
  expect((await linesOf(agent, codes[0]?.code ?? '')).at(-1)).toEqual(['released', 'home', cs.id])
})

test('[DESK-08] oneself, strangers and members get nothing', async () => {
  const { cs, agent, member } = await server.family()
  const stranger = await server.family()
  for (const to of [cs.id, stranger.cs.id, member.id])
    expect(await cs.ask('desk/endShift', { to })).toBeRefusal('room.not_a_colleague')
  expect(await member.ask('desk/endShift', {})).toBeRefusal('access.denied')
  expect(await stateOf(agent, cs.id)).not.toBe('on')
})
