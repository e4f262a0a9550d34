import { type Db, one, sql } from '../data/sql.ts'
import { is } from '../domain/is.ts'

/** The newest messages of a group that are looked at, and how far they go back. */
const MESSAGES = 1000
const DAYS = 7
/** Fewer waits than these say nothing about the group. */
const ENOUGH = 10
const KEPT_MS = 10 * 60_000
const MAX_GROUPS = 5000

export type AnswerTimes = { of: (db: Db, groupId: number) => Promise<number | undefined> }

/** How long the members of a group usually wait for an answer, in seconds. Measured again ten minutes later. */
export const makeAnswerTimes = (now: () => number = Date.now): AnswerTimes => {
  const known = new Map<number, { until: number; seconds: Promise<number | undefined> }>()
  return {
    of(db, groupId) {
      const found = known.get(groupId)
      if (found && found.until > now()) return found.seconds
      if (known.size >= MAX_GROUPS) known.clear()
      const seconds = measure(db, groupId)
      known.set(groupId, { until: now() + KEPT_MS, seconds })
      // A failure is not kept.
      seconds.catch(() => known.delete(groupId))
      return seconds
    },
  }
}

/**
 * The median of the waits for a person's answer. A wait goes from the member's first message to the group's next one, or
 * until now where the room still waits. What a bot has answered is left out: it says nothing about people.
 */
const measure = async (db: Db, groupId: number): Promise<number | undefined> => {
  const found = await one<{ waits: number; median: number | null }>(
    db,
    sql`with recent as (
        select room_id, seq, from_partner, sender_id is null as is_bot, created_at from messages
        where group_id = ${groupId} and created_at > now() - make_interval(days => ${DAYS}::int)
          and type not in (${is.event}, ${is.notice})
        order by created_at desc limit ${MESSAGES}),
      turns as (
        select *, count(*) filter (where not from_partner) over
          (partition by room_id order by seq rows between unbounded preceding and 1 preceding) as turn from recent),
      waits as (
        select room_id, min(created_at) filter (where from_partner) as asked,
          min(created_at) filter (where not from_partner) as answered, bool_or(is_bot) as by_bot
        from turns group by room_id, turn)
      select count(*)::int as waits, percentile_disc(0.5) within group
          (order by extract(epoch from coalesce(w.answered, now()) - w.asked)::float8) as median
      from waits w join rooms r on r.id = w.room_id
      where w.asked is not null and not w.by_bot and (w.answered is not null or r.waiting_since is not null)`,
  )
  return found && found.waits >= ENOUGH && found.median !== null ? found.median : undefined
}
