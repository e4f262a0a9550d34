import { Role, RoomStatus } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../../testing/app.ts'
import { settledCursor } from '../../testing/rooms.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

test('[CHAT-02] [CHAT-04] each list has the rooms of its own status only', async () => {
  const { agent, member, room } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent })
  const below = await server.person({ role: Role.member, under: sub })
  const own = (await sub.call('room/enter', { friend_id: agent.id })).room.code
  const code = (await below.call('room/list', {})).data[0]?.code ?? ''
  const listsOf = async (who: typeof agent) => {
    const lists = await Promise.all(([1, 2, 3] as const).map((status) => who.call('room/list', { status })))
    for (const [at, { data }] of lists.entries()) expect(data.filter((one) => one.status !== at + 1)).toEqual([])
    return lists.map(({ data }) => data.map((one) => one.code).toSorted())
  }
  expect(await listsOf(sub)).toEqual([[own, code].toSorted(), [], []])
  const cursor = await settledCursor(sub)
  await sub.call('room/changeStatus', { code, status: RoomStatus.hidden })
  // The partner still sees a room that the group has hidden.
  await agent.call('room/changeStatus', { code: own, status: RoomStatus.hidden })
  await agent.call('room/changeStatus', { code: room, status: RoomStatus.hidden })
  expect(await listsOf(sub)).toEqual([[own], [code], []])
  expect(await listsOf(agent)).toEqual([[], [own, room].toSorted(), []])
  expect(await listsOf(below)).toEqual([[code], [], []])
  expect(await listsOf(member)).toEqual([[room], [], []])
  // The difference includes rooms that left a list, whichever list is requested. The upline's hiding does not affect the partner.
  const { data } = await sub.call('room/list', { status: RoomStatus.shown, since: cursor })
  expect(data.map((one) => [one.code, one.status])).toEqual([[code, 2]])
})
