import { type Database, one, sql } from '../../data/sql.ts'
import { keyedLimit } from '../../lib/concurrency.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Actor } from '../../identity/actor.ts'
import { verifyPassword } from '../../identity/passwords.ts'

/** Wrong payment passwords until payments are locked, and for how long. */
const MAX_WRONG = 5
const LOCK_MINUTES = 30

type PaymentContext = { actor: Actor; db: Database }
type PaymentState = { hash: string | null; minutes: number | null }

/**
 * Checks the actor's payment password, if there is one, before points move. Every wrong one is counted in its own row
 * update, so that of many parallel guesses at most five are checked; the count stays although the call is refused.
 * @throws Refused with transfer.needs_payment_password, transfer.wrong_payment_password or transfer.payment_locked
 */
export const checkPaymentPassword = async ({ actor, db }: PaymentContext, given: string | undefined): Promise<void> => {
  if (!actor.hasPaymentPassword) return
  if (given === undefined) return refuse('transfer.needs_payment_password')
  return oneAtATime(actor.id, () => check({ actor, db }, given))
}

/** Wrong ones are counted before the next is compared: once payments are locked, no further one costs a hash. */
const oneAtATime = keyedLimit<number>({ concurrency: 1 })

const check = async ({ actor, db }: PaymentContext, given: string): Promise<void> => {
  const before = ensure(await state(db, actor.id), 'account.not_found')
  if (before.minutes !== null) return refuse('transfer.payment_locked', { minutes: before.minutes })
  // The password was removed after the call began.
  if (before.hash === null) return
  if (!(await verifyPassword(before.hash, given, { network: `account ${actor.id}` }))) return countWrong(db, actor.id)
  const cleared = await one(
    db,
    sql`update accounts set payment_failures = 0, payment_locked_until = null
      where id = ${actor.id} and coalesce(payment_locked_until <= now(), true)
        and (payment_failures > 0 or payment_locked_until is not null) returning id`,
  )
  if (cleared) return
  // Nothing to clear, or locked while comparing: then even the right password is refused.
  const after = await state(db, actor.id)
  if (after && after.minutes !== null) return refuse('transfer.payment_locked', { minutes: after.minutes })
}

const state = (db: Database, id: number) =>
  one<PaymentState>(
    db,
    sql`select payment_password_hash as hash, case when payment_locked_until > now()
        then ceil(extract(epoch from payment_locked_until - now()) / 60)::int end as minutes
      from accounts where id = ${id}`,
  )

const countWrong = async (db: Database, id: number): Promise<never> => {
  const counted = await one<{ locked: boolean }>(
    db,
    sql`update accounts set payment_failures = (payment_failures + 1) % ${MAX_WRONG}::smallint,
        payment_locked_until = case when payment_failures + 1 >= ${MAX_WRONG}::int
          then now() + make_interval(mins => ${LOCK_MINUTES}::int) end
      where id = ${id} and coalesce(payment_locked_until <= now(), true)
      returning payment_locked_until is not null as locked`,
  )
  if (counted && !counted.locked) return refuse('transfer.wrong_payment_password')
  const after = await state(db, id)
  return refuse('transfer.payment_locked', { minutes: after?.minutes ?? LOCK_MINUTES })
}
