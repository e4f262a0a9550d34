import type { OpeningHours } from '@tallyroom/contract/desk/hours'
import { FIRST_AFTER_HOURS, lateAfter, type WaitOutcome, waitBetween } from '@tallyroom/contract/desk/waits'
import { type Db, many, run, type Sql, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'

/** A wait as the messages and lines of its room have it. Times are in ms. */
type WaitFacts = {
  roomId: number
  askedSeq: number
  topId: number
  groupId: number
  askedAt: number
  fromAt: number
  isFirst: boolean
  outcome: WaitOutcome | null
  endedSeq: number | null
  endedAt: number | null
  personId: number | null
  assignedAt: number | null
  passedBy: number[]
}

/**
 * DESK-09: counts the waits of the rooms `r` that fit, by their messages and lines. A wait that has ended never changes
 * again; those that wait are written as they are now. Repeating it changes nothing.
 * @param zone the installation's time zone
 * @returns how many rooms it looked at
 */
export const countWaits = async (db: Db, condition: Sql, zone: string): Promise<number> => {
  const rooms = await many<{ roomId: number; waits: WaitFacts[] | null }>(db, factsOf(condition))
  if (rooms.length === 0) return 0
  const waits = rooms.flatMap((room) => room.waits ?? [])
  const hours = await hoursOf(db, [...new Set(waits.map(({ groupId }) => groupId))], zone)
  const ids = rooms.map(({ roomId }) => roomId)
  await store(db, ids, waits, (groupId) => hours.get(groupId))
  return rooms.length
}

const ms = (time: Sql): Sql => sql`floor(extract(epoch from ${time}) * 1000)::float8`

/** One statement, so that a room and its messages are of one moment. */
const factsOf = (condition: Sql): Sql =>
  sql`with found as materialized (
      select r.id, r.top_id, r.group_id, r.partner_id, r.moved_at, r.owner_id,
        case when r.waiting_since is not null and r.status <> ${is.withBot} then r.asked_seq end as open_seq,
        coalesce((select max(t.asked_seq) from desk_waits t where t.room_id = r.id and t.outcome is not null), 0) as counted
      from rooms r where ${condition}),
    ends as (
      select f.id as room_id, m.answers_seq as asked_seq, m.seq as ended_seq, null::int as aside_seq, m.from_partner as is_card,
          coalesce(c.ended_at, m.created_at) as ended_at, case when m.from_partner then c.ended_by else m.sender_id end as person_id,
          case when m.from_partner and c.ended_by is null then 'missed' when m.sender_id is null then 'bot' else 'answer' end as outcome
        from found f join messages m on m.room_id = f.id and m.seq > f.counted and m.answers_seq > f.counted
          left join cash_requests c on m.from_partner and c.message_id = m.message_id
      union all select f.id, d.answers_seq, d.after_seq, d.seq, false, d.created_at, d.sender_id, 'settled'
        from found f join asides d on d.room_id = f.id and d.after_seq >= f.counted and d.answers_seq > f.counted
      union all select f.id, f.open_seq, null, null, false, null, f.owner_id, null from found f where f.open_seq > f.counted),
    waits as (
      select e.room_id, json_build_object('roomId', e.room_id, 'askedSeq', e.asked_seq, 'topId', f.top_id, 'groupId', f.group_id,
          'askedAt', ${ms(sql`q.created_at`)}, 'fromAt', ${ms(sql`w.from_at`)},
          'isFirst', coalesce(q.created_at - b.created_at >= make_interval(hours => ${FIRST_AFTER_HOURS}), true),
          'outcome', case when e.outcome is not null and p.is_key then 'bot' else e.outcome end, 'endedSeq', e.ended_seq,
          'endedAt', ${ms(sql`e.ended_at`)}, 'personId', e.person_id, 'assignedAt', ${ms(sql`a.assigned_at`)},
          'passedBy', coalesce(a.passed_by, '{}')) as wait
      from ends e join found f on f.id = e.room_id
        join messages q on q.room_id = e.room_id and q.seq = e.asked_seq
        left join accounts p on p.id = e.person_id
        left join lateral (select m.created_at from messages m
          where m.room_id = e.room_id and m.seq < e.asked_seq and m.type not in (${is.event}, ${is.notice})
          order by m.seq desc limit 1) b on true
        cross join lateral (select greatest(q.created_at, case when e.ended_at is null or f.moved_at <= e.ended_at then f.moved_at end,
            (select max(h.created_at) from messages h where h.room_id = e.room_id and h.seq > e.asked_seq
              and (e.ended_seq is null or h.seq <= e.ended_seq) and h.type = ${is.event} and h.content <> 'given_to_bot')) as from_at) w
        cross join lateral (select
            max(d.created_at) filter (where (d.kind in ('assigned', 'handed') and d.target_id = e.person_id)
              or (d.kind in ('taken', 'taken_over') and d.sender_id = e.person_id)) as assigned_at,
            array_agg(distinct d.sender_id) filter (where d.kind = 'returned' and d.content = 'no_answer') as passed_by
          from asides d where d.room_id = e.room_id and d.after_seq >= e.asked_seq and d.created_at >= w.from_at
            and case when e.ended_at is null then true when e.aside_seq is not null then d.seq < e.aside_seq
              when e.is_card then d.after_seq <= e.ended_seq and d.created_at <= e.ended_at else d.after_seq < e.ended_seq end) a)
    select f.id as "roomId", (select json_agg(t.wait) from waits t where t.room_id = f.id) as waits from found f`

const hoursOf = async (db: Db, groups: number[], zone: string): Promise<Map<number, OpeningHours>> => {
  if (groups.length === 0) return new Map()
  const rows = await many<{ groupId: number; time_zone: string | null; week: unknown; days: unknown }>(
    db,
    sql`select group_id as "groupId", time_zone, week, days from desk_hours where group_id = any(${groups}::int[]) and is_on`,
  )
  return new Map(
    rows.map(({ groupId, time_zone, week, days }) => [
      groupId,
      { zone: time_zone ?? zone, week, days } as OpeningHours,
    ]),
  )
}

type Counted = { late: number | undefined; clock: number | null; open: number | null }
/** How long it waited from a moment on. What waits, and what a bot or nobody has ended, has no length. */
const counted = ({ outcome, endedAt }: WaitFacts, hours: OpeningHours | undefined, from: number): Counted => {
  const late = lateAfter(hours, from)
  const hasLength = endedAt !== null && (outcome === 'answer' || outcome === 'settled')
  return hasLength ? { late, ...waitBetween(hours, from, endedAt) } : { late, clock: null, open: null }
}

const store = async (
  db: Db,
  rooms: number[],
  waits: WaitFacts[],
  hoursAt: (groupId: number) => OpeningHours | undefined,
): Promise<void> => {
  const rows = waits
    .map((wait) => {
      const hours = hoursAt(wait.groupId)
      const group = counted(wait, hours, wait.fromAt)
      const from = Math.max(wait.fromAt, wait.assignedAt ?? 0)
      return { ...wait, group, own: from === wait.fromAt ? group : counted(wait, hours, from) }
    })
    .toSorted((a, b) => a.roomId - b.roomId || a.askedSeq - b.askedSeq)
  const column = <T>(pick: (wait: (typeof rows)[number]) => T) => rows.map(pick)
  const time = (pick: (wait: (typeof rows)[number]) => number | null | undefined) =>
    rows.map((wait) => asDate(pick(wait)))
  // One that waited, and was taken back, given to the bot or moved, waits no more, or as another one.
  await run(
    db,
    sql`delete from desk_waits t where t.room_id = any(${rooms}::int[]) and t.outcome is null
      and (t.room_id, t.asked_seq) not in (select * from unnest(${column((t) => t.roomId)}::int[], ${column((t) => t.askedSeq)}::int[]))`,
  )
  if (rows.length === 0) return
  await run(
    db,
    sql`insert into desk_waits as t (room_id, asked_seq, top_id, group_id, asked_at, from_at, is_first, outcome, ended_seq,
        ended_at, person_id, assigned_at, passed_by, late_at, clock_s, open_s, own_late_at, own_clock_s, own_open_s)
      select v.room_id, v.asked_seq, v.top_id, v.group_id, v.asked_at, v.from_at, v.is_first, v.outcome, v.ended_seq, v.ended_at,
        v.person_id, v.assigned_at, v.passed_by::int[], v.late_at, v.clock_s, v.open_s, v.own_late_at, v.own_clock_s, v.own_open_s
      from unnest(${column((t) => t.roomId)}::int[], ${column((t) => t.askedSeq)}::int[], ${column((t) => t.topId)}::int[],
        ${column((t) => t.groupId)}::int[], ${time((t) => t.askedAt)}::timestamptz[], ${time((t) => t.fromAt)}::timestamptz[],
        ${column((t) => t.isFirst)}::boolean[], ${column((t) => t.outcome)}::text[], ${column((t) => t.endedSeq)}::int[],
        ${time((t) => t.endedAt)}::timestamptz[], ${column((t) => t.personId)}::int[], ${time((t) => t.assignedAt)}::timestamptz[],
        ${column((t) => `{${t.passedBy.join(',')}}`)}::text[], ${time((t) => t.group.late)}::timestamptz[],
        ${column((t) => t.group.clock)}::int[], ${column((t) => t.group.open)}::int[], ${time((t) => t.own.late)}::timestamptz[],
        ${column((t) => t.own.clock)}::int[], ${column((t) => t.own.open)}::int[])
        v (room_id, asked_seq, top_id, group_id, asked_at, from_at, is_first, outcome, ended_seq, ended_at, person_id, assigned_at,
          passed_by, late_at, clock_s, open_s, own_late_at, own_clock_s, own_open_s)
      on conflict (room_id, asked_seq) do update set group_id = excluded.group_id, asked_at = excluded.asked_at,
        from_at = excluded.from_at, is_first = excluded.is_first, outcome = excluded.outcome, ended_seq = excluded.ended_seq,
        ended_at = excluded.ended_at, person_id = excluded.person_id, assigned_at = excluded.assigned_at,
        passed_by = excluded.passed_by, late_at = excluded.late_at, clock_s = excluded.clock_s, open_s = excluded.open_s,
        own_late_at = excluded.own_late_at, own_clock_s = excluded.own_clock_s, own_open_s = excluded.own_open_s
      where t.outcome is null`,
  )
}

const asDate = (time: number | null | undefined) => (time === null || time === undefined ? null : new Date(time))
