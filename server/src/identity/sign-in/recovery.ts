import type { Parsed } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import type { Logger } from 'pino'
import type { Face } from '../../config/setting-types.ts'
import type { Settings } from '../../config/settings.ts'
import { type Db, one, sql } from '../../data/sql.ts'
import { Refused, refuse } from '../../lib/refusal.ts'
import { cookieHashes, sha256 } from '../../lib/secrets.ts'
import { audit } from '../audit.ts'
import type { SignInContext } from '../context.ts'
import { checkAssertion } from '../passkeys/check.ts'
import { hashPassword } from '../passwords.ts'
import { type Notifier, noticeSecurity } from '../security-notices.ts'
import { endSessions } from '../sessions.ts'
import { refusePasskey } from './by-passkey.ts'
import { knownDevice } from './devices.ts'
import { auditFailure } from './failures.ts'
import { needOtherThanPayment } from './own-password.ts'
import type { Sms } from './sms.ts'
import { checkSmsCode, sendCode } from './sms-codes.ts'
import { byRecovery, byRecoveryAddress, byRecoveryOnDevice, countTries } from './throttle.ts'

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
      where ${condition} and a.status = 1 and (a.role_id = ${Role.member}) = ${face === 'member'}`,
  )
const byName = (username: string) => sql`lower(a.username) = lower(${username})`

/** A code for the recovery works for nothing else, and no other code works for it. */
const purposeOf = (account: Account | undefined) => {
  const accountId = account?.id ?? -1
  return { accountId, topId: account?.topId ?? 0, challenge: sha256(`recovery:${accountId}`) }
}

/** As for sign-ins: unknown names count like existing ones, and a known device has its own count. */
const triesOf = async (
  { db, services, caller }: RecoveryContext,
  step: 'send' | 'code',
  username: string,
  account: Account | undefined,
) => {
  const device = await knownDevice(db, caller, account?.id ?? -1)
  const own = account && device ? byRecoveryOnDevice(step, account.id, device) : byRecovery(step, username)
  const countsAddress = !device && services.settings.limits !== undefined
  return countsAddress ? [byRecoveryAddress(step, caller.address), own] : [own]
}

/** The answer does not wait for the SMS: neither it nor its time tells whether there is such an account or number. */
export const beginRecovery = async (
  ctx: RecoveryContext,
  { username, face }: Parsed<'recovery/begin'>,
): Promise<{ seconds: number }> => {
  const { db, services, caller } = ctx
  needSms(services.settings)
  const account = await find(db, byName(username), face)
  // Sent codes cost money: each counts, and none is taken back.
  await countTries(services.db, await triesOf(ctx, 'send', username, account), () => Promise.resolve('wrong'))
  if (account?.phone) {
    sendCode(services, purposeOf(account), account.phone, caller).catch((error: unknown) => {
      if (!(error instanceof Refused))
        services.log.error({ err: error }, 'Could not send a code for a forgotten password')
    })
  }
  return { seconds: SECONDS }
}

type Chosen = { new_password: string; new_password_confirmation: string }

/** Hashes before anything is checked: it takes longest, and so takes its time for every name. */
const hashChosen = ({ new_password, new_password_confirmation }: Chosen): Promise<string> =>
  new_password === new_password_confirmation ? hashPassword(new_password) : refuse('account.passwords_differ')

export const finishRecovery = async (
  ctx: RecoveryContext,
  { username, face, code, ...chosen }: Parsed<'recovery/finish'>,
): Promise<null> => {
  const { db, services, caller } = ctx
  needSms(services.settings)
  const hash = await hashChosen(chosen)
  const account = await find(db, byName(username), face)
  const tries = await triesOf(ctx, 'code', username, account)
  const verdict = await countTries(services.db, tries, () => checkSmsCode(db, purposeOf(account), code))
  if (verdict !== 'right' || !account) {
    await auditFailure(services.db, caller, account, 'recovery')
    return refuse('recovery.wrong')
  }
  await needOtherThanPayment(services.db, account, chosen.new_password)
  return replacePassword(ctx, account, hash, 'sms')
}

export const finishByPasskey = async (
  ctx: RecoveryContext,
  { passkey, face, ...chosen }: Parsed<'recovery/finishPasskey'>,
): Promise<{ username: string }> => {
  const { db, services, caller } = ctx
  const hash = await hashChosen(chosen)
  const boundTo = cookieHashes(caller.cookies, 'passkey')
  const found = await checkAssertion(services.db, { purpose: 'recovery', boundTo }, passkey)
  if (found.verdict === 'wrong') return refusePasskey(ctx, found)
  const account = await find(db, sql`a.id = ${found.account.id}`, face)
  if (!account) return refusePasskey(ctx, { verdict: 'wrong', account: found.account, isCopy: false })
  await needOtherThanPayment(services.db, account, chosen.new_password)
  await replacePassword(ctx, account, hash, 'passkey')
  return { username: account.username }
}

/** Ends all sessions, like every new password. A second factor stays, and is asked for at the next sign-in. */
const replacePassword = (
  { services, caller }: RecoveryContext,
  account: Account,
  hash: string,
  door: 'sms' | 'passkey',
): Promise<null> =>
  services.db.transact(async (tx) => {
    const saved = await one(
      tx,
      sql`update accounts set password_hash = ${hash}, must_choose_password = false
        where id = ${account.id} and status = 1 returning 1 as saved`,
    )
    if (!saved) return refuse('recovery.wrong')
    // First the notice: ending the sessions closes the sockets that get it.
    await noticeSecurity(tx, services.hub, account, 'password_recovered', { caller })
    await endSessions(tx, services.hub, account.id, 'password')
    await audit(tx, { actor: account, caller }, 'password_recovered', account, { door })
    return null
  })
