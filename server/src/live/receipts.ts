import { type Actor, chatGroup } from '../identity/actor.ts'
import { batcher } from '../lib/batcher.ts'
import { type Database, many, sql } from '../data/sql.ts'

/** A browser's report of the last message it has. */
type Mark = { actor: Pick<Actor, 'id' | 'rights' | 'groupId'>; code: string; seq: number }
export type Delivered = {
  code: string
  groupId: number
  partnerId: number
  /** The last seq that each side has now; null when unchanged. */
  groupSeq: number | null
  partnerSeq: number | null
}

/** Stores how far each side's browsers have its rooms, in batches, and notifies only about changes. */
export const makeReceipts = (db: Database, tell: (delivered: Delivered) => void) => {
  const take = batcher<Mark, undefined>(async (marks) => {
    for (const delivered of await write(db, marks)) tell(delivered)
    return marks.map(() => undefined)
  })
  return { take: (mark: Mark) => take(mark) }
}

/** Locks rooms in the order of their ids, as everywhere, to avoid deadlocks with messages sent to the same rooms. */
const write = (db: Database, marks: Mark[]) =>
  many<Delivered>(
    db,
    sql`with said as (
        select r.id, max(m.seq) filter (where r.partner_id = m.account) as partner,
          max(m.seq) filter (where r.partner_id <> m.account) as "group"
        from unnest(${marks.map(({ code }) => code)}::text[], ${marks.map(({ seq }) => seq)}::int[],
            ${marks.map(({ actor }) => actor.id)}::int[],
            ${marks.map(({ actor }) => chatGroup(actor))}::int[]) m (code, seq, account, group_id)
          join rooms r on r.code = m.code and (r.partner_id = m.account or r.group_id = m.group_id)
        group by r.id),
      held as materialized (
        select r.id, case when s.partner is not null then least(s.partner, r.last_seq) end as partner,
          case when s."group" is not null then least(s."group", r.last_seq) end as "group"
        from rooms r join said s on s.id = r.id
        where coalesce(s.partner, 0) > r.partner_delivered_seq or coalesce(s."group", 0) > r.group_delivered_seq
        order by r.id for no key update of r)
      update rooms r set partner_delivered_seq = greatest(r.partner_delivered_seq, h.partner),
        group_delivered_seq = greatest(r.group_delivered_seq, h."group")
      from held h where r.id = h.id
      returning r.code, r.group_id as "groupId", r.partner_id as "partnerId", h."group" as "groupSeq", h.partner as "partnerSeq"`,
  )
