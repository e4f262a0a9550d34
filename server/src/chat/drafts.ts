import { many, sql, type Tx } from '../data/sql.ts'
import type { Hub } from '../live/hub.ts'
import type { RoomRow } from './room-row.ts'

type SentDraft = {
  accountId: number
  room: Pick<RoomRow, 'id' | 'topId' | 'code'>
  inside: boolean
  draft: number | undefined
}

/**
 * Empties the drafts that are being sent, in the transaction of their messages: a sent text must not also stay in the
 * box. A text typed later, on another device, stays. The rooms are locked, so two sends of one account are in order.
 */
export const clearSentDrafts = async (tx: Tx, hub: Hub, typed: SentDraft[]): Promise<void> => {
  const last = new Map(typed.flatMap((one) => (one.draft === undefined ? [] : [[keyOf(one), one] as const])))
  if (last.size === 0) return
  const each = [...last.values()]
  const column = <T>(pick: (one: SentDraft) => T) => each.map(pick)
  const taken = await many<{ accountId: number; code: string; inside: boolean; version: number }>(
    tx,
    sql`insert into drafts (account_id, room_id, inside, top_id, content, version, sent_version)
      select v.account_id, v.room_id, v.inside, v.top_id, '', v.draft, v.draft
      from unnest(${column((d) => d.accountId)}::int[], ${column((d) => d.room.id)}::int[], ${column((d) => d.inside)}::boolean[],
        ${column((d) => d.room.topId)}::int[], ${column((d) => d.draft)}::int[]) v (account_id, room_id, inside, top_id, draft)
      on conflict (account_id, room_id, inside) do update
        set content = '', version = drafts.version + 1, sent_version = drafts.version + 1, updated_at = now()
        where drafts.version <= excluded.version
      returning account_id as "accountId", (select r.code from rooms r where r.id = room_id) as code, inside, version`,
  )
  tx.afterCommit(() => {
    for (const { accountId, ...draft } of taken) hub.notify(accountId, 'draft', { ...draft, content: '' })
  })
}

const keyOf = ({ accountId, room }: SentDraft) => `${accountId}/${room.id}`
