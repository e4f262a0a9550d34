import type { MemberApi } from '@tallyroom/contract/member-api'
import type { z } from 'zod'
import { many, one, sql } from '../../data/sql.ts'
import type { ApiCtx } from '../context.ts'
import { eventNumbers } from './numbers.ts'
import { below } from '../named-account.ts'

type EventRow = {
  id: string
  event: string
  at: string
  data: Record<string, unknown>
  seq: bigint
  memberSeq: bigint | null
}

export const eventHandlers = {
  'event/list': async (
    ctx: ApiCtx,
    { after_seq, kinds, per_page, ...who }: z.output<MemberApi['event/list']['request']>,
  ) => {
    const { db, topId } = ctx
    const isOne = who.username !== undefined || who.third_party_id !== undefined
    const account = isOne ? await below(ctx, who, true) : undefined
    // Read first: an event that is numbered between the two statements is for the next call.
    const counter = await one<{ last: bigint }>(
      db,
      sql`select last from event_numbers where top_id = ${topId} and account_id = 0`,
    )
    const last = counter?.last ?? 0n
    const rows = await many<EventRow>(
      db,
      sql`select event_id as id, kind as event, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
          payload as data, coalesce(seq, 0) as seq, member_seq as "memberSeq"
        from webhooks where top_id = ${topId} and seq > ${after_seq}::bigint and seq <= ${last}
          and ${kinds.length > 0 ? sql`kind = any(${kinds}::text[])` : sql`true`}
          and ${account ? sql`account_id = ${account.id} and member_seq is not null` : sql`true`}
        order by webhooks.seq limit ${per_page + 1}`,
    )
    const page = rows.slice(0, per_page)
    const more = rows.length > per_page
    const data = page.map(({ seq, memberSeq, ...event }) => ({ ...event, ...eventNumbers(seq, memberSeq) }))
    // Those that were left out need not be looked at again.
    return { data, next_seq: more ? (data.at(-1)?.seq ?? after_seq) : Math.max(Number(last), after_seq), more }
  },
}
