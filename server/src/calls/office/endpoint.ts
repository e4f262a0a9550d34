import type { endpointOfficeCalls } from '@tallyroom/contract/calls/office/endpoint'
import { once } from '../../data/idempotency.ts'
import { audit } from '../../identity/audit.ts'
import { requireTop } from '../../identity/actor.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'
import {
  addEndpoint,
  changeEndpoint,
  endpointExists,
  listEndpoints,
  removeEndpoint,
  rotateEndpoint,
  secretOf,
} from '../../accounts/endpoints/endpoints.ts'
import { addPing, deliveriesOf, pinged, resend } from '../../accounts/endpoints/resend.ts'
import type { BatchedCtx, Ctx, Handlers } from '../handler.ts'

/** Endpoints get what members do: a stolen session must not add one. */
const requireOwner = async (ctx: Ctx | BatchedCtx, current_password: string | undefined) => {
  requireTop(ctx.actor)
  await needFreshSignIn(ctx, current_password)
}

export const endpointOfficeHandlers = {
  'endpoint/list': async ({ db, actor }) => {
    requireTop(actor)
    return { data: await listEndpoints(db, actor.topId) }
  },

  'endpoint/add': {
    batched: async (ctx, { current_password, ...fields }) => {
      await requireOwner(ctx, current_password)
      const { id, waits } = await ctx.db.transact((tx) => addEndpoint({ ...ctx, db: tx }, fields))
      const secret = await secretOf(ctx.db, ctx.services.key, id)
      return { id, secret, ...(waits ? { approval: 1 as const } : {}) }
    },
  },

  'endpoint/set': async (ctx, { id, current_password, ...update }) => {
    requireTop(ctx.actor)
    // Nothing else sends more to anywhere.
    if (update.url !== undefined || update.with_text) await needFreshSignIn(ctx, current_password)
    return (await changeEndpoint(ctx, id, update)) ? { approval: 1 as const } : {}
  },

  'endpoint/remove': async (ctx, { id }) => {
    requireTop(ctx.actor)
    await removeEndpoint(ctx, id)
    return null
  },

  'endpoint/rotate': {
    batched: async (ctx, { id, current_password }) => {
      await requireOwner(ctx, current_password)
      await ctx.db.transact((tx) => rotateEndpoint({ ...ctx, db: tx }, id))
      return { id, secret: await secretOf(ctx.db, ctx.services.key, id) }
    },
  },

  'endpoint/ping': {
    batched: async ({ db, actor, idempotencyKey }, { id }) => {
      requireTop(actor)
      const ping = await once(db, { actorId: actor.id, call: 'endpoint/ping', idempotencyKey }, async (tx) => {
        await endpointExists(tx, actor.topId, id)
        return addPing(tx, actor.topId, id)
      })
      return pinged(db, actor.topId, ping.id)
    },
  },

  'endpoint/resend': async (ctx, { id, ...which }) => {
    const { db, actor } = ctx
    requireTop(actor)
    await endpointExists(db, actor.topId, id)
    const count = await resend(db, actor.topId, id, which)
    if (count > 0) await audit(db, ctx, 'webhooks_resent', actor, { endpoint: id, webhooks: count })
    return { count }
  },

  'endpoint/deliveries': async ({ db, actor }, { id, undelivered }) => {
    requireTop(actor)
    await endpointExists(db, actor.topId, id)
    return { data: await deliveriesOf(db, id, undelivered) }
  },
} satisfies Handlers<typeof endpointOfficeCalls>
