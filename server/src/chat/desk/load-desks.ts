import { LOAD_MINUTES } from '@tallyroom/contract/desk/load'
import type { DeskRules } from '@tallyroom/contract/desk/rules'
import type { ColleagueState } from '@tallyroom/contract/desk/states'
import { type Db, many, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { rightsOf } from '../../identity/rights.ts'
import type { Colleague } from '../own-room.ts'
import type { DeskPerson, WaitingRoom } from './decide-owners.ts'

/** So many rooms of a queue are assigned at once, the longest wait first. */
export const MAX_QUEUED = 50
const MAX_OWNED = 2000

export type Desk = {
  groupId: number
  rules: DeskRules
  people: (DeskPerson & Colleague)[]
  rooms: WaitingRoom[]
}

/** The groups that assign conversations and in which somebody waits for a person. */
export const findDesks = async (db: Db): Promise<number[]> => {
  const rows = await many<{ groupId: number }>(
    db,
    sql`select s.group_id as "groupId" from desk_settings s where s.assign <> 'off' and exists (
      select from rooms r where r.group_id = s.group_id and r.waiting_since is not null and r.snoozed_until is null and r.status = ${is.shown})`,
  )
  return rows.map(({ groupId }) => groupId)
}

/** Loads the facts by which the owners in these groups are decided. */
export const loadDesks = async (db: Db, groups: number[], timeZone: string): Promise<Desk[]> => {
  const [settings, people, rooms] = await Promise.all([
    many<DeskRules & { groupId: number }>(
      db,
      sql`select group_id as "groupId", assign, capacity, sticky_hours, answer_s, gone_s from desk_settings
        where group_id = any(${groups}::int[]) and assign <> 'off'`,
    ),
    loadPeople(db, groups),
    loadRooms(db, groups),
  ])
  const rights = await rightsOf(
    db,
    people.map(({ id }) => id),
    timeZone,
  )
  return settings.map(({ groupId, ...rules }) => ({
    groupId,
    rules,
    people: people
      .filter((person) => person.groupId === groupId)
      .map((person) => ({ ...person, mayAnswer: rights.get(person.id)?.rights.has('chat') ?? false })),
    rooms: rooms.filter((room) => room.groupId === groupId),
  }))
}

type PersonRow = Colleague & { groupId: number; state: ColleagueState } & Omit<DeskPerson, 'mayAnswer'>
/** The active colleagues that have been there once. */
const loadPeople = (db: Db, groups: number[]) =>
  many<PersonRow>(
    db,
    sql`select a.id, a.group_id as "groupId", a.username, a.nickname, a.is_sub as "isSub", p.state, p.is_here as "isHere",
        case when p.passes > 0 and exists (select from rooms r where r.group_id = a.group_id and r.owner_id = a.id
          and r.attended_at > greatest(p.passed_at, r.assigned_at)) then 0 else p.passes end as passes,
        coalesce(extract(epoch from p.assigned_at) * 1000, 0)::float8 as "assignedAt", coalesce(l.n, 0) as load
      from accounts a join desk_people p on p.account_id = a.id
        left join (select r.owner_id, count(*)::int as n from rooms r
          where r.group_id = any(${groups}::int[]) and r.status = ${is.shown} and r.owner_id is not null and r.snoozed_until is null
            and (r.waiting_since is not null or r.last_message_at > now() - make_interval(mins => ${LOAD_MINUTES}))
          group by r.owner_id) l on l.owner_id = a.id
      where a.group_id = any(${groups}::int[]) and a.role_id <= ${is.customerService} and not a.is_key and a.status = ${is.active}`,
  )

/** Rooms that an API key owns are left to it: it answers without a page. */
const loadRooms = (db: Db, groups: number[]) =>
  many<WaitingRoom & { groupId: number }>(
    db,
    sql`select g.id as "groupId", r.* from unnest(${groups}::int[]) g (id) cross join lateral (
        (select id, floor(extract(epoch from waiting_since) * 1000)::float8 as "waitingSince", null::int as "ownerId",
            last_owner_id as "lastOwnerId", floor(extract(epoch from attended_at) * 1000)::float8 as "attendedAt",
            null::float8 as "assignedAt", null::float8 as "typedAt",
            array(select d.sender_id from asides d where d.room_id = w.id and d.kind = 'returned'
              and d.content = 'no_answer' and d.created_at >= w.waiting_since) as "passedBy"
          from rooms w where w.group_id = g.id and w.waiting_since is not null and w.snoozed_until is null and w.status = ${is.shown} and w.owner_id is null
          order by waiting_since limit ${MAX_QUEUED})
        union all
        (select w.id, floor(extract(epoch from waiting_since) * 1000)::float8, owner_id, null::int,
            floor(extract(epoch from attended_at) * 1000)::float8, floor(extract(epoch from assigned_at) * 1000)::float8,
            (select floor(extract(epoch from max(d.updated_at)) * 1000)::float8 from drafts d
              where d.room_id = w.id and d.account_id = w.owner_id and d.content <> ''), '{}'::int[]
          from rooms w join accounts o on o.id = w.owner_id and not o.is_key
          where w.group_id = g.id and w.waiting_since is not null and w.snoozed_until is null and w.status = ${is.shown}
          order by waiting_since limit ${MAX_OWNED})) r`,
  )
