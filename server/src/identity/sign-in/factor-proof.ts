import { type Database, type Db, one, run, sql, type Tx } from '../../data/sql.ts'
import { factorExists } from '../factor-exists.ts'
import { refuse } from '../../lib/refusal.ts'
import { sha256 } from '../../lib/secrets.ts'
import type { ActorContext } from '../context.ts'
import type { InstallationKey } from '../../data/installation-key.ts'
import { takeChallenge } from '../passkeys/challenges.ts'
import type { Verdict } from '../passwords.ts'
import { checkAuthenticator } from './codes.ts'
import { needOwnPassword } from './own-password.ts'
import { checkSmsCode } from './sms-codes.ts'
import { byCodes, countTries } from './throttle.ts'

/** Not inside a transaction: tries are counted even when the call is refused. */
type FactorContext = ActorContext & { db: Database; services: { db: Database; key: InstallationKey } }

export type FactorState = {
  authenticator: boolean
  phone: string | null
  codes: number
  begun: boolean
  phonePending: string | null
  passkeys: number
}

export const stateOf = async ({ db, actor }: { db: Db; actor: { id: number } }): Promise<FactorState> =>
  (await one<FactorState>(
    db,
    sql`select coalesce(f.totp_secret is not null, false) as authenticator,
        coalesce(f.totp_pending is not null, false) as begun, f.phone, f.phone_pending as "phonePending",
        (select count(*)::int from recovery_codes r where r.account_id = a.id) as codes,
        (select count(*)::int from passkeys p where p.account_id = a.id) as passkeys
      from accounts a left join second_factors f on f.account_id = a.id where a.id = ${actor.id}`,
  )) ?? { authenticator: false, phone: null, codes: 0, begun: false, phonePending: null, passkeys: 0 }

export const hasFactor = ({ authenticator, phone, passkeys }: FactorState): boolean =>
  authenticator || phone !== null || passkeys > 0

/** Tries of codes count like those of a sign-in. */
export const requireCode = async ({ db, actor }: FactorContext, check: () => Promise<Verdict>): Promise<void> => {
  if ((await countTries(db, [byCodes(actor.id)], check)) !== 'right') return refuse('code.wrong')
}

/** Codes of a session work in that session only: a code sent to a new number must not confirm anything else. */
export const ofSession = ({ actor }: Pick<FactorContext, 'actor'>) => ({
  accountId: actor.id,
  topId: actor.topId,
  challenge: sha256(`session:${actor.session.id}`),
})

/**
 * Required before the second factor changes: the password, and if there is a second factor a code of it, a recovery
 * code or the code that a passkey got. Otherwise a person with the password and an open page could add an authenticator.
 */
export const requireProof = async (ctx: FactorContext, password: string, code: string): Promise<FactorState> => {
  await needOwnPassword(ctx, password)
  const state = await stateOf(ctx)
  if (hasFactor(state)) await requireCode(ctx, () => checkProof(ctx, state, code))
  return state
}

const checkProof = async (ctx: FactorContext, { phone, passkeys }: FactorState, code: string): Promise<Verdict> => {
  const { challenge } = ofSession(ctx)
  if (phone && /^\d{6}$/.test(code) && (await checkSmsCode(ctx.db, ofSession(ctx), code)) === 'right') return 'right'
  if (passkeys > 0 && (await takeChallenge(ctx.db, 'proved', code, [challenge]))) return 'right'
  return checkAuthenticator(ctx.services, ctx.actor.id, code)
}

/** After a second factor was removed: refuses when the account's role needs one and it has none left. */
export const keepRequired = async (tx: Tx, accountId: number): Promise<void> => {
  const account = await one<{ isLeft: boolean }>(
    tx,
    sql`select ${factorExists(sql`a.id`)} or a.role_id <> all(t.factor_roles) as "isLeft"
      from accounts a join accounts t on t.id = a.top_id where a.id = ${accountId}`,
  )
  if (!account?.isLeft) return refuse('factor.required')
}

/** Deletes recovery codes without a second factor: they are useless now and must not work for a later one. */
export const dropUselessCodes = (tx: Tx, accountId: number) =>
  run(
    tx,
    sql`delete from recovery_codes r where r.account_id = ${accountId} and not ${factorExists(sql`r.account_id`)}`,
  )
