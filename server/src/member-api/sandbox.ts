import type { MemberApi } from '@tallyroom/contract/member-api'
import { AccountStatus, MessageType } from '@tallyroom/contract/codes'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { z } from 'zod'
import { ensureSandbox } from '../accounts/sandbox.ts'
import { orderSource } from '../calls/handler.ts'
import { once } from '../data/idempotency.ts'
import { one, sql } from '../data/sql.ts'
import { actorOfAccount } from '../identity/actor.ts'
import { ensure, refuse } from '../lib/refusal.ts'
import type { BatchedApiCtx } from './context.ts'
import { invalidFields } from './invalid-fields.ts'
import { memberBelow } from './named-account.ts'
import { conversationOf } from './talk/conversation.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>

const CALL = 'api/sandbox/act'
/** A frame on a plain ground. */
const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAMAAADS6oI8AAAABlBMVEUvb+3u8vhaenPuAAAAQElEQVR42u3YsQ0AIAwDsPD/06zdC0iozgOeMiRZlxMAAFCAnA0A8DXQLRYAAAAAAAAAAAB4Blg4gMmAxwswF9gZXxEhQ8/kswAAAABJRU5ErkJggg=='

/** The member as it would act itself. */
const memberOf = async (ctx: BatchedApiCtx, who: Input<'sandbox/act'>) => {
  const { db, services, caller, topId, report } = ctx
  if (!report) throw new Error('an act of a member needs a request_id')
  await ensureSandbox(db, topId)
  const { id, status } = await memberBelow({ db, topId }, who)
  if (status === AccountStatus.frozen) return refuse('transfer.frozen')
  const actor = ensure(await actorOfAccount(db, id, services.settings.timeZone), 'account.not_found')
  return { actor, idempotencyKey: report.idempotencyKey, caller }
}

export const sandboxHandlers = {
  'sandbox/act': {
    batched: async (ctx: BatchedApiCtx, input: Input<'sandbox/act'>) => {
      const { db, services, topId } = ctx
      const { username, third_party_id, says, photo, accepts, rejects } = input
      if ([says, photo, accepts, rejects].filter((act) => act !== undefined).length !== 1)
        throw invalidFields([{ path: ['says'], reason: 'Give exactly one of says, photo, accepts and rejects' }])
      const member = await memberOf(ctx, input)
      const transactionId = accepts ?? rejects
      if (transactionId !== undefined) {
        const order = { ...orderSource(member, CALL), transactionId, accept: accepts !== undefined }
        return { message_id: null, status: (await services.ledger.answer(order)).status }
      }
      if (isBlank(says ?? 'a photo')) return refuse('message.blank')
      const room = await conversationOf({ db, topId }, { username, third_party_id })
      const message = { ...member, code: room.code, call: CALL } as const
      const { actor, idempotencyKey, caller } = member
      const owner = { topId, roomId: room.id, senderId: actor.id, requestId: idempotencyKey.id }
      const sent =
        says === undefined
          ? await services.messages.send({
              ...message,
              type: MessageType.image,
              ...(await services.media.saveRoomImage(db, { ...owner, network: caller.network, actor }, PHOTO)),
            })
          : await services.messages.send({ ...message, type: MessageType.text, content: says })
      return { message_id: sent.message_id, status: null }
    },
  },

  'sandbox/passTime': {
    batched: async (ctx: BatchedApiCtx, { hours }: Input<'sandbox/passTime'>) => {
      const { db, services, topId, report } = ctx
      if (!report) throw new Error('letting time pass needs a request_id')
      const passed = await once(db, report, async (tx) => {
        await ctx.keepRight(tx)
        await ensureSandbox(tx, topId)
        const row = await one<{ moved: number }>(tx, sql`select pass_time(${topId}, ${hours}) as moved`)
        return { moved: row?.moved ?? 0 }
      })
      await services.ledger.expireDue()
      return passed
    },
  },
}
