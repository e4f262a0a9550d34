import { randomUUID } from 'node:crypto'
import { type Db, many, one, run, sql } from '../../data/sql.ts'

/** Messages of a room that the bot still has to answer, held by a lease. */
export type Job = {
  roomId: number
  fromSeq: number
  toSeq: number
  /** The number of attempts, including this one. */
  tries: number
  lease: string
  /** The room's epoch when the job was claimed: under another epoch the answer comes too late. */
  epoch: number
}

/**
 * Claims the oldest free jobs, at most `most`, for some seconds. Any number of processes may call it at once; each job
 * goes to one of them, and to another when its lease has expired.
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
      returning w.room_id as "roomId", w.from_seq as "fromSeq", w.to_seq as "toSeq", w.tries, d.lease,
        (select ai_epoch from rooms r where r.id = w.room_id) as epoch`,
  )
}

/** Whether the job still holds its lease and the room its epoch. The caller has locked the room until the commit. */
export const hasLease = async (tx: Db, job: Job): Promise<boolean> => {
  const leased = await one<{ epoch: number }>(
    tx,
    sql`select r.ai_epoch as epoch from ai_work w join rooms r on r.id = w.room_id
      where w.room_id = ${job.roomId} and w.lease = ${job.lease} for update of w`,
  )
  return leased?.epoch === job.epoch
}

/** Ends a job. Messages that arrived meanwhile become the next one. */
export const finishJob = async (tx: Db, job: Job): Promise<void> => {
  await run(tx, sql`delete from ai_work where room_id = ${job.roomId} and to_seq <= ${job.toSeq}`)
  await run(
    tx,
    sql`update ai_work set from_seq = ${job.toSeq + 1}, lease = null, lease_until = null, tries = 0, created_at = clock_timestamp()
      where room_id = ${job.roomId}`,
  )
}

/** Releases a job. `untried`: the process is stopping, so this was no attempt; else it is tried again in a second. */
export const releaseJob = (db: Db, job: Job, untried: boolean): Promise<void> =>
  run(
    db,
    sql`update ai_work set lease = null, tries = tries - ${untried ? 1 : 0},
        lease_until = clock_timestamp() + make_interval(secs => ${untried ? 0 : 1})
      where room_id = ${job.roomId} and lease = ${job.lease}`,
  )
