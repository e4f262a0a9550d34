import { randomInt, randomUUID } from 'node:crypto'
import type { Language } from '@tallyroom/locales'
import { type Database, type Db, one, run, sql } from '../db.ts'
import { refuse } from '../handler.ts'
import type { House } from '../house.ts'
import type { Verdict } from '../passwords.ts'
import { sha256 } from '../secrets.ts'
import { wordsFor } from '../words.ts'

const MINUTES = 10
const TRIES = 5
const SECONDS_APART = 60
const A_DAY = 5
/** Those that the gateway did not take do not count for the day, but it is not asked without end either. */
const FAILED_A_DAY = 10

/** What a code is for: a sign-in that waits, or a new number of the account (null). */
type Purpose = { accountId: number; topId: number; challenge: Buffer | null }

const hashOf = (id: string, code: string) => sha256(`${id}:${code}`)

/** Sends a code; at most one a minute and five a day for an account. @throws Refused with request.too_often or code.not_sent */
export const sendCode = async (
  { db, sms, log }: House,
  purpose: Purpose,
  phone: string,
  language: Language,
): Promise<{ seconds: number }> => {
  const [id, code] = [randomUUID(), String(randomInt(1_000_000)).padStart(6, '0')]
  const wait = await book(db, purpose, id, code)
  if (wait !== undefined) return refuse('request.too_often', { seconds: wait })
  try {
    await sms.send(phone, wordsFor(language, 'code.sms', { code, minutes: MINUTES }))
  } catch (error) {
    log.error({ err: error }, 'an SMS could not be sent')
    await run(db, sql`update sms_codes set failed = true where id = ${id}`)
    return refuse('code.not_sent')
  }
  return { seconds: SECONDS_APART }
}

/** Stores the code before it is sent, or says how many seconds it is too early. The account's row makes it one at a time. */
const book = (db: Database, { accountId, topId, challenge }: Purpose, id: string, code: string) =>
  db.transact(async (tx): Promise<number | undefined> => {
    await one(tx, sql`select 1 from second_factors where account_id = ${accountId} for update`)
    const sent = await one<{ last: number | null; good: number; bad: number; oldest: number }>(
      tx,
      sql`select extract(epoch from clock_timestamp() - max(sent_at) filter (where not failed))::float8 as last,
          count(*) filter (where not failed)::int as good, count(*) filter (where failed)::int as bad,
          coalesce(extract(epoch from min(sent_at) + interval '1 day' - clock_timestamp()), 0)::float8 as oldest
        from sms_codes where account_id = ${accountId} and sent_at > clock_timestamp() - interval '1 day'`,
    )
    if (sent && (sent.good >= A_DAY || sent.bad >= FAILED_A_DAY)) return Math.max(1, Math.ceil(sent.oldest))
    if (sent && sent.last !== null && sent.last < SECONDS_APART)
      return Math.max(1, Math.ceil(SECONDS_APART - sent.last))
    await run(
      tx,
      sql`insert into sms_codes (id, account_id, top_id, challenge_hash, code_hash, expires_at)
        values (${id}, ${accountId}, ${topId}, ${challenge}, ${hashOf(id, code)},
          clock_timestamp() + make_interval(mins => ${MINUTES}::int))`,
    )
    return undefined
  })

/** The newest code of its purpose, five tries of it, each counted before it is compared; the right one once. */
export const checkSmsCode = async (db: Db, { accountId, challenge }: Purpose, code: string): Promise<Verdict> => {
  const tried = await one<{ id: string; hash: Buffer }>(
    db,
    sql`update sms_codes set tries = tries + 1
      where id = (select id from sms_codes where account_id = ${accountId} and not failed
          and challenge_hash is not distinct from ${challenge}::bytea order by sent_at desc limit 1)
        and tries < ${TRIES}::int and expires_at > now() returning id, code_hash as hash`,
  )
  if (!tried?.hash.equals(hashOf(tried.id, code))) return 'wrong'
  const used = await one(
    db,
    sql`update sms_codes set expires_at = now() where id = ${tried.id} and expires_at > now() returning 1 as used`,
  )
  return used ? 'right' : 'wrong'
}
