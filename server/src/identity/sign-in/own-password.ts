import { besideTransaction, type Database, one, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import type { ActorContext } from '../context.ts'
import type { Caller } from '../caller.ts'
import { checkPassword, type HashQueue, type Verdict } from '../passwords.ts'
import { knownDevice } from './devices.ts'
import { byAccount, byDevice, byNewPassword, countTries, oneAtATime } from './throttle.ts'

/** A check may wait while the call holds a connection, and needs a second one: bounded, so one is always free. */
const MAX_AT_ONCE = 4
/** Accounts whose password is being checked, one check each: one session cannot keep the others waiting. */
const checking = new Set<number>()

/**
 * Checks the actor's own password. Wrong ones count like those of a sign-in, outside the call's transaction: a person
 * who finds an open session cannot guess on.
 */
const checkOwnPassword = async (ctx: ActorContext, password: string): Promise<Verdict> => {
  return outsideTransaction(ctx, () => check(ctx, password))
}

const outsideTransaction = async <T>({ actor }: ActorContext, work: () => Promise<T>): Promise<T> => {
  if (checking.size >= MAX_AT_ONCE || checking.has(actor.id)) return refuse('server.busy')
  checking.add(actor.id)
  try {
    return await besideTransaction(work)
  } finally {
    checking.delete(actor.id)
  }
}

const check = async ({ services: { db }, caller, actor }: ActorContext, password: string): Promise<Verdict> => {
  const own = await one<{ hash: string }>(db, sql`select password_hash as hash from accounts where id = ${actor.id}`)
  const device = await knownDevice(db, caller, actor.id)
  const tries = device ? byDevice(actor.id, device) : byAccount(actor.id)
  return await oneAtATime(tries.key.toString('hex'), () =>
    countTries(db, [tries], () => checkPassword(own?.hash, password, caller)),
  )
}

export const needOwnPassword = async (ctx: ActorContext, password: string): Promise<void> => {
  if ((await checkOwnPassword(ctx, password)) !== 'right') return refuse('session.wrong_password')
}

/**
 * Refuses a new sign-in password that equals the payment password. Each answer reveals one guess at the payment
 * password, so every check counts like a wrong password.
 * @throws Refused with account.passwords_same or request.too_often
 */
export const needOtherThanPayment = async (
  { db, caller }: { db: Database; caller: Caller },
  account: { id: number; paymentHash: string | null },
  password: string,
  queue?: HashQueue,
) => {
  const { id, paymentHash } = account
  if (!paymentHash) return
  const verdict = await countTries(db, [byNewPassword(id)], () => checkPassword(paymentHash, password, caller, queue))
  if (verdict === 'right') return refuse('account.passwords_same')
}

export const ownNewPassword = (
  ctx: ActorContext,
  account: { id: number; paymentHash: string | null },
  password: string,
) =>
  account.paymentHash
    ? outsideTransaction(ctx, () =>
        needOtherThanPayment({ db: ctx.services.db, caller: ctx.caller }, account, password),
      )
    : Promise.resolve()
