import { randomUUID } from 'node:crypto'
import { MessageType, Role, RoomStatus } from '@tallyroom/contract/codes'
import type { RoomHistory } from '@tallyroom/contract/desk/waits-oracle'
import { applyDecision } from '../../chat/bot/responder.ts'
import { claimJobs } from '../../chat/bot/work.ts'
import { changeDesks } from '../../chat/desk/desk.ts'
import { countWaits } from '../../chat/desk/waits.ts'
import { lockRooms } from '../../chat/messages.ts'
import { setOwner } from '../../chat/own-room.ts'
import { one, run, sql } from '../../data/sql.ts'
import type { Person, TestServer } from '../app.ts'

/** Whole numbers below a limit, the same for the same seed. */
export type Random = (below: number) => number

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Two groups below one agent, each with colleagues; the first has a bot and opening hours. */
export const workGroups = async (server: TestServer) => {
  const top = await server.person({ role: Role.admin, unlimited: true })
  const upper = await server.person({ role: Role.agent, under: top })
  const head = await server.person({ role: Role.agent, under: upper })
  const other = await server.person({ role: Role.agent, under: upper })
  const people = async (agent: Person) => [
    agent,
    await server.person({ role: Role.customerService, under: agent }),
    await server.person({ role: Role.customerService, under: agent }),
  ]
  for (const agent of [upper, head, other])
    await top.call('user/saveAbilities', { id: agent.id, chat_ai_bot_visible: 1 })
  return { top, upper, head, other, people: { [head.id]: await people(head), [other.id]: await people(other) } }
}
type Groups = Awaited<ReturnType<typeof workGroups>>

/** A room and the moment at which it is. Acts happen through the server's doors; their rows then get the time of the history. */
const openRoom = async (server: TestServer, groups: Groups, start: number) => {
  const { db, hub, settings } = server.services
  const { head } = groups
  const member = await server.person({ role: Role.member, under: head })
  const entered = (await member.call('room/list', {})).data[0]
  const [code, roomId] = [entered?.code ?? '', entered?.room_id ?? 0]
  const history: RoomHistory = { roomId, group: head.id, steps: [] }
  let now = start
  const seen = { seq: 0, aside: 0 }

  const state = async () => {
    const found = await one<{
      group: number
      lastSeq: number
      asideSeq: number
      status: RoomStatus
      isWaiting: boolean
      ownerId: number | null
      askedSeq: number | null
    }>(
      db,
      sql`select group_id as group, last_seq as "lastSeq", aside_seq as "asideSeq", status, waiting_since is not null as "isWaiting",
          owner_id as "ownerId", asked_seq as "askedSeq" from rooms where id = ${roomId}`,
    )
    if (!found) throw new Error(`room ${roomId} is gone`)
    if (found.isWaiting !== (found.askedSeq !== null))
      throw new Error(`room ${roomId} waits: ${found.isWaiting}, its first unanswered message: ${found.askedSeq}`)
    return found
  }

  /** Gives what was just written the time of the history, and the room the time since which it waits. */
  const retime = async (isMoved = false) => {
    const at = new Date(now)
    await run(
      db,
      sql`update messages set created_at = ${at}::timestamptz where room_id = ${roomId} and seq > ${seen.seq}`,
    )
    await run(
      db,
      sql`update asides set created_at = ${at}::timestamptz where room_id = ${roomId} and seq > ${seen.aside}`,
    )
    if (isMoved) await run(db, sql`update rooms set moved_at = ${at}::timestamptz where id = ${roomId}`)
    const { lastSeq, asideSeq, askedSeq } = await state()
    // The trigger for older copies forgets the message when only the time changes.
    await run(
      db,
      sql`update rooms r set asked_seq = null, last_message_at = ${at}::timestamptz, waiting_since =
      (select m.created_at from messages m where m.room_id = r.id and m.seq = ${askedSeq}::int) where r.id = ${roomId}`,
    )
    await run(db, sql`update rooms set asked_seq = ${askedSeq}::int where id = ${roomId}`)
    Object.assign(seen, { seq: lastSeq, aside: asideSeq })
  }

  const desk = async (kind: 'returned' | 'assigned' | 'handed' | 'taken', sender: Person, target: Person | undefined) =>
    db.transact(async (tx) => {
      const rooms = await lockRooms(tx, [roomId])
      await changeDesks(tx, hub, [...rooms.values()], {
        aside: {
          asideId: randomUUID(),
          kind,
          senderId: sender.id,
          targetId: kind === 'taken' ? null : (target?.id ?? null),
          content: kind === 'returned' ? 'no_answer' : '',
        },
        change: setOwner(target && { id: target.id, username: target.username, nickname: '', isSub: 0 }),
      })
    })

  return {
    code,
    roomId,
    member,
    history,
    state,
    retime,
    desk,
    now: () => now,
    pass: (ms: number) => {
      now += ms
    },
    count: () => countWaits(db, sql`r.id = ${roomId}`, settings.timeZone),
    add: (step: RoomHistory['steps'][number]) => history.steps.push(step),
    asked: () => history.steps.flatMap((step) => (step.kind === 'ask' ? [step.seq] : [])),
    db,
    hub,
  }
}
type Room = Awaited<ReturnType<typeof openRoom>>

/** One act of a random kind; one that the state of the room does not allow does nothing. */
const act = async (groups: Groups, room: Room, random: Random): Promise<void> => {
  const { code, member, db, hub } = room
  const { group, lastSeq, status, isWaiting, ownerId } = await room.state()
  const colleagues = groups.people[group] ?? []
  const anyone = colleagues[random(colleagues.length)] as Person
  const owner = colleagues.find(({ id }) => id === ownerId)
  const isWithBot = status === RoomStatus.ai
  const at = room.now()
  const say = (who: Person, more = {}) =>
    who.call('sendMessage', { code, type: MessageType.text, content: 'words', ...more })
  const kinds = {
    ask: 7,
    answer: 6,
    settle: 1,
    takeBack: 1,
    get: 2,
    pass: 1,
    bot: 1,
    people: 2,
    think: 3,
    move: 1,
    count: 2,
  }
  const all = Object.entries(kinds).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind))
  const kind: string = all[random(all.length)] ?? 'count'
  switch (kind) {
    case 'ask': {
      const { seq } = await say(member)
      room.add({ kind: 'ask', seq, at })
      return room.retime()
    }
    case 'answer': {
      if (isWithBot) return
      const read = Math.max(0, lastSeq - (random(3) === 0 ? random(4) : 0))
      const by = owner ?? anyone
      await say(by, { seen: read })
      room.add({ kind: 'answer', by: by.id, seen: read, at })
      return room.retime()
    }
    case 'settle':
      if (!isWaiting) return
      await anyone.call('desk/settle', { code })
      room.add({ kind: 'settle', by: anyone.id, at })
      return room.retime()
    case 'takeBack':
      return takeBack(room, random)
    case 'get': {
      if (isWithBot) return
      const how = (['assigned', 'handed', 'taken'] as const)[random(3)] ?? 'taken'
      await room.desk(how, how === 'handed' ? (owner ?? anyone) : anyone, anyone)
      room.add({ kind: 'get', who: anyone.id, at })
      return room.retime()
    }
    case 'pass':
      if (!owner || isWithBot) return
      await room.desk('returned', owner, undefined)
      room.add({ kind: 'pass', who: owner.id, at })
      room.add({ kind: 'get', who: null, at })
      return room.retime()
    case 'bot': {
      const refused = (await (colleagues[0] ?? anyone).ask('room/giveToBot', { room_id: room.roomId })).refusal
      if (refused) return
      room.add({ kind: 'toBot', at })
      return room.retime()
    }
    case 'people':
      if (!isWithBot) return
      await anyone.call('room/recover', { room_id: room.roomId })
      room.add({ kind: 'toPeople', at })
      room.add({ kind: 'get', who: (await room.state()).ownerId, at })
      return room.retime()
    case 'think': {
      const job = (await claimJobs(db, 8, 60)).find(({ roomId }) => roomId === room.roomId)
      if (!job) return
      const calls = random(3) === 0
      if (!(await applyDecision({ db, hub }, job, calls ? { call: 'asked_for_people' } : { say: 'words' }))) return
      room.add(calls ? { kind: 'toPeople', at } : { kind: 'answer', by: null, seen: lastSeq, at })
      return room.retime()
    }
    case 'move': {
      const to = group === groups.head.id ? groups.other : groups.head
      await groups.top.call('tree/move', { id: member.id, to_id: to.id })
      room.add({ kind: 'move', group: to.id, at })
      if (isWithBot && (await room.state()).status !== RoomStatus.ai) room.add({ kind: 'toPeople', at })
      return room.retime(true)
    }
    default:
      await room.count()
  }
}

/** A message that the member takes back is fresh for that moment. */
const takeBack = async (room: Room, random: Random): Promise<void> => {
  const { db, roomId, code, member } = room
  const asked = room.asked()
  const seq = asked[random(asked.length)]
  if (seq === undefined) return
  const found = await one<{ id: string; at: Date }>(
    db,
    sql`select message_id as id, created_at as at from messages where room_id = ${roomId} and seq = ${seq}`,
  )
  if (!found) return
  await run(db, sql`update messages set created_at = clock_timestamp() where room_id = ${roomId} and seq = ${seq}`)
  const { refusal } = await member.ask('message/takeBack', { code, message_id: found.id })
  await run(
    db,
    sql`update messages set created_at = ${found.at}::timestamptz where room_id = ${roomId} and seq = ${seq}`,
  )
  if (refusal) return
  room.add({ kind: 'takeBack', seq, at: room.now() })
  await room.retime()
}

/** Plays a random history of some acts in a new room, in the ten days before now. */
export const playHistory = async (server: TestServer, groups: Groups, random: Random, acts: number) => {
  const room = await openRoom(server, groups, Date.now() - 10 * 24 * HOUR - random(5) * HOUR)
  for (let at = 0; at < acts; at++) {
    // Seconds within a talk, sometimes hours.
    const pause = [20_000, 5 * MINUTE, 40 * MINUTE, 14 * HOUR][[0, 0, 0, 1, 1, 2, 3][random(7)] ?? 0] ?? 0
    // Whole ms, as the database gets them.
    room.pass(1000 + random(pause))
    await act(groups, room, random)
  }
  await room.count()
  return room.history
}
