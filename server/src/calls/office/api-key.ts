import type { apiKeyCalls } from '@tallyroom/contract/calls/office/api-key'
import { audit } from '../../identity/audit.ts'
import type { BatchedCtx, Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { requireTop } from '../../identity/actor.ts'
import { listApiKeys, makeApiKey, revokeApiKey, rotateApiKey } from '../../identity/api-keys.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'

const requireOwner = async (ctx: BatchedCtx, current_password: string | undefined) => {
  requireTop(ctx.actor)
  await needFreshSignIn(ctx, current_password)
}

export const apiKeyHandlers = {
  'apiKey/list': async ({ db, actor }) => {
    requireTop(actor)
    return { data: await listApiKeys(db, actor.topId) }
  },

  'apiKey/add': {
    batched: async (ctx, { label, only_webhooks, current_password }) => {
      await requireOwner(ctx, current_password)
      return ctx.db.transact(async (tx) => {
        const made = await makeApiKey(tx, ctx.services.key, ctx.actor.topId, label, {
          onlyWebhooks: only_webhooks,
        })
        await audit(tx, ctx, 'api_key_changed', ctx.actor, { api_key: made.id, set: true })
        return made
      })
    },
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
} satisfies Handlers<typeof apiKeyCalls>
