import type { factorCalls } from '@tallyroom/contract/calls/factor'
import { type AuditFacts, audit } from '../identity/audit.ts'
import { one, run, sql, type Tx } from '../data/sql.ts'
import type { BatchedCtx, Handlers } from './handler.ts'
import { refuse } from '../lib/refusal.ts'
import type { Verdict } from '../identity/passwords.ts'
import { masked } from '../identity/sign-in/challenge.ts'
import {
  checkAuthenticator,
  confirmAuthenticator,
  makeRecoveryCodes,
  newAuthenticator,
} from '../identity/sign-in/codes.ts'
import { sha256 } from '../lib/secrets.ts'
import { needOwnPassword } from '../identity/sign-in/own-password.ts'
import { rowOf } from '../identity/sign-in/sealing.ts'
import { checkSmsCode, sendCode } from '../identity/sign-in/sms-codes.ts'
import { byCodes, countTries } from '../identity/sign-in/throttle.ts'

type FactorState = {
  authenticator: boolean
  phone: string | null
  codes: number
  begun: boolean
  phonePending: string | null
}

const stateOf = async ({ db, actor }: Pick<BatchedCtx, 'db' | 'actor'>): Promise<FactorState> =>
  (await one<FactorState>(
    db,
    sql`select totp_secret is not null as authenticator, totp_pending is not null as begun, phone,
        phone_pending as "phonePending",
        (select count(*)::int from recovery_codes r where r.account_id = f.account_id) as codes
      from second_factors f where account_id = ${actor.id}`,
  )) ?? { authenticator: false, phone: null, codes: 0, begun: false, phonePending: null }

/** Tries of codes count like those of a sign-in. */
const requireCode = async ({ db, actor }: BatchedCtx, check: () => Promise<Verdict>): Promise<void> => {
  if ((await countTries(db, [byCodes(actor.id)], check)) !== 'right') return refuse('code.wrong')
}

/** Codes of a session work in that session only: a code sent to a new number must not confirm anything else. */
const ofSession = ({ actor }: BatchedCtx) => ({
  accountId: actor.id,
  topId: actor.topId,
  challenge: sha256(`session:${actor.session.id}`),
})

/**
 * Required before the second factor changes: the password, and if there is a second factor a code of it or a recovery
 * code. Otherwise a person with the password and an open page could add an authenticator.
 */
const requireProof = async (ctx: BatchedCtx, password: string, code: string): Promise<FactorState> => {
  await needOwnPassword(ctx, password)
  const state = await stateOf(ctx)
  if (state.authenticator || state.phone) await requireCode(ctx, () => checkProof(ctx, state, code))
  return state
}

const checkProof = async (ctx: BatchedCtx, { phone }: FactorState, code: string): Promise<Verdict> => {
  const bySms = phone && /^\d{6}$/.test(code) ? await checkSmsCode(ctx.db, ofSession(ctx), code) : 'wrong'
  return bySms === 'right' ? bySms : checkAuthenticator(ctx.services, ctx.actor.id, code)
}

const newCodes = (ctx: BatchedCtx, facts: AuditFacts) =>
  ctx.db.transact(async (tx) => {
    const codes = await makeRecoveryCodes(tx, ctx.actor)
    await audit(tx, ctx, 'second_factor_changed', ctx.actor, { ...facts, new_recovery_codes: codes.length })
    return codes
  })

/** Deletes recovery codes without a second factor: they are useless now and must not work for a later one. */
const dropUselessCodes = (tx: Tx, accountId: number) =>
  run(
    tx,
    sql`delete from recovery_codes where account_id = ${accountId} and not exists (
      select 1 from second_factors where account_id = ${accountId} and (totp_secret is not null or phone is not null))`,
  )

export const factorHandlers = {
  'factor/view': {
    batched: async (ctx) => {
      const { authenticator, phone, codes } = await stateOf(ctx)
      return { authenticator, mobile: phone ? masked(phone) : '', recovery_codes: codes }
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
        await dropUselessCodes(tx, ctx.actor.id)
        await audit(tx, ctx, 'second_factor_changed', ctx.actor, { authenticator: [true, false] })
      })
      return null
    },
  },

  'factor/recoveryCodes': {
    batched: async (ctx, { password, code }) => {
      const { authenticator, phone } = await requireProof(ctx, password, code)
      if (!authenticator && !phone) return refuse('factor.not_begun')
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
        await dropUselessCodes(tx, ctx.actor.id)
        await audit(tx, ctx, 'second_factor_changed', ctx.actor, { phone: [true, false] })
      })
      return null
    },
  },
} satisfies Handlers<typeof factorCalls>
