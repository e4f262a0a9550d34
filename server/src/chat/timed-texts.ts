import { MessageType } from '@tallyroom/contract/codes'
import { many, run, sql, type Tx } from '../data/sql.ts'
import { Refused } from '../lib/refusal.ts'

/**
 * Why texts that were to be sent later are not: they were withdrawn or sent, or the partner has written since. The rooms
 * are locked before this, and the rows afterwards: a text is sent or withdrawn, never both.
 */
export const loadTimed = async (tx: Tx, ids: string[]): Promise<(id: string) => Refused | undefined> => {
  if (ids.length === 0) return () => undefined
  const rows = await many<{ id: string; isAnswered: boolean }>(
    tx,
    sql`select t.id, not t.anyway and exists (select from messages m where m.room_id = t.room_id and m.seq > t.seen_seq
        and m.from_partner and m.type <> ${MessageType.event}) as "isAnswered"
      from timed_acts t where t.id = any(${ids}::uuid[]) and t.state = 'waits' order by t.id for update`,
  )
  const found = new Map(rows.map(({ id, isAnswered }) => [id, isAnswered]))
  return (id) => {
    const isAnswered = found.get(id)
    if (isAnswered === undefined) return new Refused('later.not_found')
    return isAnswered ? new Refused('later.wrote_meanwhile') : undefined
  }
}

/** Removes texts in the transaction that sends them. */
export const removeTimed = async (tx: Tx, ids: string[]): Promise<void> => {
  if (ids.length > 0) await run(tx, sql`delete from timed_acts where id = any(${ids}::uuid[])`)
}
