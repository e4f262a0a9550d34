import { besideTransaction, type Database, one, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import type { ActorContext } from '../context.ts'
import { checkPassword, type Verdict } from '../passwords.ts'
import { knownDevice } from './devices.ts'
import { byAccount, byDevice, byNewPassword, counted, inTurn } from './throttle.ts'

/** Those who wait here may hold a connection of a transaction and need a second one: never so many that all are held. */
const MOST_AT_ONCE = 4
/** The accounts whose password is being checked. One each: else one session would keep everyone else waiting. */
const asking = new Set<number>()

/**
 * Whether this is the actor's own password. Wrong ones count like those of a sign-in, outside of the call's transaction,
 * so that whoever has found a session open cannot guess on.
 */
export const checkOwnPassword = async (ctx: ActorContext, password: string): Promise<Verdict> => {
  return besideCall(ctx, () => check(ctx, password))
}

const besideCall = async <T>({ actor }: ActorContext, work: () => Promise<T>): Promise<T> => {
  if (asking.size >= MOST_AT_ONCE || asking.has(actor.id)) return refuse('server.busy')
  asking.add(actor.id)
  try {
    return await besideTransaction(work)
  } finally {
    asking.delete(actor.id)
  }
}

const check = async ({ services: { db }, caller, actor }: ActorContext, password: string): Promise<Verdict> => {
  const own = await one<{ hash: string }>(db, sql`select password_hash as hash from accounts where id = ${actor.id}`)
  const device = await knownDevice(db, caller, actor.id)
  const tries = device ? byDevice(actor.id, device) : byAccount(actor.id)
  return await inTurn(tries.key.toString('hex'), () => counted(db, [tries], () => checkPassword(own?.hash, password)))
}

export const needOwnPassword = async (asking: ActorContext, password: string): Promise<void> => {
  if ((await checkOwnPassword(asking, password)) !== 'right') return refuse('session.wrong_password')
}

/**
 * A new password for signing in must not be the payment password. Each answer tells about one guess at that, so they are
 * counted like wrong passwords, whether the new password was taken or not.
 * @throws Refused with account.passwords_same or request.too_often
 */
export const needOtherThanPayment = async (
  db: Database,
  account: { id: number; paymentHash: string | null },
  password: string,
) => {
  const { id, paymentHash } = account
  if (!paymentHash) return
  const verdict = await counted(db, [byNewPassword(id)], () => checkPassword(paymentHash, password))
  if (verdict === 'right') return refuse('account.passwords_same')
}

export const ownNewPassword = (
  ctx: ActorContext,
  account: { id: number; paymentHash: string | null },
  password: string,
) =>
  account.paymentHash
    ? besideCall(ctx, () => needOtherThanPayment(ctx.services.db, account, password))
    : Promise.resolve()
