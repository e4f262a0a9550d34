import type { factorCalls } from '@tallyroom/contract/calls/sign-in/factor'
import { type AuditFacts, audit } from '../../identity/audit.ts'
import { many, one, run, sql } from '../../data/sql.ts'
import { factorExists } from '../../identity/factor-exists.ts'
import { endSessions, needFreshSignIn } from '../../identity/sessions.ts'
import type { BatchedCtx, Ctx, Handlers } from '../handler.ts'
import { refuse } from '../../lib/refusal.ts'
import { masked } from '../../identity/sign-in/challenge.ts'
import { confirmAuthenticator, makeRecoveryCodes, newAuthenticator } from '../../identity/sign-in/codes.ts'
import { needOwnPassword } from '../../identity/sign-in/own-password.ts'
import { rowOf } from '../../identity/sign-in/sealing.ts'
import {
  dropUselessCodes,
  hasFactor,
  keepRequired,
  ofSession,
  requireCode,
  requireProof,
  stateOf,
} from '../../identity/sign-in/factor-proof.ts'
import { checkSmsCode, sendCode } from '../../identity/sign-in/sms-codes.ts'

const newCodes = (ctx: BatchedCtx, facts: AuditFacts) =>
  ctx.db.transact(async (tx) => {
    const codes = await makeRecoveryCodes(tx, ctx.actor)
    await audit(tx, ctx, 'second_factor_changed', ctx.actor, { ...facts, new_recovery_codes: codes.length })
    return codes
  })

export const factorHandlers = {
  'factor/view': {
    batched: async (ctx) => {
      const { authenticator, phone, codes, passkeys } = await stateOf(ctx)
      return { authenticator, mobile: phone ? masked(phone) : '', recovery_codes: codes, passkeys }
    },
  },

  'factor/begin': {
    batched: async (ctx, { password, code }) => {
      const { authenticator } = await requireProof(ctx, password, code)
      if (authenticator) return refuse('factor.already_on')
      const made = newAuthenticator(ctx.actor.username)
      const sealed = ctx.services.key.sealSecret(made.secret, rowOf(ctx.actor.id))
      const begun = await one(
        ctx.db,
        sql`insert into second_factors as f (account_id, top_id, totp_pending)
          values (${ctx.actor.id}, ${ctx.actor.topId}, ${sealed})
          on conflict (account_id) do update set totp_pending = excluded.totp_pending
          where f.totp_secret is null returning 1 as begun`,
      )
      return begun ? made : refuse('factor.already_on')
    },
  },

  'factor/confirm': {
    batched: async (ctx, { code }) => {
      if (!(await stateOf(ctx)).begun) return refuse('factor.not_begun')
      await requireCode(ctx, () => confirmAuthenticator(ctx.services, ctx.actor.id, code))
      return { recovery_codes: await newCodes(ctx, { authenticator: [false, true] }) }
    },
  },

  'factor/sendCode': {
    batched: async (ctx, { password }) => {
      await needOwnPassword(ctx, password)
      const { phone } = await stateOf(ctx)
      return phone ? sendCode(ctx.services, ofSession(ctx), phone, ctx.caller) : refuse('factor.not_begun')
    },
  },

  'factor/remove': {
    batched: async (ctx, { password, code }) => {
      await requireProof(ctx, password, code)
      await ctx.db.transact(async (tx) => {
        await run(
          tx,
          sql`update second_factors set totp_secret = null, totp_pending = null where account_id = ${ctx.actor.id}`,
        )
        await keepRequired(tx, ctx.actor.id)
        await dropUselessCodes(tx, ctx.actor.id)
        await audit(tx, ctx, 'second_factor_changed', ctx.actor, { authenticator: [true, false] })
      })
      return null
    },
  },

  'factor/recoveryCodes': {
    batched: async (ctx, { password, code }) => {
      if (!hasFactor(await requireProof(ctx, password, code))) return refuse('factor.not_begun')
      return { recovery_codes: await newCodes(ctx, {}) }
    },
  },

  'factor/sendPhoneCode': {
    batched: async (ctx, { password, code, mobile }) => {
      const { db, services, actor, caller } = ctx
      await requireProof(ctx, password, code)
      await run(
        db,
        sql`insert into second_factors (account_id, top_id) values (${actor.id}, ${actor.topId}) on conflict do nothing`,
      )
      const sent = await sendCode(
        services,
        { accountId: actor.id, topId: actor.topId, challenge: null },
        mobile,
        caller,
      )
      // Stored only now: a code that was sent to another number must not confirm this one.
      await run(db, sql`update second_factors set phone_pending = ${mobile} where account_id = ${actor.id}`)
      return sent
    },
  },

  'factor/setPhone': {
    batched: async (ctx, { code }) => {
      const { db, actor } = ctx
      const { phonePending } = await stateOf(ctx)
      if (!phonePending) return refuse('factor.not_begun')
      await requireCode(ctx, () => checkSmsCode(db, { accountId: actor.id, topId: actor.topId, challenge: null }, code))
      await db.transact(async (tx) => {
        await run(
          tx,
          sql`update second_factors set phone = ${phonePending}, phone_pending = null where account_id = ${actor.id}`,
        )
        await audit(tx, ctx, 'second_factor_changed', actor, { phone: masked(phonePending) })
      })
      return { mobile: masked(phonePending) }
    },
  },

  'factor/removePhone': {
    batched: async (ctx, { password, code }) => {
      await requireProof(ctx, password, code)
      await ctx.db.transact(async (tx) => {
        await run(
          tx,
          sql`update second_factors set phone = null, phone_pending = null where account_id = ${ctx.actor.id}`,
        )
        await keepRequired(tx, ctx.actor.id)
        await dropUselessCodes(tx, ctx.actor.id)
        await audit(tx, ctx, 'second_factor_changed', ctx.actor, { phone: [true, false] })
      })
      return null
    },
  },
  'factor/required': async ({ db, actor }) => {
    const top = await one<{ roles: (1 | 2 | 3)[] }>(
      db,
      sql`select factor_roles as roles from accounts where id = ${actor.topId}`,
    )
    return { roles: top?.roles ?? [] }
  },

  'factor/require': async (ctx, { roles, current_password }) => {
    const { db, actor } = ctx
    if (actor.id !== actor.topId) return refuse('access.denied')
    const before = await one<{ roles: number[] }>(
      db,
      sql`select factor_roles as roles from accounts where id = ${actor.id} for no key update`,
    )
    const after = [...new Set(roles)].toSorted((a, b) => a - b)
    if (!before || before.roles.join() === after.join()) return null
    await needFreshSignIn(ctx, current_password)
    // Otherwise the account that can take the rule back would lock itself out.
    if (after.length > 0 && !hasFactor(await stateOf(ctx))) return refuse('factor.need_own')
    await run(db, sql`update accounts set factor_roles = ${after}::smallint[] where id = ${actor.id}`)
    await audit(db, ctx, 'settings_changed', actor, { factor_roles: [before.roles.join(', '), after.join(', ')] })
    await endWithoutFactor(ctx, after)
    return null
  },
} satisfies Handlers<typeof factorCalls>

/** Their sockets are open, and only a new one is checked. */
const endWithoutFactor = async ({ db, services, actor }: Ctx, roles: number[]): Promise<void> => {
  const without = await many<{ id: number }>(
    db,
    sql`select a.id from accounts a where a.top_id = ${actor.topId} and a.role_id = any(${roles}::int[])
      and exists (select from sessions s where s.account_id = a.id and s.ended_at is null)
      and not ${factorExists(sql`a.id`)}`,
  )
  for (const { id } of without) await endSessions(db, services.hub, id, 'ended')
}
