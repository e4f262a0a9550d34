import type { Assertion } from '@tallyroom/contract/calls/sign-in/passkey'
import { type Database, one, run, sql } from '../../data/sql.ts'
import type { ActorContext } from '../../identity/context.ts'
import { challengeIn, checkAssertion } from '../../identity/passkeys/check.ts'
import { pointsChallenge, type PointsSubject } from '../../identity/passkeys/points.ts'
import { auditFailure } from '../../identity/sign-in/failures.ts'
import { refuse } from '../../lib/refusal.ts'
import { sha256 } from '../../lib/secrets.ts'
import { checkPaymentPassword } from './payment-password.ts'

export type ConfirmContext = ActorContext & { db: Database; idempotencyKey: { id: string } }
type Given = { payment_password?: string | undefined; passkey?: Assertion | undefined }
/** The points of a transfer. The idempotency key is that of the call, and the payer that of the actor where it is not given. */
export type Points = Omit<PointsSubject, 'payerId' | 'requestId'> & { payerId?: number }

export const subjectOf = (
  { actor }: Pick<ConfirmContext, 'actor'>,
  requestId: string,
  points: Points,
): PointsSubject => ({
  payerId: actor.funderId,
  ...points,
  requestId,
})
export const boundToSession = ({ actor }: Pick<ConfirmContext, 'actor'>): Buffer =>
  sha256(`session:${actor.session.id}`)

/**
 * Before points move: the payment password, if the account has one, or a passkey that has signed exactly these points.
 * `points` may be a function, so that they are looked up for a passkey only.
 * @throws Refused as `checkPaymentPassword`, or with passkey.wrong or passkey.too_late
 */
export const confirmPoints = async (
  ctx: ConfirmContext,
  given: Given,
  points: Points | (() => Promise<Points>),
): Promise<void> => {
  const { passkey } = given
  if (!passkey) return checkPaymentPassword(ctx, given.payment_password)
  const { actor, db, idempotencyKey } = ctx
  const subject = subjectOf(ctx, idempotencyKey.id, typeof points === 'function' ? await points() : points)
  if (challengeIn(passkey.response.clientDataJSON) !== pointsChallenge(subject)) return refuseOther(ctx)
  // The same request again, after its answer was lost: its challenge is used up.
  const before = await one<{ signature: string }>(
    db,
    sql`select signature from point_confirmations where actor_id = ${actor.id} and request_id = ${idempotencyKey.id}::uuid`,
  )
  if (before) return before.signature === passkey.response.signature ? undefined : refuseOther(ctx)
  const found = await checkAssertion(db, { purpose: 'points', boundTo: [boundToSession(ctx)] }, passkey)
  if (found.verdict === 'wrong') return refuseOther(ctx, found.isCopy)
  await store(ctx, subject, passkey, found.passkeyId)
}

const refuseOther = async ({ db, caller, actor }: ConfirmContext, isCopy = false): Promise<never> => {
  await auditFailure(db, caller, actor, isCopy ? 'passkey_copy' : 'passkey')
  return refuse('passkey.wrong')
}

/** Before the transfer, which never happens without it. The rows of refused transfers stay too. */
const store = ({ actor, db, caller }: ConfirmContext, subject: PointsSubject, passkey: Assertion, id: number) =>
  run(
    db,
    sql`insert into point_confirmations (top_id, actor_id, request_id, payer_id, member_id, amount, kind, wallet,
        passkey_id, credential_id, public_key, origin, host, client_data, authenticator_data, signature)
      select ${actor.topId}, ${actor.id}, ${subject.requestId}::uuid, ${subject.payerId}, ${subject.memberId},
        ${subject.amount}::bigint, ${subject.kind}, ${subject.wallet}, id, credential_id, public_key,
        ${caller.origin ?? ''}, host, ${passkey.response.clientDataJSON}, ${passkey.response.authenticatorData},
        ${passkey.response.signature}
      from passkeys where id = ${id} on conflict do nothing`,
  )
