import type { Parsed } from '@tallyroom/contract'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { type Db, one, run, sql, type Tx } from '../../data/sql.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { dropIfLeft } from '../caller.ts'
import type { SignInContext } from '../context.ts'
import { audit } from '../audit.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { endSessions } from '../sessions.ts'
import { challenge, factorsOf, takeProof } from './challenge.ts'
import { knownDevice } from './devices.ts'
import { auditFailure } from './failures.ts'
import { needOtherThanPayment } from './own-password.ts'
import { byAccount, byAddress, byDevice, byName, countTries, oneAtATime } from './throttle.ts'
import { byPasskey } from './by-passkey.ts'
import type { OpenSession } from './signed-in.ts'
import { takeToken, type TokenKind } from './tokens.ts'
import { is } from '../../domain/is.ts'

type Input = Parsed<'login'>

/** The fields that are present decide the method, never the form of a password or proof. */
export const signIn = async <T>(ctx: SignInContext, input: Input, openSession: OpenSession<T>): Promise<T> => {
  if (input.agent_token !== undefined)
    return byToken(ctx, 'agent', input.agent_token, input.agent_username, openSession)
  if (input.landing_token !== undefined) return byToken(ctx, 'landing', input.landing_token, undefined, openSession)
  if (input.widget_token !== undefined) return byToken(ctx, 'widget', input.widget_token, undefined, openSession)
  if (input.passkey !== undefined) return byPasskey(ctx, input.passkey, input.face, openSession)
  return byPassword(ctx, input, openSession)
}

const byToken = <T>(
  { services }: SignInContext,
  kind: TokenKind,
  token: string,
  username: string | undefined,
  openSession: OpenSession<T>,
): Promise<T> =>
  services.db.transact(async (tx) => {
    const account = ensure(await takeToken(tx, kind, token, username), 'session.link_over')
    const face = account.role === Role.member ? 'member' : 'office'
    return openSession(tx, { id: account.id, topId: account.topId, face, method: kind })
  })

type LoginAccount = {
  id: number
  topId: number
  role: Role
  status: number
  hash: string
  paymentHash: string | null
  mustChoose: boolean
}

const byPassword = async <T>(ctx: SignInContext, input: Input, openSession: OpenSession<T>): Promise<T> => {
  const { db, services, caller } = ctx
  const found = await one<LoginAccount>(
    db,
    sql`select id, top_id as "topId", role_id as role, status, password_hash as hash,
        payment_password_hash as "paymentHash", must_choose_password as "mustChoose"
      from accounts where lower(username) = lower(${input.username})`,
  )
  const isRight = (await checkLogin(ctx, input, found)) === 'right'
  if (!found || !isRight) {
    await auditFailure(services.db, caller, found, 'password')
    return refuse('session.wrong_login')
  }
  const chosen = await chosenPassword(ctx, found, input)
  const factors = await factorsOf(db, found.id)
  if (factors && !(await takeProof(ctx, found.id, input.auth_done))) return challenge(ctx, found, factors)
  // Outside the transaction: hashing would hold its connection.
  const newHash = chosen === undefined ? undefined : await hashPassword(chosen, ctx.caller)
  return services.db.transact(async (tx) => {
    if (!(await isStillRight(tx, found))) return refuse('session.wrong_login')
    if (newHash) await saveChosen(ctx, tx, found, newHash)
    return openSession(tx, { id: found.id, topId: found.topId, face: input.face, method: 'password' })
  })
}

/** Unknown, frozen, wrong password and wrong face get one answer, after the same work, and count alike. */
const checkLogin = async (
  { db, services, caller }: SignInContext,
  { username, password, face }: Input,
  found: LoginAccount | undefined,
) => {
  const device = await knownDevice(db, caller, found?.id ?? -1)
  const own = found ? (device ? byDevice(found.id, device) : byAccount(found.id)) : byName(username)
  // A known device is exempt from its address's limit: others at the address cannot lock it out.
  const countsAddress = !device && services.settings.limits !== undefined
  const keys = countsAddress ? [byAddress(caller.network), own] : [own]
  return oneAtATime(own.key.toString('hex'), () => {
    dropIfLeft(caller)
    return countTries(db, keys, async () => {
      const verdict = await checkPassword(found?.hash, password, caller)
      const fits =
        found !== undefined &&
        found.status === AccountStatus.active &&
        (found.role === Role.member) === (face === 'member')
      return fits ? verdict : 'wrong'
    })
  })
}

/** Locks the account: a freeze or new password at the same time either ends the new session or is noticed here. */
const isStillRight = async (tx: Db, { id, hash, mustChoose }: LoginAccount): Promise<boolean> =>
  (await one(
    tx,
    // Two sign-ins that choose a password at once would deadlock with `for share`.
    sql`select 1 from accounts where id = ${id} and status = ${is.active} and password_hash = ${hash}
      ${mustChoose ? sql`for no key update` : sql`for share`}`,
  )) !== undefined

/**
 * The password that an account chooses in place of one that somebody else has set. Required before the second factor,
 * whose proof is valid for one sign-in only.
 * @throws Refused with session.needs_new_password when none was chosen
 */
const chosenPassword = async (
  { services, caller }: SignInContext,
  found: LoginAccount,
  { password, new_password, new_password_confirmation }: Input,
): Promise<string | undefined> => {
  if (!found.mustChoose)
    return new_password === undefined ? undefined : refuse('request.invalid', { field: 'new_password' })
  if (new_password === undefined) return refuse('session.needs_new_password')
  if (new_password !== new_password_confirmation) return refuse('account.passwords_differ')
  if (new_password === password) return refuse('account.password_not_new')
  await needOtherThanPayment({ db: services.db, caller }, found, new_password)
  return new_password
}

/** Stores the chosen password and ends all other sessions of the account, like every new password. */
const saveChosen = async (
  { services, caller }: SignInContext,
  tx: Tx,
  account: LoginAccount,
  hash: string,
): Promise<void> => {
  await run(tx, sql`update accounts set password_hash = ${hash}, must_choose_password = false where id = ${account.id}`)
  await endSessions(tx, services.hub, account.id, 'password')
  await audit(tx, { actor: account, caller }, 'password_changed', account)
}
