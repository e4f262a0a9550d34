import type { passkeyCalls } from '@tallyroom/contract/calls/sign-in/passkey'
import { isOffice } from '@tallyroom/contract/codes'
import { many, one, sql, type Tx } from '../../data/sql.ts'
import { audit } from '../../identity/audit.ts'
import { newChallenge } from '../../identity/passkeys/challenges.ts'
import { checkAssertion, checkCreated } from '../../identity/passkeys/check.ts'
import { createOptions, passkeysHere, signOptions } from '../../identity/passkeys/options.ts'
import { needSite, siteOf } from '../../identity/passkeys/site.ts'
import { noticeSecurity } from '../../identity/security-notices.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'
import { beginByPasskey, beginStep, finishStep } from '../../identity/sign-in/by-passkey.ts'
import { waitingSignIn } from '../../identity/sign-in/challenge.ts'
import { makeRecoveryCodes } from '../../identity/sign-in/codes.ts'
import { dropUselessCodes, keepRequired, ofSession, requireProof } from '../../identity/sign-in/factor-proof.ts'
import { auditFailure } from '../../identity/sign-in/failures.ts'
import { boundToSession, subjectOf } from '../../ledger/engine/confirmation.ts'
import { pointsOf } from '../../ledger/engine/points-of-call.ts'
import { pointsChallenge } from '../../identity/passkeys/points.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { newSecret } from '../../lib/secrets.ts'
import type { BatchedCtx, Handlers } from '../handler.ts'

const MOST = 20
/** Long enough for nobody to guess, short enough for the `code` fields. */
const PROOF_LENGTH = 32

/** Office accounts prove the second factor too, members only who they are: a passkey is no second step for them. */
const requireOwner = async (ctx: BatchedCtx, password: string, code: string): Promise<void> => {
  if (!isOffice(ctx.actor.role)) return needFreshSignIn(ctx, password || undefined)
  if (!password) return refuse('session.needs_password')
  await requireProof(ctx, password, code)
}

/** Locks the account, so that passkeys added at once are counted one after another. */
const needRoom = async (tx: Tx, accountId: number): Promise<void> => {
  await one(tx, sql`select 1 from accounts where id = ${accountId} for no key update`)
  const counted = await one<{ n: number }>(
    tx,
    sql`select count(*)::int as n from passkeys where account_id = ${accountId}`,
  )
  if (counted && counted.n >= MOST) return refuse('passkey.too_many')
}

/** The first second factor of an office account comes with recovery codes. */
const firstCodes = async (tx: Tx, { actor }: BatchedCtx): Promise<string[]> => {
  if (!isOffice(actor.role)) return []
  const has = await one(tx, sql`select 1 from recovery_codes where account_id = ${actor.id} limit 1`)
  return has ? [] : makeRecoveryCodes(tx, actor)
}

const iso = (column: string) => ({
  text: `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  values: [],
})

type ListRow = { id: number; name: string; host: string; created_at: string; used_at: string | null; copied: boolean }

export const passkeyHandlers = {
  'passkey/begin': { open: (ctx) => beginByPasskey(ctx, 'sign-in') },
  'passkey/beginStep': {
    open: async (ctx, { username, challenge }) => beginStep(ctx, await waitingSignIn(ctx, username, challenge)),
  },
  'passkey/finishStep': {
    open: async (ctx, { username, challenge, passkey }) =>
      finishStep(ctx, await waitingSignIn(ctx, username, challenge), passkey),
  },

  'passkey/list': async ({ db, actor, services, caller }) => {
    const site = siteOf(services.settings, caller.origin)
    const data = await many<ListRow>(
      db,
      sql`select id, name, host, ${iso('created_at')} as created_at, ${iso('used_at')} as used_at,
          copied_at is not null as copied
        from passkeys where account_id = ${actor.id} order by id`,
    )
    return { data, here: typeof site === 'string' ? site : 'yes' }
  },

  'passkey/beginAdd': {
    batched: async (ctx, { password, code }) => {
      const { db, services, actor, caller } = ctx
      const site = needSite(services.settings, caller.origin)
      await requireOwner(ctx, password, code)
      await db.transact((tx) => needRoom(tx, actor.id))
      const existing = await passkeysHere(db, actor.id, site)
      const boundTo = ofSession(ctx).challenge
      const challenge = await newChallenge(db, { purpose: 'add', site, account: actor, boundTo })
      return createOptions(services.key, { challenge, site, owner: actor, existing })
    },
  },

  'passkey/add': {
    batched: async (ctx, { passkey, name }) => {
      const { db, services, actor, caller } = ctx
      const made = await checkCreated(db, [ofSession(ctx).challenge], passkey)
      return db.transact(async (tx) => {
        await needRoom(tx, actor.id)
        const stored = await one<{ id: number }>(
          tx,
          sql`insert into passkeys (account_id, top_id, credential_id, host, public_key, counter, transports, name)
            values (${actor.id}, ${actor.topId}, ${made.credentialId}, ${made.host}, ${made.publicKey}, ${made.counter},
              ${passkey.response.transports}::text[], ${name})
            on conflict (credential_id) do nothing returning id`,
        )
        const { id } = ensure(stored, 'passkey.wrong')
        const recovery_codes = await firstCodes(tx, ctx)
        await audit(tx, ctx, 'passkey_added', actor, { passkey: name, host: made.host })
        await noticeSecurity(tx, services.hub, actor, 'passkey_added', { caller, session: actor.session })
        return { id, recovery_codes }
      })
    },
  },

  'passkey/rename': async ({ db, actor }, { id, name }) => {
    const renamed = await one(
      db,
      sql`update passkeys set name = ${name} where id = ${id} and account_id = ${actor.id} returning 1 as renamed`,
    )
    ensure(renamed, 'passkey.not_found')
    return null
  },

  'passkey/remove': {
    batched: async (ctx, { id, password, code }) => {
      const { db, services, actor, caller } = ctx
      ensure(
        await one(db, sql`select 1 from passkeys where id = ${id} and account_id = ${actor.id}`),
        'passkey.not_found',
      )
      await requireOwner(ctx, password, code)
      await db.transact(async (tx) => {
        const removed = ensure(
          await one<{ name: string; host: string }>(
            tx,
            sql`delete from passkeys where id = ${id} and account_id = ${actor.id} returning name, host`,
          ),
          'passkey.not_found',
        )
        if (isOffice(actor.role)) await keepRequired(tx, actor.id)
        await dropUselessCodes(tx, actor.id)
        await audit(tx, ctx, 'passkey_removed', actor, { passkey: removed.name, host: removed.host })
        await noticeSecurity(tx, services.hub, actor, 'passkey_removed', { caller, session: actor.session })
      })
      return null
    },
  },

  'passkey/beginPoints': {
    batched: async (ctx, input) => {
      const { db, services, actor, caller } = ctx
      const site = needSite(services.settings, caller.origin)
      const here = await passkeysHere(db, actor.id, site)
      if (here.length === 0) return refuse('passkey.none_here')
      const challenge = pointsChallenge(subjectOf(ctx, input.request, await pointsOf(db, actor, input)))
      await newChallenge(db, { purpose: 'points', site, account: actor, boundTo: boundToSession(ctx) }, challenge)
      return signOptions(challenge, site, here)
    },
  },

  'passkey/beginProof': {
    batched: async (ctx) => {
      const { db, services, actor, caller } = ctx
      const site = needSite(services.settings, caller.origin)
      const here = await passkeysHere(db, actor.id, site)
      if (here.length === 0) return refuse('passkey.none_here')
      const boundTo = ofSession(ctx).challenge
      return signOptions(await newChallenge(db, { purpose: 'proof', site, account: actor, boundTo }), site, here)
    },
  },

  'passkey/prove': {
    batched: async (ctx, { passkey }) => {
      const { db, actor, caller } = ctx
      const boundTo = ofSession(ctx).challenge
      const found = await checkAssertion(db, { purpose: 'proof', boundTo: [boundTo] }, passkey)
      if (found.verdict === 'wrong') {
        await auditFailure(db, caller, actor, found.isCopy ? 'passkey_copy' : 'passkey')
        return refuse('passkey.wrong')
      }
      return { code: await newProof(ctx, boundTo) }
    },
  },
} satisfies Handlers<typeof passkeyCalls>

/** A code that stands for the signature until it is entered, in this session only. */
const newProof = ({ db, actor, caller }: BatchedCtx, boundTo: Buffer): Promise<string> => {
  const site = { origin: caller.origin ?? '', host: '' }
  const code = newSecret().slice(0, PROOF_LENGTH)
  return newChallenge(db, { purpose: 'proved', site, account: actor, boundTo }, code)
}
