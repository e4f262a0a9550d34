import type { Answer, Parsed } from '@tallyroom/contract'
import type { WaitOutcome } from '@tallyroom/contract/desk/waits'
import { type Db, many, one, type Sql, sql } from '../../../data/sql.ts'
import { chatGroup, visibleAccounts } from '../../../identity/actor.ts'
import { asOfMembers, counts, type NamedAccount, shownNames, waitsOf, type WorkViewer } from './figures.ts'

type Waits = Answer<'report/workWaits'>
type WaitRow = Omit<
  Waits['data'][number],
  'wait' | 'room' | 'member' | 'person' | 'asked_at' | 'from_at' | 'ended_at' | 'outcome'
> & {
  roomId: number
  memberId: number
  code: string | null
  outcome: WaitOutcome | null
  askedAt: Date
  fromAt: Date
  endedAt: Date | null
  member: NamedAccount | null
  person: NamedAccount | null
}

/** Only waits of this row of the report; all of them without a row. */
const ofRow = ({ by, count, row }: Pick<Parsed<'report/workWaits'>, 'by' | 'count' | 'row'>): Sql => {
  if (row === undefined) return sql`true`
  if (by === 'person' && count === 'passed') return sql`${row}::int = any(t.passed_by)`
  return sql`t.key is not distinct from ${row}::int`
}

const behind = (after: string | undefined): Sql => {
  const [at = '', room = '', seq = ''] = (after ?? '').split('-')
  return after === undefined
    ? sql`true`
    : sql`(t.from_at, t.room_id, t.asked_seq) < (timestamptz 'epoch' + ${at}::bigint * interval '1 millisecond', ${room}::bigint, ${seq}::bigint)`
}

const named = (alias: Sql): Sql =>
  sql`json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'nickname', ${alias}.nickname, 'isSub', ${alias}.is_sub)`

/** DESK-09: exactly the waits that a figure counts. */
export const workWaits = async (db: Db, viewer: WorkViewer, input: Parsed<'report/workWaits'>): Promise<Waits> => {
  const { actor } = viewer
  const found = await waitsOf(db, viewer, input.row === undefined ? asOfMembers(input) : input)
  const waits = sql`select t.* from (${found}) t where ${counts[input.count]} and ${ofRow(input)}`
  const [all, rows] = await Promise.all([
    one<{ n: number }>(db, sql`select count(*)::int as n from (${waits}) t`),
    many<WaitRow>(
      db,
      sql`select t.room_id as "roomId", r.partner_id as "memberId", t.asked_seq as seq, case when r.group_id = ${chatGroup(actor)} then r.code end as code,
          case when a.id is not null then ${named(sql`a`)} end as member, case when p.id is not null then ${named(sql`p`)} end as person,
          t.asked_at as "askedAt", t.from_at as "fromAt", t.ended_at as "endedAt", t.outcome, t.clock::int as clock_s, t.open::int as open_s,
          t.is_first, t.missed as is_missed, cardinality(t.passed_by) as passed,
          t.outcome = 'answer' and m.taken_back_at is not null as is_taken_back
        from (${waits}) t join rooms r on r.id = t.room_id
          left join messages m on m.room_id = t.room_id and m.seq = t.ended_seq
          left join accounts a on a.id = r.partner_id and ${visibleAccounts(actor)}
          left join accounts p on p.id = t.person_id
        where ${behind(input.after)}
        order by t.from_at desc, t.room_id desc, t.asked_seq desc limit ${input.per_page + 1}`,
    ),
  ])
  const shown = rows.slice(0, input.per_page)
  const last = rows.length > input.per_page ? shown.at(-1) : undefined
  return {
    total: all?.n ?? 0,
    data: shown.map(({ roomId, memberId, code, askedAt, fromAt, endedAt, member, person, ...row }) => ({
      ...row,
      wait: `${roomId}-${row.seq}`,
      room: code === null ? null : { room_id: roomId, member_id: memberId, code },
      member: member ? { id: member.id, ...shownNames(actor, member) } : { username: '', nickname: '' },
      person: person && shownNames(actor, person),
      asked_at: askedAt.toISOString(),
      from_at: fromAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    })),
    next: last ? `${last.fromAt.getTime()}-${last.roomId}-${last.seq}` : null,
  }
}
