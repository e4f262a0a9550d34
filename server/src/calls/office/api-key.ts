import type { apiKeyCalls } from '@tallyroom/contract/calls/office/api-key'
import { audit, type AuditFacts, differencesOf } from '../../identity/audit.ts'
import type { BatchedCtx, Ctx, Handlers } from '../handler.ts'
import { isNetwork } from '../../lib/address.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { emptySandbox, openSandbox } from '../../accounts/sandbox.ts'
import { eraseEmptied } from '../../retention/sandboxes.ts'
import { requireTop } from '../../identity/actor.ts'
import {
  type KeyTerms,
  listApiKeys,
  lockTerms,
  makeApiKey,
  revokeApiKey,
  rotateApiKey,
  saveTerms,
  termFacts,
  widens,
} from '../../accounts/api-keys.ts'
import { ensureAsShown, waitsForApproval } from '../../accounts/sensitive-changes.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'

/** How long the call erases members: it should not take minutes. What is left goes within an hour. */
const ERASING_MS = 5000

const requireOwner = async (ctx: Ctx | BatchedCtx, current_password: string | undefined) => {
  requireTop(ctx.actor)
  await needFreshSignIn(ctx, current_password)
}

/** Gives a key its terms, or asks for what widens them where a second account has to approve that. True: it waits. */
const giveTerms = async (ctx: Ctx, id: string, terms: KeyTerms): Promise<boolean> => {
  const { db, actor, services } = ctx
  const address = terms.addresses.find((one) => !isNetwork(one))
  if (address !== undefined) return refuse('api.network_invalid', { address })
  const before = ensure(await lockTerms(db, actor.topId, id, services.settings.timeZone), 'api.key_not_found')
  const facts = differencesOf(termFacts(before), termFacts(terms))
  if (Object.keys(facts).length === 0) return false
  const asked = {
    kind: 'api_key' as const,
    call: 'apiKey/set',
    input: { id, ...terms },
    target: { id: actor.topId, topId: actor.topId },
    subject: id,
    facts: { api_key: id, ...facts },
  }
  // Nothing is worth anything in a sandbox.
  if (!id.startsWith('tks_') && widens(before, terms) && (await waitsForApproval(ctx, asked))) return true
  await saveTerms(db, id, terms, services.settings.timeZone)
  await audit(db, ctx, 'api_key_changed', actor, asked.facts)
  return false
}

/** Gives a key terms that were approved, as `shown`. */
export const makeKeyTerms = async (ctx: Ctx, { id, ...terms }: KeyTerms & { id: string }, shown: AuditFacts) => {
  const { db, actor, services } = ctx
  const before = ensure(await lockTerms(db, actor.topId, id, services.settings.timeZone), 'api.key_not_found')
  const facts = { api_key: id, ...differencesOf(termFacts(before), termFacts(terms)) }
  ensureAsShown(shown, facts)
  await saveTerms(db, id, terms, services.settings.timeZone)
  await audit(db, ctx, 'api_key_changed', actor, facts)
}

export const apiKeyHandlers = {
  'apiKey/list': async ({ db, actor, services }) => {
    requireTop(actor)
    return { data: await listApiKeys(db, actor.topId, services.settings.timeZone) }
  },

  'apiKey/add': {
    batched: async (ctx, { label, sandbox, current_password, ...terms }) => {
      await requireOwner(ctx, current_password)
      return ctx.db.transact(async (tx) => {
        const { topId } = ctx.actor
        const made =
          sandbox === 1
            ? await makeApiKey(tx, ctx.services.key, await openSandbox(tx, topId), label, 'tks')
            : await makeApiKey(tx, ctx.services.key, topId, label)
        await audit(tx, ctx, 'api_key_changed', ctx.actor, { api_key: made.id, set: true })
        const waits = await giveTerms({ ...ctx, db: tx }, made.id, terms)
        return waits ? { ...made, approval: 1 as const } : made
      })
    },
  },

  'apiKey/set': async (ctx, { id, current_password, ...terms }) => {
    await requireOwner(ctx, current_password)
    return (await giveTerms(ctx, id, terms)) ? { approval: 1 as const } : {}
  },

  'apiKey/rotate': {
    batched: async (ctx, { id, current_password }) => {
      await requireOwner(ctx, current_password)
      return ctx.db.transact(async (tx) => {
        const made = ensure(await rotateApiKey(tx, ctx.services.key, ctx.actor.topId, id), 'api.key_not_found')
        await audit(tx, ctx, 'api_key_changed', ctx.actor, { api_key: [id, made.id] })
        return made
      })
    },
  },

  'apiKey/revoke': {
    batched: async (ctx, { id }) => {
      requireTop(ctx.actor)
      return ctx.db.transact(async (tx) => {
        if (!(await revokeApiKey(tx, ctx.actor.topId, id))) return refuse('api.key_not_found')
        await audit(tx, ctx, 'api_key_changed', ctx.actor, { api_key: id, set: false })
        return null
      })
    },
  },

  'apiKey/emptySandbox': {
    batched: async (ctx) => {
      requireTop(ctx.actor)
      const { db, services, actor } = ctx
      const isEmptied = await db.transact((tx) => emptySandbox(tx, services.hub, ctx, actor.topId))
      if (!isEmptied) return refuse('api.no_sandbox')
      // Then their names are free.
      await eraseEmptied(services, ERASING_MS)
      return null
    },
  },
} satisfies Handlers<typeof apiKeyCalls>
