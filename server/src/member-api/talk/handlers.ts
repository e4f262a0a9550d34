import type { MemberApi } from '@tallyroom/contract/member-api'
import { MessageType } from '@tallyroom/contract/codes'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { z } from 'zod'
import { findMessages, lockRooms } from '../../chat/messages.ts'
import { readUpTo } from '../../chat/read-room.ts'
import { sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { FieldFault } from '../../http/field-faults.ts'
import { refuse } from '../../lib/refusal.ts'
import type { ApiCtx, BatchedApiCtx } from '../context.ts'
import { invalidFields } from '../invalid-fields.ts'
import { keySource } from '../key-order.ts'
import { asConversation, conversationOf, conversationsOf } from './conversation.ts'
import { asApiMessage } from './message.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>

/** Refuses what no single field shows. */
const checkMessage = ({ as, text, image, quote, seen }: Input<'message/send'>) => {
  const ofAnswers = Object.entries({ image, quote, seen })
  const [first, ...others]: FieldFault[] = [
    ...((text === undefined) === (image === undefined)
      ? [{ path: ['text'], reason: 'Give exactly one of text and image' }]
      : []),
    ...ofAnswers.flatMap(([name, value]) =>
      as === 'notice' && value !== undefined ? [{ path: [name], reason: 'A notice has none' }] : [],
    ),
  ]
  if (first) throw invalidFields([first, ...others])
}

export const talkHandlers = {
  'message/send': {
    batched: async (ctx: BatchedApiCtx, input: Input<'message/send'>) => {
      checkMessage(input)
      const { db, services, caller, topId, keyId } = ctx
      const { as, text, image, quote, seen, username, third_party_id } = input
      const room = await conversationOf({ db, topId }, { username, third_party_id })
      const { source } = await keySource(ctx)
      const { actor, idempotencyKey } = source
      const message = {
        actor,
        idempotencyKey,
        code: room.code,
        call: 'api/message/send' as const,
        quote,
        seen,
        byKey: { id: keyId, right: 'talk:write' as const },
      }
      if (image !== undefined) {
        const owner = { topId, roomId: room.id, senderId: actor.id, requestId: idempotencyKey.id }
        const kept = await services.media.saveRoomImage(db, { ...owner, network: caller.network, actor }, image)
        return asSent(await services.messages.send({ ...message, type: MessageType.image, ...kept }))
      }
      const content = text ?? ''
      if (isBlank(content)) return refuse('message.blank')
      return asSent(
        await services.messages.send({
          ...message,
          type: as === 'notice' ? MessageType.notice : MessageType.text,
          content,
        }),
      )
    },
  },

  'message/list': async (ctx: ApiCtx, { after_seq, per_page, ...who }: Input<'message/list'>) => {
    const { db, services } = ctx
    const room = await conversationOf(ctx, who)
    const found = await findMessages(
      db,
      sql`m.room_id = ${room.id} and m.seq > ${after_seq} and m.seq <= ${room.lastSeq} order by m.seq limit ${per_page}`,
    )
    const last = found.at(-1)?.seq ?? room.lastSeq
    return {
      data: found.map((message) => asApiMessage(message, room, services)),
      last_seq: room.lastSeq,
      next: last < room.lastSeq ? last : null,
    }
  },

  'message/read': async (ctx: ApiCtx, { seq, ...who }: Input<'message/read'>) => {
    const { db, services, actor } = ctx
    const found = await conversationOf(ctx, who)
    const room = (await lockRooms(db, [found.id])).get(found.id)
    if (!room || room.lastSeq < seq) return refuse('message.not_found')
    await readUpTo(db, services.hub, { actor, room, seq })
    return { office_read_seq: room.groupReadSeq }
  },

  'room/list': async (ctx: ApiCtx, { waiting, after, per_page }: Input<'room/list'>) => {
    const [waitsAfter, idAfter] = after?.split('-').map(Number) ?? [0, 0]
    if (after && (waitsAfter !== 0) !== waiting)
      throw invalidFields([{ path: ['after'], reason: 'A cursor of the same list with another `waiting`' }])
    const { topId, db } = ctx
    const groups = sql`r.group_id in (select g.id from accounts g where g.top_id = ${topId} and g.role_id <= ${is.agent})`
    const at = sql`(extract(epoch from r.waiting_since) * 1000000)::bigint`
    const wanted = waiting
      ? sql`r.waiting_since is not null and (${at}, r.id) > (${waitsAfter ?? 0}::bigint, ${idAfter ?? 0}::int) order by r.waiting_since, r.id`
      : sql`r.id > ${idAfter ?? 0}::int order by r.id`
    const rows = await conversationsOf(
      db,
      sql`${groups} and r.top_id = ${topId} and p.role_id = ${is.member} and ${wanted} limit ${per_page + 1}`,
    )
    const data = rows.slice(0, per_page)
    const last = data.at(-1)
    return {
      data: data.map(asConversation),
      next: rows.length > per_page && last ? `rooms-${waiting ? last.waitsAt : 0}-${last.id}` : null,
    }
  },

  'room/view': async (ctx: ApiCtx, who: Input<'room/view'>) => asConversation(await conversationOf(ctx, who)),
}

const asSent = ({ message_id, seq, created_at }: { message_id: string; seq: number; created_at: string }) => ({
  message_id,
  seq,
  at: created_at,
})
