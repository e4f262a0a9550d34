import type { MemberApi } from '@tallyroom/contract/member-api'
import type { z } from 'zod'
import { once } from '../data/idempotency.ts'
import type { Tx } from '../data/sql.ts'
import { actorOfAccount } from '../identity/actor.ts'
import { audit } from '../identity/audit.ts'
import { ensure } from '../lib/refusal.ts'
import type { ApiCtx, BatchedApiCtx } from './context.ts'
import {
  addEndpoint,
  changeEndpoint,
  type EndpointCtx,
  endpointExists,
  listEndpoints,
  removeEndpoint,
  rotateEndpoint,
  secretOf,
} from '../accounts/endpoints/endpoints.ts'
import { addPing, gapsOf, pinged, resend } from '../accounts/endpoints/resend.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>

/** In the name of the top account: where addresses need two, another admin has to approve it. */
const asTop = async (ctx: ApiCtx): Promise<EndpointCtx> => {
  const { db, services, topId } = ctx
  const actor = ensure(await actorOfAccount(db, topId, services.settings.timeZone), 'account.not_found')
  return { ...ctx, actor }
}

/** Runs a repeatable write whose answer is not stored: it has a secret, or comes later. */
const stored = async <T extends object>(ctx: BatchedApiCtx, work: (ctx: ApiCtx) => Promise<T>): Promise<T> => {
  const { report } = ctx
  if (!report) throw new Error('changing an endpoint needs a request_id')
  return once(ctx.db, report, async (db: Tx) => {
    await ctx.keepRight(db)
    return work({ ...ctx, db })
  })
}

export const endpointHandlers = {
  'endpoint/list': async ({ db, topId }: ApiCtx) => ({ data: await listEndpoints(db, topId) }),

  'endpoint/add': {
    batched: async (ctx: BatchedApiCtx, { request_id: _, ...fields }: Input<'endpoint/add'>) => {
      const { id, waits } = await stored(ctx, async (one) => addEndpoint(await asTop(one), fields))
      const secret = await secretOf(ctx.db, ctx.services.key, id)
      return { id, secret, ...(waits ? { approval: 1 as const } : {}) }
    },
  },

  'endpoint/set': async (ctx: ApiCtx, { request_id: _, id, ...update }: Input<'endpoint/set'>) =>
    (await changeEndpoint(await asTop(ctx), id, update)) ? { approval: 1 as const } : {},

  'endpoint/remove': async (ctx: ApiCtx, { id }: Input<'endpoint/remove'>) => {
    await removeEndpoint(await asTop(ctx), id)
    return { id }
  },

  'endpoint/rotate': {
    batched: async (ctx: BatchedApiCtx, { id }: Input<'endpoint/rotate'>) => {
      await stored(ctx, async (one) => {
        await rotateEndpoint(await asTop(one), id)
        return { id }
      })
      return { id, secret: await secretOf(ctx.db, ctx.services.key, id) }
    },
  },

  'endpoint/ping': {
    batched: async (ctx: BatchedApiCtx, { id }: Input<'endpoint/ping'>) => {
      const ping = await stored(ctx, async ({ db, topId }) => {
        await endpointExists(db, topId, id)
        return addPing(db, topId, id)
      })
      return pinged(ctx.db, ctx.topId, ping.id)
    },
  },

  'endpoint/resend': async (ctx: ApiCtx, { request_id: _, id, ...which }: Input<'endpoint/resend'>) => {
    const { db, topId } = ctx
    await endpointExists(db, topId, id)
    const count = await resend(db, topId, id, which)
    const target = { id: topId, topId }
    if (count > 0)
      await audit(db, ctx, 'webhooks_resent', target, { endpoint: id, webhooks: count, api_key: ctx.keyId })
    return { count }
  },

  'endpoint/gaps': async ({ db, topId }: ApiCtx, { id, ...span }: Input<'endpoint/gaps'>) => {
    await endpointExists(db, topId, id)
    return gapsOf(db, id, span)
  },
}
