import type { Answer, Parsed } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import { spanOf } from '../../../data/local-time.ts'
import { type Db, many, one, type Row, sql } from '../../../data/sql.ts'
import { type Actor, groupRooms } from '../../../identity/actor.ts'
import { shownText, shownUsername } from '../../../identity/masking.ts'
import { ensure } from '../../../lib/refusal.ts'

type Figures = Row & {
  paid: number
  refused: number
  paidIn: bigint
  paidOut: bigint
  median: number | null
  p95: number | null
}
type PersonFigures = Figures & { id: number; username: string; nickname: string; isSub: 0 | 1 }

const seconds = sql`extract(epoch from c.ended_at - c.asked_at)`
const answered = sql`c.state in ('paid', 'refused')`
/** Figures of the requests that ended on the day. Percentiles are waits that really occurred, not means of two. */
const figures = sql`(count(*) filter (where c.state = 'paid'))::int as paid,
  (count(*) filter (where c.state = 'refused'))::int as refused,
  coalesce(sum(c.amount) filter (where c.state = 'paid' and c.direction = 'in'), 0)::bigint as "paidIn",
  coalesce(sum(c.amount) filter (where c.state = 'paid' and c.direction = 'out'), 0)::bigint as "paidOut",
  (percentile_disc(0.5) within group (order by ${seconds}) filter (where ${answered}))::int as median,
  (percentile_disc(0.95) within group (order by ${seconds}) filter (where ${answered}))::int as p95`

const asFigures = ({ paid, refused, paidIn, paidOut, median, p95 }: Figures) => ({
  paid,
  refused,
  paid_in: formatPoints(paidIn),
  paid_out: formatPoints(paidOut),
  median,
  p95,
})

/** The figures of a day in the platform's time zone, by default today, or of the days until another. */
export const cashDay = async (
  db: Db,
  actor: Actor,
  timeZone: string,
  { day: wanted, until }: Parsed<'cash/day'>,
): Promise<Answer<'cash/day'>> => {
  const day = sql`coalesce(${wanted ?? null}::date, (now() at time zone ${timeZone}::text)::date)`
  const last = sql`coalesce(${until ?? null}::date, ${day})`
  const { start, end } = spanOf(day, last, timeZone)
  const within = (time: ReturnType<typeof sql>) => sql`${time} >= ${start} and ${time} < ${end}`
  const ours = sql`cash_requests c join rooms r on r.id = c.room_id and r.group_id = c.group_id`
  const whole = ensure(
    await one<Figures & { day: string; asked: number; withdrawn: number; expired: number; open: number }>(
      db,
      sql`select ${figures}, (${day})::text as day,
          (count(*) filter (where c.state = 'withdrawn'))::int as withdrawn,
          (count(*) filter (where c.state = 'expired'))::int as expired,
          (select count(*)::int from ${ours} where ${groupRooms(actor)} and ${within(sql`c.asked_at`)}) as asked,
          (select count(*)::int from ${ours} where ${groupRooms(actor)} and c.state in ('asked', 'taken')) as open
        from ${ours} where ${groupRooms(actor)} and ${within(sql`c.ended_at`)}`,
    ),
    'server.failed',
  )
  const people = await many<PersonFigures>(
    db,
    sql`select ${figures}, k.id, k.username, k.nickname, k.is_sub as "isSub" from ${ours} join accounts k on k.id = c.ended_by
      where ${groupRooms(actor)} and ${within(sql`c.ended_at`)} and ${answered}
      group by k.id order by count(*) desc, k.id`,
  )
  const { asked, withdrawn, expired, open } = whole
  return {
    ...asFigures(whole),
    day: whole.day,
    asked,
    withdrawn,
    expired,
    open,
    people: people.map((row) => ({
      ...asFigures(row),
      id: row.id,
      name: shownText(actor, row, row.nickname) || shownUsername(actor, row),
    })),
  }
}
