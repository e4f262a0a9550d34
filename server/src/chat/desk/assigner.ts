import { RoomStatus } from '@tallyroom/contract/codes'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type Database, many, one, run, sql, type Tx } from '../../data/sql.ts'
import { repeat } from '../../lib/concurrency.ts'
import { ensure } from '../../lib/refusal.ts'
import type { Hub } from '../../live/hub.ts'
import { lockRooms } from '../messages.ts'
import { setOwner } from '../own-room.ts'
import type { RoomRow } from '../room-row.ts'
import { type Decision, decideOwners, MAX_PASSES, type WaitingRoom } from './decide-owners.ts'
import { changeDesks } from './desk.ts'
import { type Desk, findDesks, loadDesks, MAX_QUEUED } from './load-desks.ts'

/** A member waits at most so long for its owner, besides the work itself. */
const LOOK_MS = 500

type AssignerOptions = {
  db: Database
  hub: Hub
  push: { roomChanged: (roomId: number) => void }
  settings: { timeZone: string }
  log: Pick<Logger, 'error'>
}

/**
 * DESK-02, DESK-03: gives the members who wait to those who may answer, and takes them back from those who do not. Any
 * number of copies may run it: it decides again under the locks of the group's people. The locks are taken in the order
 * people, then rooms, each by id; sending a message locks rooms only.
 */
export const startAssigner = (options: AssignerOptions): (() => Promise<void>) =>
  repeat({
    everyMs: LOOK_MS,
    work: (isStopped) => assignAll(options, isStopped),
    onError: (error) => options.log.error({ err: error }, 'Could not assign conversations; trying again'),
  })

const assignAll = async (options: AssignerOptions, isStopped: () => boolean) => {
  const { db, settings } = options
  const groups = await findDesks(db)
  if (groups.length === 0) return
  const now = await timeOf(db)
  const errors: unknown[] = []
  for (const desk of await loadDesks(db, groups, settings.timeZone)) {
    let isMore = hasWork(decide(desk, now))
    while (isMore && !isStopped()) {
      // A group that fails keeps no other from it.
      isMore = await assignIn(options, desk.groupId).catch((error: unknown) => {
        errors.push(error)
        return false
      })
    }
  }
  if (errors.length > 0) throw errors[0]
}

const timeOf = async (db: Pick<Database, 'query'>): Promise<number> =>
  (await one<{ now: Date }>(db, sql`select clock_timestamp() as now`))?.now.getTime() ?? Date.now()
const decide = ({ rules, people, rooms }: Desk, now: number) => decideOwners(rules, people, rooms, now)
const hasWork = ({ returned, assigned }: Decision) => returned.length + assigned.length > 0

/** Decides and changes the owners of one group. @returns whether its queue may hold more that can be assigned */
const assignIn = ({ db, hub, push, settings }: AssignerOptions, groupId: number): Promise<boolean> =>
  db.transact(async (tx) => {
    await many(
      tx,
      sql`select p.account_id from desk_people p join accounts a on a.id = p.account_id where a.group_id = ${groupId}
        order by p.account_id for update of p`,
    )
    const [desk] = await loadDesks(tx, [groupId], settings.timeZone)
    if (!desk) return false
    const now = await timeOf(tx)
    const decision = decide(desk, now)
    const { returned, assigned } = decision
    if (!hasWork(decision)) return false
    const rooms = await lockRooms(
      tx,
      [...returned, ...assigned].map(({ room }) => room.id),
    )
    /** Read before the lock: it may have been answered, taken, hidden or moved meanwhile. */
    const isSame = (was: WaitingRoom) => {
      const room = rooms.get(was.id)
      return (
        room?.groupId === groupId &&
        room.status === RoomStatus.shown &&
        room.ownerId === was.ownerId &&
        room.snoozedUntil === null &&
        Math.abs((room.waitingSince?.getTime() ?? 0) - was.waitingSince) < 2
      )
    }
    const known = new Set(desk.rooms.filter(isSame).map(({ id }) => id))
    const rowsOf = (ids: number[]): RoomRow[] => ids.flatMap((id) => (known.has(id) ? (rooms.get(id) ?? []) : []))
    await giveBack(tx, hub, returned, rowsOf)
    await giveOut(tx, hub, { people: desk.people, at: new Date(now) }, assigned, rowsOf)
    await notePeople(tx, decision)
    tx.afterCommit(() => {
      if (decision.passed.some(({ isAway }) => isAway)) hub.colleaguesChanged([groupId])
      // Who has it on a phone only gets a notification; without an owner everyone does.
      for (const id of known) push.roomChanged(id)
    })
    return assigned.length >= MAX_QUEUED
  })

type RowsOf = (ids: number[]) => RoomRow[]

const giveBack = async (tx: Tx, hub: Hub, returned: Decision['returned'], rowsOf: RowsOf) => {
  const facts = new Map(returned.map((one) => [one.room.id, one]))
  const asideId = randomUUID()
  await changeDesks(tx, hub, rowsOf([...facts.keys()]), {
    aside: ({ id }) => {
      const { from, why } = ensure(facts.get(id), 'server.failed')
      return { asideId, kind: 'returned', content: why, senderId: from }
    },
    change: setOwner(undefined),
  })
}

const giveOut = async (
  tx: Tx,
  hub: Hub,
  { people, at }: { people: Desk['people']; at: Date },
  assigned: Decision['assigned'],
  rowsOf: RowsOf,
) => {
  const byId = new Map(people.map((person) => [person.id, person]))
  const owners = new Map(assigned.map(({ room, to }) => [room.id, byId.get(to)]))
  const ownerOf = ({ id }: RoomRow) => ensure(owners.get(id), 'server.failed')
  const asideId = randomUUID()
  await changeDesks(tx, hub, rowsOf([...owners.keys()]), {
    aside: (room) => ({ asideId, kind: 'assigned', senderId: ownerOf(room).id, targetId: ownerOf(room).id }),
    change: (room) => setOwner(ownerOf(room), at)(room),
  })
}

/** Notes who got a room, in their order, and who has let an answer pass; the second time in a row it is away. */
const notePeople = async (tx: Tx, { assigned, passed }: Decision) => {
  const got = [...new Set(assigned.map(({ to }) => to))]
  const last = got.map((id) => assigned.findLastIndex(({ to }) => to === id))
  if (got.length > 0)
    await run(
      tx,
      sql`update desk_people p set assigned_at = clock_timestamp() + make_interval(secs => v.at * 0.000001)
        from unnest(${got}::int[], ${last}::int[]) v (id, at) where p.account_id = v.id`,
    )
  if (passed.length > 0)
    await run(
      tx,
      sql`update desk_people p set passed_at = clock_timestamp(), passes = case when v.is_away then ${MAX_PASSES} else 1 end,
          state = case when v.is_away then 'away' else p.state end, until = case when v.is_away then null else p.until end,
          since = case when v.is_away then now() else p.since end
        from unnest(${passed.map(({ id }) => id)}::int[], ${passed.map(({ isAway }) => isAway)}::boolean[]) v (id, is_away)
        where p.account_id = v.id`,
    )
}
