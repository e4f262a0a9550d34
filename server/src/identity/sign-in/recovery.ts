import { setTimeout as pause } from 'node:timers/promises'
import type { Parsed } from '@tallyroom/contract'
import type { Assertion } from '@tallyroom/contract/calls/sign-in/passkey'
import { Role } from '@tallyroom/contract/codes'
import type { Logger } from 'pino'
import type { Face } from '../../config/setting-types.ts'
import type { Settings } from '../../config/settings.ts'
import { type Db, one, sql } from '../../data/sql.ts'
import { ensure, Refused, refuse } from '../../lib/refusal.ts'
import { cookieHashes, sha256 } from '../../lib/secrets.ts'
import { audit } from '../audit.ts'
import type { SignInContext } from '../context.ts'
import { checkAssertion, type PasskeyVerdict } from '../passkeys/check.ts'
import { hashPassword, recoveryQueue } from '../passwords.ts'
import { type Notifier, noticeSecurity } from '../security-notices.ts'
import { endSessions } from '../sessions.ts'
import { refusePasskey } from './by-passkey.ts'
import { knownDevice } from './devices.ts'
import { auditFailure } from './failures.ts'
import { needOtherThanPayment } from './own-password.ts'
import type { Sms } from './sms.ts'
import { byStranger, checkSmsCode, sendCode } from './sms-codes.ts'
import { byRecovery, byRecoveryAddress, byRecoveryOnDevice, countTries } from './throttle.ts'
import { is } from '../../domain/is.ts'

type RecoveryContext = SignInContext & {
  services: {
    sms: Sms
    settings: Pick<Settings, 'sms' | 'demo' | 'smsPerHour'>
    hub: Notifier
    log: Pick<Logger, 'error'>
  }
}

const SECONDS = 60

/** Without a gateway codes only get into the log, which is no use to somebody who has forgotten a password. */
export const offersSms = ({ sms, demo }: Pick<Settings, 'sms' | 'demo'>): boolean => sms !== undefined || demo
export const needSms = (settings: Pick<Settings, 'sms' | 'demo'>): void => {
  if (!offersSms(settings)) refuse('recovery.no_sms')
}

type Account = { id: number; topId: number; phone: string | null; paymentHash: string | null; username: string }

/** A member's recovery number; in the back office the number of the second factor. */
const find = (db: Db, condition: ReturnType<typeof sql>, face: Face) =>
  one<Account>(
    db,
    sql`select a.id, a.top_id as "topId", a.username, a.payment_password_hash as "paymentHash",
        case when a.role_id = ${Role.member} then r.phone else f.phone end as phone
      from accounts a left join recovery_phones r on r.account_id = a.id
        left join second_factors f on f.account_id = a.id
      where ${condition} and a.status = ${is.active} and (a.role_id = ${Role.member}) = ${face === 'member'}`,
  )
const byName = (username: string) => sql`lower(a.username) = lower(${username})`

type Asking = { username: string; account: Account | undefined; device: Buffer | undefined }

/**
 * A code for the recovery works for nothing else, and no other code works for it. On a known device it is another one:
 * strangers neither replace it nor use up its tries.
 */
const purposeOf = ({ account, device }: Asking) => {
  const accountId = account?.id ?? -1
  const challenge = device ? sha256(`recovery on a known device:${accountId}`) : byStranger(accountId)
  return { accountId, topId: account?.topId ?? 0, challenge }
}

const askingOf = async ({ db, caller }: RecoveryContext, username: string, face: Face): Promise<Asking> => {
  const account = await find(db, byName(username), face)
  return { username, account, device: await knownDevice(db, caller, account?.id ?? -1) }
}

/** As for sign-ins: unknown names count like existing ones, and a known device has its own count. */
const triesOf = (
  { services, caller }: RecoveryContext,
  step: 'send' | 'code',
  { username, account, device }: Asking,
) => {
  const own = account && device ? byRecoveryOnDevice(step, account.id, device) : byRecovery(step, username)
  const countsAddress = !device && services.settings.limits !== undefined
  return countsAddress ? [byRecoveryAddress(step, caller.network), own] : [own]
}

/** The answer does not wait for the SMS: neither it nor its time tells whether there is such an account or number. */
export const beginRecovery = async (
  ctx: RecoveryContext,
  { username, face }: Parsed<'recovery/begin'>,
): Promise<{ seconds: number }> => {
  const { services, caller } = ctx
  needSms(services.settings)
  const asking = await askingOf(ctx, username, face)
  const { account } = asking
  // Sent codes cost money: each counts, and none is taken back.
  await countTries(services.db, triesOf(ctx, 'send', asking), () => Promise.resolve('wrong'))
  if (account?.phone) {
    sendCode(services, purposeOf(asking), account.phone, caller).catch((error: unknown) => {
      if (!(error instanceof Refused))
        services.log.error({ err: error }, 'Could not send a code for a forgotten password')
    })
  }
  return { seconds: SECONDS }
}

type Chosen = { new_password: string; new_password_confirmation: string }

/** Only a right code or passkey costs a hash. A wrong answer waits instead, and keeps nothing busy meanwhile. */
const needSame = ({ new_password, new_password_confirmation }: Chosen): void => {
  if (new_password !== new_password_confirmation) refuse('account.passwords_differ')
  // Before the code is used up.
  recoveryQueue.needRoom()
}

/** Longer than the database needs, so that the time of a wrong answer does not tell whether there is such an account. */
const WRONG_MS = 60
const refuseAlike = async (began: number): Promise<never> => {
  await pause(Math.max(0, began + WRONG_MS - performance.now()))
  return refuse('recovery.wrong')
}

export const finishRecovery = async (
  ctx: RecoveryContext,
  { username, face, code, ...chosen }: Parsed<'recovery/finish'>,
): Promise<null> => {
  const { db, services, caller } = ctx
  const began = performance.now()
  needSms(services.settings)
  needSame(chosen)
  const asking = await askingOf(ctx, username, face)
  const { account } = asking
  const tries = triesOf(ctx, 'code', asking)
  const verdict = await countTries(services.db, tries, () => checkSmsCode(db, purposeOf(asking), code))
  if (verdict !== 'right' || !account) {
    await auditFailure(services.db, caller, account, 'recovery')
    return refuseAlike(began)
  }
  return replacePassword(ctx, account, chosen.new_password, 'sms')
}

export const finishByPasskey = async (
  ctx: RecoveryContext,
  { passkey, face, ...chosen }: Parsed<'recovery/finishPasskey'>,
): Promise<{ username: string }> => {
  const { db } = ctx
  needSame(chosen)
  const found = await countedAssertion(ctx, passkey)
  if (found.verdict === 'wrong') return refusePasskey(ctx, found)
  const account = await find(db, sql`a.id = ${found.account.id}`, face)
  if (!account) return refusePasskey(ctx, { verdict: 'wrong', account: found.account, isCopy: false })
  await replacePassword(ctx, account, chosen.new_password, 'passkey')
  return { username: account.username }
}

/** Wrong ones count for the passkey and the address, and so do those whose challenge is over or was never made. */
const countedAssertion = async ({ services, caller }: RecoveryContext, passkey: Assertion): Promise<PasskeyVerdict> => {
  const boundTo = cookieHashes(caller.cookies, 'passkey')
  const own = byRecovery('passkey', passkey.id)
  const tries = services.settings.limits ? [byRecoveryAddress('passkey', caller.network), own] : [own]
  let found: PasskeyVerdict | undefined
  await countTries(services.db, tries, async () => {
    found = await checkAssertion(services.db, { purpose: 'recovery', boundTo }, passkey).catch(unlessRefused)
    return found?.verdict ?? 'wrong'
  })
  return ensure(found, 'passkey.too_late')
}
/** `checkAssertion` refuses for one reason. */
const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof Refused)) throw error
}

/** Ends all sessions, like every new password. A second factor stays, and is asked for at the next sign-in. */
const replacePassword = async (
  { services, caller }: RecoveryContext,
  account: Account,
  password: string,
  door: 'sms' | 'passkey',
): Promise<null> => {
  await needOtherThanPayment({ db: services.db, caller }, account, password, recoveryQueue)
  const hash = await hashPassword(password, caller, recoveryQueue)
  return services.db.transact(async (tx) => {
    const saved = await one(
      tx,
      sql`update accounts set password_hash = ${hash}, must_choose_password = false
        where id = ${account.id} and status = ${is.active} returning 1 as saved`,
    )
    if (!saved) return refuse('recovery.wrong')
    // First the notice: ending the sessions closes the sockets that get it.
    await noticeSecurity(tx, services.hub, account, 'password_recovered', { caller })
    await endSessions(tx, services.hub, account.id, 'password')
    await audit(tx, { actor: account, caller }, 'password_recovered', account, { door })
    return null
  })
}
