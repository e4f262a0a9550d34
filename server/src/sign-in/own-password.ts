import { besideTransaction, one, sql } from '../db.ts'
import { type Ctx, refuse } from '../handler.ts'
import { checkPassword, type Verdict } from '../passwords.ts'
import { knownDevice } from './devices.ts'
import { byAccount, byDevice, counted, inTurn } from './throttle.ts'

type Asking = Pick<Ctx, 'house' | 'caller' | 'actor'>

/** Those who wait here may hold a connection of a transaction and need a second one: never so many that all are held. */
const MOST_AT_ONCE = 4
let asking = 0

/**
 * Whether this is the actor's own password. Wrong ones count like those of a sign-in, outside of the call's transaction,
 * so that whoever has found a session open cannot guess on.
 */
export const checkOwnPassword = async (ctx: Asking, password: string): Promise<Verdict> => {
  if (asking >= MOST_AT_ONCE) return refuse('server.busy')
  asking++
  try {
    return await besideTransaction(() => check(ctx, password))
  } finally {
    asking--
  }
}

const check = async ({ house: { db }, caller, actor }: Asking, password: string): Promise<Verdict> => {
  const own = await one<{ hash: string }>(db, sql`select password_hash as hash from accounts where id = ${actor.id}`)
  const device = await knownDevice(db, caller, actor.id)
  const tries = device ? byDevice(actor.id, device) : byAccount(actor.id)
  return await inTurn(tries.key.toString('hex'), () => counted(db, [tries], () => checkPassword(own?.hash, password)))
}

export const needOwnPassword = async (asking: Asking, password: string): Promise<void> => {
  if ((await checkOwnPassword(asking, password)) !== 'right') return refuse('session.wrong_password')
}
