import { randomUUID } from 'node:crypto'
import { type Db, many, one, run, type Sql, sql } from '../../data/sql.ts'

/** Messages of a room that the bot has still to answer, held by whoever has its lease. */
export type Job = {
  roomId: number
  fromSeq: number
  toSeq: number
  /** How often it was begun, this time included. */
  tries: number
  lease: string
  /** The room's when it was begun: an answer under another one comes too late. */
  epoch: number
}

type BotRequest = { roomId: number; seq: number }

/** Leaves messages for the bot, in the statement that writes them: neither is there without the other. */
export const botWorkRows = (asked: BotRequest[]): Sql =>
  sql`insert into ai_work (room_id, top_id, from_seq, to_seq)
    select r.id, r.top_id, min(v.seq), max(v.seq)
    from unnest(${asked.map(({ roomId }) => roomId)}::int[], ${asked.map(({ seq }) => seq)}::int[]) v (room_id, seq)
      join rooms r on r.id = v.room_id
    group by r.id
    on conflict (room_id) do update set to_seq = excluded.to_seq`

/**
 * Takes what nobody holds, the oldest first, at most `most` rooms, for so many seconds. Any number of processes may ask
 * at once; each job is given to one of them, and to another when its lease has run out.
 */
export const claimJobs = (db: Db, most: number, seconds: number): Promise<Job[]> => {
  const leases = Array.from({ length: most }, () => randomUUID())
  return many<Job>(
    db,
    sql`update ai_work w set lease = d.lease, lease_until = clock_timestamp() + make_interval(secs => ${seconds}),
        tries = w.tries + 1
      from (select room_id, (${leases}::uuid[])[row_number() over ()] as lease from (
          select room_id from ai_work where lease_until is null or lease_until <= clock_timestamp()
          order by created_at limit ${most} for update skip locked) free) d
      where w.room_id = d.room_id
      returning w.room_id as "roomId", w.from_seq as "fromSeq", w.to_seq as "toSeq", w.tries, w.lease,
        (select ai_epoch from rooms r where r.id = w.room_id) as epoch`,
  )
}

/** Whether a job is still held, by the lease and by the room's epoch. The room is locked: so it stays until the commit. */
export const holdsLease = async (tx: Db, job: Job): Promise<boolean> => {
  const held = await one<{ epoch: number }>(
    tx,
    sql`select r.ai_epoch as epoch from ai_work w join rooms r on r.id = w.room_id
      where w.room_id = ${job.roomId} and w.lease = ${job.lease} for update of w`,
  )
  return held?.epoch === job.epoch
}

/** What was written meanwhile is the next job; without it there is none. */
export const finishJob = async (tx: Db, job: Job): Promise<void> => {
  await run(tx, sql`delete from ai_work where room_id = ${job.roomId} and to_seq <= ${job.toSeq}`)
  await run(
    tx,
    sql`update ai_work set from_seq = ${job.toSeq + 1}, lease = null, lease_until = null, tries = 0, created_at = clock_timestamp()
      where room_id = ${job.roomId}`,
  )
}

/** Lays a job back: its process stops, and it was no try, or it failed, and is tried again in a moment. */
export const releaseJob = (db: Db, job: Job, untried: boolean): Promise<void> =>
  run(
    db,
    sql`update ai_work set lease = null, tries = tries - ${untried ? 1 : 0},
        lease_until = clock_timestamp() + make_interval(secs => ${untried ? 0 : 1})
      where room_id = ${job.roomId} and lease = ${job.lease}`,
  )
