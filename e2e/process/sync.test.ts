import { randomUUID } from 'node:crypto'
import type { CallName, Input } from '@tallyroom/contract'
import type { ServerEvents } from '@tallyroom/contract/events'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../../server/src/testing/app.ts'
import type { call } from '../../web/src/api/call.ts'
import { makeAsides } from '../../web/src/chat/model/asides.ts'
import { whisperKeyOf, makeDrafts } from '../../web/src/chat/model/drafts.ts'
import { makeRooms } from '../../web/src/chat/model/rooms/rooms.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

/** A seeded random generator: the actions of a failing history can be repeated. */
const dice = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}
type Roll = () => number
const pick = <T>(roll: Roll, of: readonly T[]): T => of[Math.floor(roll() * of.length)] as T

const idle = () => new Promise((resolve) => setTimeout(resolve, 5))

/** A page's state without a browser: it receives the socket's events and makes the calls of its stores. */
const openPage = async (who: Person, codes: string[]) => {
  const ask = ((name: CallName, input: never) => who.call(name, input)) as unknown as typeof call
  const asides = makeAsides(ask)
  const rooms = makeRooms(ask, { onAsides: asides.take })
  let stored: string | undefined
  const storage = { read: () => stored, write: (text: string) => void (stored = text) }
  const drafts = makeDrafts(() => storage, ask, 0)
  const receivers: { [N in keyof ServerEvents]?: (payload: never) => void } = {
    room: rooms.receiveRoom,
    desk: rooms.receiveDesk,
    draft: drafts.receive,
    read: rooms.receiveRead,
  }
  const page = {
    who,
    drafts,
    receive: (name: keyof ServerEvents, payload: unknown) => receivers[name]?.(payload as never),
    /** Called when the connection is back. */
    reconnected: async () => {
      await Promise.all([rooms.catchUp(), drafts.load(), ...codes.map((code) => rooms.sync(code))])
      await Promise.all(codes.map((code) => asides.catchUp(code, rooms.summary(code)?.aside_seq ?? 0)))
    },
    /** Everything that the page shows. */
    known: async () => {
      for (const code of codes) while (rooms.room(code)?.state?.hasMore) await rooms.older(code)
      return {
        rooms: codes.map((code) => ({
          summary: rooms.summary(code),
          messages: rooms.room(code)?.state?.messages,
          asides: asides.of(code),
          drafts: [drafts.of(code), drafts.of(whisperKeyOf(code))],
        })),
        lists: ([1, 2] as const).map((status) => rooms.list(status).map(({ code }) => code)),
      }
    },
  }
  await Promise.all([rooms.loadList(1), rooms.loadList(2), drafts.load()])
  for (const code of codes) await rooms.openRoom({ code })
  return page
}
type Page = Awaited<ReturnType<typeof openPage>>

/** Delivers the server's events to a page unreliably: some are lost, repeated, or arrive long after later ones. */
const unreliableEvents = async (page: Page, roll: Roll) => {
  const late: [keyof ServerEvents, unknown][] = []
  const socket = await page.who.socket()
  socket.onAny((name: keyof ServerEvents, payload: unknown) => {
    const fate = roll()
    if (fate < 0.2) return
    if (fate < 0.4) return void late.push([name, payload])
    page.receive(name, payload)
    if (fate < 0.55) page.receive(name, payload)
  })
  return {
    socket,
    catchUp: () => {
      for (const [name, payload] of late.splice(0).sort(() => roll() - 0.5)) page.receive(name, payload)
    },
  }
}

type World = Awaited<ReturnType<typeof makeWorld>>
const makeWorld = async () => {
  const { top, agent, cs, member, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const others = (await other.call('room/list', {})).data[0]?.code ?? ''
  await top.call('user/saveAbilities', { id: agent.id, transfer_member_flow_limit_multiple: 0 })
  for (const { id } of [member, other]) await top.call('user/saveAbilities', { id, withdraw_confirm: 1 } as never)
  return { top, agent, cs, member, other, codes: [room, others], partners: [member, other], transfers: [] as string[] }
}

/** One action of an account. Many are refused, as in real use. */
const actions: ((world: World, roll: Roll, pages: Page[]) => Promise<unknown>)[] = [
  ({ agent, cs, codes, partners }, roll) => {
    const at = roll() < 0.5 ? 0 : 1
    const who = pick(roll, [agent, cs, partners[at] as Person])
    return who.ask('sendMessage', { code: codes[at] ?? '', type: MessageType.text, content: `said ${roll()}` })
  },
  ({ agent, cs, codes }, roll) =>
    pick(roll, [agent, cs]).ask('desk/whisper', { code: pick(roll, codes), content: `whispered ${roll()}` }),
  async ({ agent, cs, member, codes }, roll) => {
    const who = pick(roll, [agent, cs, member])
    const code = pick(roll, codes)
    const { data } = await who.ask('room/history', { code, per_page: 5 })
    const last = (data as { messages: { message_id: string }[] } | null)?.messages.at(-1)
    return last && who.ask('readMessage', { code, message_id: last.message_id })
  },
  ({ agent, cs, codes }, roll) => pick(roll, [agent, cs]).ask('desk/markUnread', { code: pick(roll, codes) }),
  ({ agent, cs, codes }, roll) =>
    pick(roll, [agent, cs]).ask('desk/take', { code: pick(roll, codes), from: pick(roll, [null, agent.id, cs.id]) }),
  ({ agent, cs, codes }, roll) => {
    const [from, to] = pick(roll, [
      [agent, cs],
      [cs, agent],
    ])
    return from.ask('desk/handOver', { code: pick(roll, codes), to: to.id })
  },
  ({ agent, codes }, roll) => agent.ask('desk/release', { code: pick(roll, codes) }),
  ({ cs, codes }, roll) => cs.ask('desk/settle', { code: pick(roll, codes) }),
  ({ agent, codes }, roll) =>
    agent.ask('room/changeStatus', { code: pick(roll, codes), status: pick(roll, [1, 2] as const) }),
  ({ cs }, roll) =>
    cs.ask('desk/bulk', {
      deed: pick(roll, ['hide', 'show', 'read', 'unread'] as const),
      filter: { status: pick(roll, [1, 2] as const) },
    }),
  async (world, roll) => {
    const target = pick(roll, world.partners)
    const type = pick(roll, [1, 2, 3] as const)
    const given = { type, member_id: target.id, amount: '1', remark: 'a', request_id: randomUUID() }
    const { data } = await world.agent.ask('transaction/add', given as Input<'transaction/add'>)
    const id = (data as { transaction_id?: string } | null)?.transaction_id
    if (id) world.transfers.push(id)
  },
  ({ partners, transfers }, roll) =>
    pick(roll, partners).ask('envelope/answer', {
      transaction_id: transfers.at(-1) ?? randomUUID(),
      accept: roll() < 0.6,
    }),
  ({ agent, transfers }, roll) =>
    agent.ask('transaction/edit', {
      transaction_id: pick(roll, [randomUUID(), ...transfers]),
      remark: `corrected ${roll()}`.slice(0, 40),
    }),
  ({ top, transfers }, roll) =>
    top.ask('transaction/correct', { transaction_id: pick(roll, [randomUUID(), ...transfers]), remark: 'a mistake' }),
  ({ codes }, roll, pages) => {
    const { drafts } = pick(roll, pages)
    const code = pick(roll, codes)
    drafts.keep(roll() < 0.3 ? whisperKeyOf(code) : code, pick(roll, ['', `typed ${roll()}`]))
    return idle()
  },
  async ({ codes }, roll, pages) => {
    const { drafts, who } = pick(roll, pages)
    const code = pick(roll, codes)
    const content = drafts.of(code)
    if (!content) return
    const sent = who.ask('sendMessage', { code, type: MessageType.text, content, draft: drafts.versionOf(code) })
    drafts.sent(code)
    return sent
  },
]

test.each([1, 2, 3, 4])(
  '[ROOM-12] [R15] a page with an unreliable connection ends with the state that a fresh page loads: history %i',
  async (seed) => {
    const roll = dice(seed)
    const world = await makeWorld()
    const [room = ''] = world.codes
    const pages: Page[] = []
    for (const who of [world.agent, world.agent, world.cs]) pages.push(await openPage(who, world.codes))
    const members = await openPage(world.member, [room])
    const streams = await Promise.all([...pages, members].map((page) => unreliableEvents(page, roll)))
    for (let n = 0; n < 90; n++) {
      await pick(roll, actions)(world, roll, pages)
      if (roll() < 0.1) pick(roll, streams).catchUp()
      if (roll() < 0.05) await pick(roll, pages).reconnected()
    }
    // The last events may still be on their way; on the same connection they arrive before the answer.
    for (const { socket, catchUp } of streams) {
      await socket.emitWithAck('leave', room)
      catchUp()
    }
    for (const page of [...pages, members]) await page.reconnected()
    await idle()
    for (const page of pages) await page.reconnected()
    for (const page of [...pages, members]) {
      const fresh = await openPage(page.who, page === members ? [room] : world.codes)
      expect(await page.known()).toEqual(await fresh.known())
    }
  },
  60_000,
)
