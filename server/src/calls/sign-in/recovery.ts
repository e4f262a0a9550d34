import type { recoveryCalls } from '@tallyroom/contract/calls/sign-in/recovery'
import { one, run, sql } from '../../data/sql.ts'
import { audit } from '../../identity/audit.ts'
import { noticeSecurity } from '../../identity/security-notices.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'
import { beginByPasskey } from '../../identity/sign-in/by-passkey.ts'
import { masked } from '../../identity/sign-in/challenge.ts'
import { requireCode } from '../../identity/sign-in/factor-proof.ts'
import { beginRecovery, finishByPasskey, finishRecovery, needSms, offersSms } from '../../identity/sign-in/recovery.ts'
import { checkSmsCode, sendCode } from '../../identity/sign-in/sms-codes.ts'
import { refuse } from '../../lib/refusal.ts'
import { sha256 } from '../../lib/secrets.ts'
import type { BatchedCtx, Handlers } from '../handler.ts'

/** A code for a new number confirms nothing else. */
const purposeOf = ({ actor }: BatchedCtx) => ({
  accountId: actor.id,
  topId: actor.topId,
  challenge: sha256(`recovery-phone:${actor.id}`),
})

/** Stores the number, or removes it, and tells the account's other devices. */
const savePhone = (ctx: BatchedCtx, phone: string | null) =>
  ctx.db.transact(async (tx) => {
    const { actor, caller, services } = ctx
    await run(tx, sql`update recovery_phones set phone = ${phone}, pending = null where account_id = ${actor.id}`)
    await audit(tx, ctx, 'recovery_phone_changed', actor, { phone: phone ? masked(phone) : '' })
    await noticeSecurity(tx, services.hub, actor, 'recovery_phone_changed', { caller, session: actor.session })
  })

export const recoveryHandlers = {
  'recovery/begin': { open: beginRecovery },
  'recovery/finish': { open: finishRecovery },
  'recovery/beginPasskey': { open: (ctx) => beginByPasskey(ctx, 'recovery') },
  'recovery/finishPasskey': { open: finishByPasskey },

  'recovery/view': async ({ db, actor, services }) => {
    const own = await one<{ phone: string | null }>(
      db,
      sql`select phone from recovery_phones where account_id = ${actor.id}`,
    )
    return { mobile: own?.phone ? masked(own.phone) : '', offered: offersSms(services.settings) }
  },

  'recovery/sendCode': {
    batched: async (ctx, { password, mobile }) => {
      const { db, services, actor, caller } = ctx
      needSms(services.settings)
      await needFreshSignIn(ctx, password || undefined)
      await run(
        db,
        sql`insert into recovery_phones (account_id, top_id) values (${actor.id}, ${actor.topId}) on conflict do nothing`,
      )
      const sent = await sendCode(services, purposeOf(ctx), mobile, caller)
      // Stored only now: a code that was sent to another number must not confirm this one.
      await run(db, sql`update recovery_phones set pending = ${mobile} where account_id = ${actor.id}`)
      return sent
    },
  },

  'recovery/setPhone': {
    batched: async (ctx, { code }) => {
      const { db, actor } = ctx
      const own = await one<{ pending: string | null }>(
        db,
        sql`select pending from recovery_phones where account_id = ${actor.id}`,
      )
      if (!own?.pending) return refuse('factor.not_begun')
      await requireCode(ctx, () => checkSmsCode(db, purposeOf(ctx), code))
      await savePhone(ctx, own.pending)
      return { mobile: masked(own.pending) }
    },
  },

  'recovery/removePhone': {
    batched: async (ctx, { password }) => {
      await needFreshSignIn(ctx, password || undefined)
      await savePhone(ctx, null)
      return null
    },
  },
} satisfies Handlers<typeof recoveryCalls>
