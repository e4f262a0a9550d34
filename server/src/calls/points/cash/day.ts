import type { Answer, Parsed } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import { spanOf } from '../../../data/local-time.ts'
import { type Db, many, one, type Row, sql } from '../../../data/sql.ts'
import { type Actor, groupRooms } from '../../../identity/actor.ts'
import { shownText, shownUsername } from '../../../identity/masking.ts'
import { is } from '../../../domain/is.ts'
import { ensure } from '../../../lib/refusal.ts'

type Figures = Row & {
  paid: number
  refused: number
  paidIn: bigint
  paidOut: bigint
  median: number | null
  p95: number | null
}
type Person = { id: number; username: string; nickname: string; isSub: 0 | 1 }
type PersonFigures = Figures & Person
type AccountSums = Row &
  Omit<Person, 'id'> & {
    id: number
    bank: string
    account_no: string
    dayLimit: bigint | null
    asked: number
    open: bigint
    paid: bigint
    changedAt: Date | null
    changedBy: number | null
  }

const nameOf = (actor: Actor, person: Person) =>
  shownText(actor, person, person.nickname) || shownUsername(actor, person)

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
  const accounts = await many<AccountSums>(
    db,
    sql`select v.id, v.bank, v.account_no, v.day_limit as "dayLimit", (count(c.id))::int as asked,
        coalesce(sum(c.amount) filter (where c.state in ('asked', 'taken')), 0)::bigint as open,
        coalesce(sum(c.amount) filter (where c.state = 'paid'), 0)::bigint as paid,
        case when v.changed_at > now() - interval '1 day' then v.changed_at end as "changedAt",
        k.id as "changedBy", k.username, k.nickname, k.is_sub as "isSub"
      from receiving_accounts v left join accounts k on k.id = v.changed_by
        left join (${ours}) on c.receiving_account_id = v.id and ${groupRooms(actor)} and ${within(sql`c.asked_at`)}
      where v.group_id = ${actor.groupId} and (v.status = ${is.offered} or c.id is not null)
      group by v.id, k.id order by v.position, v.id`,
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
      name: nameOf(actor, row),
    })),
    accounts: accounts.map((row) => ({
      id: row.id,
      name: `${row.bank} ${row.account_no}`,
      asked: row.asked,
      open: formatPoints(row.open),
      paid: formatPoints(row.paid),
      day_limit: row.dayLimit === null ? null : formatPoints(row.dayLimit),
      changed_at: row.changedAt?.toISOString() ?? null,
      changed_name: row.changedAt && row.changedBy !== null ? nameOf(actor, { ...row, id: row.changedBy }) : '',
    })),
  }
}
