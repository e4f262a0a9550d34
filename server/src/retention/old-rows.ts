import type { Media } from '../chat/media.ts'
import type { RetentionSettings } from '../config/setting-types.ts'
import { deleteInBatches } from '../data/deletion/in-batches.ts'
import { type Database, type Db, many, one, run, sql } from '../data/sql.ts'
import { audit } from '../identity/audit.ts'

/** Rows of one transaction: enough to be quick, few enough that nobody waits for their locks. */
const BATCH = 2000

type Kept = { db: Database; media: Pick<Media, 'remove'>; retention: RetentionSettings }

/** Deletes what is older than its setting, in batches. Each kind is repeatable, and several copies may do it at once. */
export const deleteOldRows = async ({ db, media, retention }: Kept): Promise<void> => {
  await deleteOldSessions(db, retention.sessionDays)
  if (retention.messageDays > 0) await deleteOldMessages(db, media, retention.messageDays)
  if (retention.readingDays > 0) await deleteOldReads(db, retention.readingDays)
}

const deleteOldSessions = async (db: Db, days: number): Promise<void> => {
  for (;;) {
    const gone = await many(
      db,
      sql`delete from sessions where id in (
          select id from sessions where least(ended_at, expires_at) < now() - make_interval(days => ${days}::int)
          order by id limit ${BATCH}::int for update skip locked)
        returning 1`,
    )
    if (gone.length < BATCH) return
  }
}

/** Group by group, because the index of messages by time begins with the group. */
const deleteOldMessages = async (db: Database, media: Kept['media'], days: number): Promise<void> => {
  const groups = await many<{ id: number }>(db, sql`select distinct group_id as id from rooms`)
  for (const { id } of groups) {
    while ((await deleteBatch(db, media, id, days)) >= BATCH);
    await deleteInBatches(
      db,
      sql`asides`,
      sql`room_id in (select r.id from rooms r where r.group_id = ${id})
        and created_at < now() - make_interval(days => ${days}::int)`,
    )
    await deleteInBatches(
      db,
      sql`desk_waits`,
      sql`group_id = ${id} and from_at < now() - make_interval(days => ${days}::int)`,
    )
    await deleteInBatches(
      db,
      sql`desk_spells`,
      sql`group_id = ${id} and until_at < now() - make_interval(days => ${days}::int)`,
    )
    await run(
      db,
      sql`update rooms set last_message_content = '', last_message_type = null, changed_xid = pg_current_xact_id()
        where group_id = ${id} and last_message_type is not null
          and last_message_at < now() - make_interval(days => ${days}::int)`,
    )
  }
}

const deleteBatch = (db: Database, media: Kept['media'], groupId: number, days: number): Promise<number> =>
  db.transact(async (tx) => {
    const gone = await many<{ content: string }>(
      tx,
      sql`select content from delete_old_messages(${groupId}, now() - make_interval(days => ${days}::int), ${BATCH}::int)`,
    )
    for (const { content } of gone) {
      const id = /^\/media\/([0-9a-f]{32})$/.exec(content)?.[1]
      if (id) await media.remove(tx, id)
    }
    return gone.length
  })

/** An installation has one, and it reads the log. */
const topAccount = (db: Db) =>
  one<{ id: number; topId: number }>(
    db,
    sql`select id, top_id as "topId" from accounts where id = top_id order by id limit 1`,
  )

/** Sealed with the log, so that `npm run audit:verify` knows how many entries may be missing. */
const deleteOldReads = async (db: Database, days: number): Promise<void> => {
  for (;;) {
    const deleted = await db.transact(async (tx) => {
      const row = await one<{ rows: number }>(
        tx,
        sql`select delete_old_reads(now() - make_interval(days => ${days}::int), ${BATCH}::int) as rows`,
      )
      const rows = row?.rows ?? 0
      if (rows > 0) await audit(tx, {}, 'reads_deleted', await topAccount(tx), { rows })
      return rows
    })
    if (deleted < BATCH) return
  }
}
