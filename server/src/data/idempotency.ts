import { createHash } from 'node:crypto'
import type { ErrorName } from '@tallyroom/contract'
import { locks } from './locks.ts'
import { type Database, type Db, one, run, type Sql, sql, type Tx } from './sql.ts'
import type { IdempotencyKey, RepeatableWrite } from '../lib/idempotency-key.ts'
import { Refused } from '../lib/refusal.ts'
import { hmac } from '../lib/secrets.ts'

/**
 * Makes a write repeatable: each request_id of an actor has one outcome, stored in the transaction of its effect.
 * The same request again gets the stored outcome; other content under the same id is refused. Outcomes are kept for
 * REQUEST_DAYS, in parts of the table by time, and looked for in all of them.
 */
export type Outcome = { data: unknown } | { refused: ErrorName; with?: Record<string, unknown> }
export type NewOutcome = { actorId: number; requestId: string; call: string; bodyHash: Buffer; answer: Outcome }
/** `storedAt` in milliseconds. */
export type Stored = NewOutcome & { storedAt: number }

/** Fields outside the hash: the id itself, and the password or passkey that is asked for before the same request is sent again. */
const isOutsideHash = (call: string, field: string) =>
  field === 'request_id' ||
  field === 'current_password' ||
  field === 'passkey' ||
  (field === 'payment_password' && call !== 'user/paymentPassword')

/** An id of version 7 begins with its time in milliseconds; of other ids nothing is known. */
const timeOf = (id: string) => (id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined)

type InstallationKey = { derive(purpose: string): Buffer; since: number | undefined }
export type IdempotencyKeyReader = (call: string, payload: Record<string, unknown>, params: string) => IdempotencyKey

/**
 * New passwords are part of the hashed request, and the hash is stored beside their slow hash. It is keyed with the
 * installation's key: without the key nobody can test passwords against it.
 * `days`: how long outcomes are kept at least. @throws Refused when the id was made before that
 */
export const idempotencyKeyReader = (key: InstallationKey, days: number): IdempotencyKeyReader => {
  const digest = hmac(key.derive('requests/v1'))
  return (call, payload, params) => {
    const idempotencyKey = { ...readIdempotencyKey(digest, call, payload, params), keySince: key.since }
    // Its outcome may be dropped, so it could have its effect a second time.
    const made = timeOf(idempotencyKey.id)
    if (made !== undefined && made < Date.now() - days * DAY_MS) throw new Refused('request.too_old')
    return idempotencyKey
  }
}

const readIdempotencyKey = (
  digest: (text: string) => Buffer,
  call: string,
  payload: Record<string, unknown>,
  params: string,
): IdempotencyKey => {
  const own = Object.entries(payload).filter(([field]) => !isOutsideHash(call, field))
  const hash = digest(JSON.stringify([call, own.toSorted(([a], [b]) => (a < b ? -1 : 1))]))
  // Without a request_id the id comes from the envelope: its nonce makes every submit different. With an empty text all
  // requests of an actor would get the same id.
  if (typeof payload.request_id !== 'string' && !params) throw new Error(`${call}: no request_id and no envelope`)
  const id = typeof payload.request_id === 'string' ? payload.request_id.toLowerCase() : uuidOf(params)
  return { id, hash }
}

export const uuidOf = (text: string) => {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const DAY_MS = 86_400_000

/** The time of a row `r` of requests as a number, which JSON keeps. */
export const storedAt = sql`(extract(epoch from r.created_at) * 1000)::float8`

type Key = { actorId: number; requestId: string }
export const outcomesOf = (keys: Key[]): Sql =>
  sql`select r.actor_id as "actorId", r.request_id as "requestId", r.call, r.body_hash as "bodyHash", r.answer,
      ${storedAt} as "storedAt"
    from unnest(${keys.map((key) => key.actorId)}::int[], ${keys.map((key) => key.requestId)}::uuid[]) k (actor_id, request_id)
      cross join lateral (select * from requests q
        where q.actor_id = k.actor_id and q.request_id = k.request_id offset 0) r`

export const outcomeRows = (rows: NewOutcome[]): Sql =>
  sql`insert into requests (actor_id, request_id, call, body_hash, answer)
    select * from rows from (unnest(${rows.map((row) => row.actorId)}::int[], ${rows.map((row) => row.requestId)}::uuid[],
      ${rows.map((row) => row.call)}::text[], ${rows.map((row) => row.bodyHash)}::bytea[]),
      jsonb_array_elements(${JSON.stringify(rows.map((row) => row.answer))}::jsonb))`

/** Runs a write and stores its outcome with it, or returns the stored outcome of the same request. */
export const once = <T>(db: Database, write: RepeatableWrite, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transact(async (tx) => {
    const { actorId, call, idempotencyKey } = write
    // The slower of two equal requests waits here until the quicker has committed, then finds its outcome. Sent
    // together and run in order: the claim sees what was committed before the lock was free.
    const [, isClaimed] = await Promise.all([
      lockOutcome(tx, { actorId, requestId: idempotencyKey.id }),
      claimOutcome(tx, { actorId, requestId: idempotencyKey.id, call, bodyHash: idempotencyKey.hash }),
    ])
    if (!isClaimed) {
      const stored = await one<Stored>(tx, outcomesOf([{ actorId, requestId: idempotencyKey.id }]))
      if (!stored) throw new Error(`idempotency key ${idempotencyKey.id} of ${call} is neither new nor stored`)
      return replay(stored, write) as T
    }
    const data = await work(tx)
    await storeOutcome(tx, { actorId, requestId: idempotencyKey.id, answer: { data } })
    return data
  })

/** The unique key holds in one part of the table only: around midnight two equal requests could be in two. */
const lockOutcome = (db: Db, { actorId, requestId }: Key) =>
  run(
    db,
    sql`select pg_advisory_xact_lock(hashtextextended(${`${actorId}/${requestId}`}, ${locks.idempotencyKey}::bigint))`,
  )

/** Claims an idempotency key for this transaction; false when it already has an outcome. */
const claimOutcome = async (db: Db, row: Omit<NewOutcome, 'answer'>): Promise<boolean> => {
  const claimed = await one(
    db,
    sql`insert into requests (actor_id, request_id, call, body_hash, answer)
      select ${row.actorId}::int, ${row.requestId}::uuid, ${row.call}::text, ${row.bodyHash}::bytea, 'null'
      where not exists (select from requests where actor_id = ${row.actorId} and request_id = ${row.requestId})
      on conflict do nothing returning 1 as claimed`,
  )
  return claimed !== undefined
}

const storeOutcome = (db: Db, row: Pick<NewOutcome, 'actorId' | 'requestId' | 'answer'>) =>
  one(
    db,
    sql`update requests set answer = ${JSON.stringify(row.answer)}
      where actor_id = ${row.actorId} and request_id = ${row.requestId}`,
  )

/** Returns or throws the stored outcome for the same request made again. */
export const replay = (stored: Stored, repeat: Repeat): unknown => {
  if (!stored.bodyHash.equals(repeat.idempotencyKey.hash) && !isOfFormerKey(stored, repeat))
    throw new Refused('request.id_reused')
  if ('refused' in stored.answer) throw new Refused(stored.answer.refused, stored.answer.with)
  return stored.answer.data
}

type Repeat = Omit<RepeatableWrite, 'actorId'>
/**
 * Whether a stored hash was made with a former key, so that it says nothing about the content. Then the id and the call
 * decide: a repeat that is refused as reused would be sent again with another id, and move its points twice.
 */
export const isOfFormerKey = (stored: Pick<Stored, 'call' | 'storedAt'>, { call, idempotencyKey }: Repeat): boolean =>
  idempotencyKey.keySince !== undefined && stored.storedAt < idempotencyKey.keySince && stored.call === call

/** The slower of two equal requests at once violates the unique key of their part of the table. */
export const isDuplicateWrite = (error: unknown): boolean => /^requests_(\d+_)?pkey$/.test(constraintOf(error))

/** The name of the constraint that a statement violates; empty for other errors. */
export const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint' in error ? String(error.constraint) : ''
