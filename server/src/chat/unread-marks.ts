import { many, sql, type Tx } from '../data/sql.ts'
import type { Hub } from '../live/hub.ts'

type UnreadMark = { accountId: number; room: { id: number; code: string } }

/** Marks rooms as unread for accounts, which hear of it after the commit. No pair is named twice. */
export const markUnread = async (tx: Tx, hub: Pick<Hub, 'notify'>, marks: UnreadMark[]): Promise<void> => {
  if (marks.length === 0) return
  const marked = await many<{ roomId: number; accountId: number; read_seq: number; mark_version: number }>(
    tx,
    sql`insert into room_reads (room_id, account_id, read_seq, marked_unread, mark_version, marked_xid)
      select v.*, 0, 1, 1, pg_current_xact_id()
      from unnest(${marks.map(({ room }) => room.id)}::int[], ${marks.map(({ accountId }) => accountId)}::int[]) v
      on conflict (room_id, account_id) do update set marked_unread = 1, marked_xid = pg_current_xact_id(),
        mark_version = room_reads.mark_version + 1 - room_reads.marked_unread
      returning room_id as "roomId", account_id as "accountId", read_seq, mark_version`,
  )
  const codes = new Map(marks.map(({ room }) => [room.id, room.code]))
  tx.afterCommit(() => {
    for (const { roomId, accountId, ...mark } of marked)
      hub.notify(accountId, 'read', { code: codes.get(roomId) ?? '', ...mark, marked_unread: 1 })
  })
}
