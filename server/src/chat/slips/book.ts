import type { Logger } from 'pino'
import type { MediaStores } from '../../data/media/stores.ts'
import { mediaKey } from '../../data/media/keys.ts'
import { type Database, many, one, run, sql } from '../../data/sql.ts'
import { repeat } from '../../lib/concurrency.ts'
import type { Inspector } from '../files/inspect.ts'
import { mediaIdOf } from '../media-url.ts'
import type { Examined, Packed } from './examine.ts'

/** A new picture is laid into the frames of at most so many designs, those whose pictures resemble it most. */
export const FRAMES = 8
/** A picture that fits a frame so well joins its design. */
const JOINS_AT = 0.6
/** The newest of a design are compared: with more than these a slip would need a minute. */
const MOST = 4000
/** The process that compares also reads the photos that people send, so it is asked for a part of a second each time. */
const AT_ONCE = 40
const LEASE_SECONDS = 120
const RETRY_SECONDS = 10
const MAX_TRIES = 3

type Options = {
  db: Database
  inspector: Pick<Inspector, 'examineSlip' | 'sameSlips'>
  mediaStores: MediaStores
  log: Pick<Logger, 'error' | 'warn'>
}

/**
 * CASH-09: compares the slip of each request for points with all of its platform in 90 days. Of one platform one slip at a
 * time, in any copy: of two that come together, the later one is compared with the earlier.
 */
export const startSlips = (options: Options): (() => Promise<void>) =>
  repeat({
    everyMs: 1000,
    work: async (isStopped) => {
      while (!isStopped() && (await compareNext(options)));
    },
    onError: (error) => options.log.error({ err: error }, 'Could not compare slips; trying again'),
  })

/** @returns whether there was one */
export const compareNext = async (options: Options): Promise<boolean> => {
  const job = await claim(options.db)
  if (!job) return false
  try {
    await finish(options.db, job, await compare(options, job))
  } catch (error) {
    if (job.tries < MAX_TRIES) {
      await release(options.db, job)
      throw error
    }
    await finish(options.db, job, undefined)
    options.log.warn({ err: error, request: job.id }, 'A slip could not be compared')
  }
  return true
}

type Job = { id: number; topId: number; slip: string; tries: number }

const claim = (db: Database) =>
  one<Job>(
    db,
    sql`update slip_pictures s set due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), tries = s.tries + 1
      from (select w.cash_id from slip_pictures w
          where w.due_at <= clock_timestamp() and not exists (select from slip_pictures b
            where b.top_id = w.top_id and b.due_at is not null and b.cash_id < w.cash_id)
          order by w.cash_id limit 1 for update skip locked) free
        join cash_requests c on c.id = free.cash_id
      where s.cash_id = free.cash_id
      returning s.cash_id as id, s.top_id as "topId", c.slip, s.tries`,
  )

const release = (db: Database, { id, tries }: Job): Promise<void> =>
  run(
    db,
    sql`update slip_pictures set due_at = clock_timestamp() + make_interval(secs => ${RETRY_SECONDS})
      where cash_id = ${id} and tries = ${tries} and due_at is not null`,
  )

type Compared = { hash: string; design: number; picture: Packed; sameAs: number[] }

const finish = (db: Database, { id, tries }: Job, found: Compared | undefined): Promise<void> =>
  run(
    db,
    sql`update slip_pictures set due_at = null, hash = ${found?.hash ?? null}::bit(64), design = ${found?.design ?? null},
        picture = ${found ? Buffer.from(found.picture) : null}, same_as = ${found?.sameAs ?? []}::int[]
      where cash_id = ${id} and tries = ${tries} and due_at is not null`,
  )

/** Undefined when its photo is gone. */
const compare = async ({ db, inspector, mediaStores }: Options, job: Job): Promise<Compared | undefined> => {
  const image = job.slip && (await mediaStores.all.read(mediaKey(mediaIdOf(job.slip))))
  if (!image) return undefined
  const { hash } = await inspector.examineSlip(image, [])
  const frames = await nearestFrames(db, job, hash)
  const { own, laid } = await inspector.examineSlip(
    image,
    frames.map(({ picture }) => picture),
  )
  const sameAs: number[] = []
  for (const { frame, picture } of laid)
    for await (const others of slipsOf(db, job, frames[frame]?.design ?? 0)) {
      const pictures = others.map((other) => other.picture)
      for (const at of await inspector.sameSlips(picture, pictures)) sameAs.push(others[at]?.id ?? 0)
    }
  const joined = bestFrame(laid)
  const design = (joined && frames[joined.frame]?.design) ?? job.id
  return { hash, design, picture: joined?.picture ?? own, sameAs }
}

/** The frame that a picture joins; undefined when it begins a design. */
export const bestFrame = ([best]: Examined['laid']) => (best && best.fit >= JOINS_AT ? best : undefined)

type Frame = { design: number; picture: Buffer }
/** The newest picture of each design; of these the nearest. */
const nearestFrames = (db: Database, { topId, id }: Job, hash: string) =>
  many<Frame>(
    db,
    sql`select coalesce(n.design, 0) as design, p.picture from (select distinct on (design) design, cash_id, hash from slip_pictures
          where top_id = ${topId} and picture is not null and cash_id <> ${id} order by design, cash_id desc) n
        join slip_pictures p on p.cash_id = n.cash_id
      order by bit_count(n.hash # ${hash}::bit(64)), n.design limit ${FRAMES}`,
  )

/** The slips of a design, newest first, in parts. */
async function* slipsOf(db: Database, { topId, id }: Job, design: number) {
  let before = 2 ** 31 - 1
  for (let seen = 0; seen < MOST; seen += AT_ONCE) {
    const part = await many<{ id: number; picture: Buffer }>(
      db,
      sql`select cash_id as id, picture from slip_pictures
        where top_id = ${topId} and design = ${design} and picture is not null and cash_id < ${before} and cash_id <> ${id}
        order by cash_id desc limit ${AT_ONCE}`,
    )
    yield part
    before = part.at(-1)?.id ?? 0
    if (part.length < AT_ONCE) return
  }
}
