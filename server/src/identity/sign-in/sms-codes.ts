import { randomInt, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Settings } from '../../config/settings.ts'
import { locks } from '../../data/locks.ts'
import { type Database, type Db, one, run, type Sql, sql } from '../../data/sql.ts'
import type { Caller } from '../caller.ts'
import { isSandbox } from '../../domain/sandboxes.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Verdict } from '../passwords.ts'
import { sha256 } from '../../lib/secrets.ts'
import { wordsFor } from '../../lib/words.ts'
import type { Sms } from './sms.ts'
import { byAddress } from './throttle.ts'

const MINUTES = 10
const TRIES = 5
const SECONDS_APART = 60
const A_DAY = 5
/** Codes that the gateway refused do not count for the day, but the gateway is not called without end either. */
const FAILED_A_DAY = 10
/** Strangers may ask for this many codes; the others are kept for sign-ins and new numbers. */
const OF_STRANGERS_A_DAY = 2
const OF_STRANGERS_FAILED_A_DAY = 4
/** Strangers get this part of the budget of an hour. Members of one carrier may share an address. */
const shareOfStrangers = (budget: number) => Math.max(1, Math.floor(budget / 3))
const shareHere = (budget: number) => Math.max(1, Math.floor(budget / 2))

/** The sign-in or session that waits for the code; null for a new number of the account. */
type Purpose = { accountId: number; topId: number; challenge: Buffer | null }

/** A forgotten password, on a device that the account has not signed in on: everybody who knows a username may ask. */
export const byStranger = (accountId: number): Buffer => sha256(`recovery:${accountId}`)
const isByStranger = sql`challenge_hash is not distinct from sha256(convert_to('recovery:' || account_id, 'UTF8'))`

type SmsServices = {
  db: Database
  sms: Sms
  settings: Pick<Settings, 'smsPerHour'>
  log: Pick<Logger, 'error'>
}

const hashOf = (id: string, code: string) => sha256(`${id}:${code}`)

/**
 * Sends a code: at most one a minute and five a day for an account, within the hourly budgets of the address and of
 * all. Codes that strangers ask for have a smaller part of each, so sign-ins keep theirs.
 * @throws Refused with request.too_often, code.too_many or code.not_sent
 */
export const sendCode = async (
  services: SmsServices,
  purpose: Purpose,
  phone: string,
  { network, language }: Pick<Caller, 'network' | 'language'>,
): Promise<{ seconds: number }> => {
  const { db, sms, log } = services
  // Numbers in a sandbox are typed to try something, and may be those of strangers.
  if (await one(db, sql`select 1 as is where ${isSandbox(sql`${purpose.topId}::int`)}`)) return refuse('code.not_sent')
  const [id, code] = [randomUUID(), String(randomInt(1_000_000)).padStart(6, '0')]
  const wait = await book(services, purpose, { id, code, from: byAddress(network).key })
  if (wait === 'spent') return refuse('code.too_many')
  if (wait !== undefined) return refuse('request.too_often', { seconds: wait })
  try {
    await sms.send(phone, wordsFor(language, 'code.sms', { code, minutes: MINUTES }))
  } catch (error) {
    log.error({ err: error }, 'Could not send an SMS')
    await run(db, sql`update sms_codes set failed = true where id = ${id}`)
    return refuse('code.not_sent')
  }
  return { seconds: SECONDS_APART }
}

/** Stores the code before it is sent, or returns the seconds to wait. */
const book = (services: SmsServices, { accountId, topId, challenge }: Purpose, { id, code, from }: NewCode) =>
  services.db.transact(async (tx): Promise<number | 'spent' | undefined> => {
    await run(tx, sql`select pg_advisory_xact_lock(${locks.smsCodes}::bigint)`)
    const isStranger = challenge?.equals(byStranger(accountId)) === true
    const all = await sentOf(tx, accountId, sql`true`)
    const alike = await sentOf(tx, accountId, isStranger ? isByStranger : sql`not ${isByStranger}`)
    if (isFull(all, A_DAY, FAILED_A_DAY)) return inSeconds(all.oldest)
    if (isStranger && isFull(alike, OF_STRANGERS_A_DAY, OF_STRANGERS_FAILED_A_DAY)) return inSeconds(alike.oldest)
    if (alike.last !== null && alike.last < SECONDS_APART) return inSeconds(SECONDS_APART - alike.last)
    if (await isSpent(tx, services, from, isStranger)) return 'spent'
    await run(
      tx,
      sql`insert into sms_codes (id, account_id, top_id, challenge_hash, code_hash, address_key, expires_at)
        values (${id}, ${accountId}, ${topId}, ${challenge}, ${hashOf(id, code)}, ${from},
          clock_timestamp() + make_interval(mins => ${MINUTES}::int))`,
    )
    return undefined
  })

type NewCode = { id: string; code: string; from: Buffer }

/** The codes of a day. `last`: seconds since the newest that was sent; `oldest`: seconds until the oldest no longer counts. */
type Sent = { last: number | null; good: number; bad: number; oldest: number }
const sentOf = async (db: Db, accountId: number, condition: Sql): Promise<Sent> =>
  ensure(
    await one<Sent>(
      db,
      sql`select extract(epoch from clock_timestamp() - max(sent_at) filter (where not failed))::float8 as last,
          count(*) filter (where not failed)::int as good, count(*) filter (where failed)::int as bad,
          coalesce(extract(epoch from min(sent_at) + interval '1 day' - clock_timestamp()), 0)::float8 as oldest
        from sms_codes
        where account_id = ${accountId} and sent_at > clock_timestamp() - interval '1 day' and ${condition}`,
    ),
    'server.failed',
  )
const isFull = ({ good, bad }: Sent, most: number, mostBad: number) => good >= most || bad >= mostBad
const inSeconds = (seconds: number) => Math.max(1, Math.ceil(seconds))

/** Each SMS costs money, and the owner of a number may earn from it, so even users who may sign in have a budget. */
const isSpent = async (db: Db, { settings, log }: SmsServices, from: Buffer, isStranger: boolean): Promise<boolean> => {
  const { all, ofAddress } = settings.smsPerHour
  const hour = await one<Record<'all' | 'here' | 'strangers' | 'strangersHere', number>>(
    db,
    sql`select count(*)::int as all, count(*) filter (where address_key = ${from})::int as here,
        count(*) filter (where ${isByStranger})::int as strangers,
        count(*) filter (where address_key = ${from} and ${isByStranger})::int as "strangersHere"
      from sms_codes where sent_at > clock_timestamp() - interval '1 hour'`,
  )
  if (!hour) return false
  if (hour.all >= all)
    log.error({ sent: hour.all }, 'The hourly SMS budget is used up: no more SMS this hour. SMS_PER_HOUR raises it')
  if (hour.all >= all || hour.here >= ofAddress) return true
  if (!isStranger) return false
  const isOver = hour.strangers >= shareOfStrangers(all)
  if (isOver)
    log.error(
      { sent: hour.strangers },
      'A third of the hourly SMS budget went to forgotten passwords: no more SMS for these this hour. SMS_PER_HOUR raises it',
    )
  return isOver || hour.strangersHere >= shareHere(ofAddress)
}

/** Checks the newest code of its purpose. Five tries, each counted before comparing; the right code works once. */
export const checkSmsCode = async (db: Db, { accountId, challenge }: Purpose, code: string): Promise<Verdict> => {
  const tried = await one<{ id: string; hash: Buffer }>(
    db,
    sql`update sms_codes set tries = tries + 1
      where id = (select id from sms_codes where account_id = ${accountId} and not failed
          and challenge_hash is not distinct from ${challenge}::bytea order by sent_at desc limit 1)
        and tries < ${TRIES}::int and expires_at > now() returning id, code_hash as hash`,
  )
  if (!tried?.hash.equals(hashOf(tried.id, code))) return 'wrong'
  // Not now(): that is when a transaction began, so one that waited for this row would still find it valid.
  const used = await one(
    db,
    sql`update sms_codes set expires_at = '-infinity' where id = ${tried.id} and expires_at > now() returning 1 as used`,
  )
  return used ? 'right' : 'wrong'
}
