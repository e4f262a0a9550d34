import type { messageCalls } from '@tallyroom/contract/calls/message'
import { MessageType } from '@tallyroom/contract/codes'
import { findGroupRoom, lockRoom } from '../chat/rooms.ts'
import { takeBack } from '../chat/take-back.ts'
import { one, sql } from '../data/sql.ts'
import { audit } from '../identity/audit.ts'
import { ensure } from '../lib/refusal.ts'
import type { Handlers } from './handler.ts'

type Original = {
  type: typeof MessageType.text | typeof MessageType.image
  content: string
  width: number | null
  height: number | null
  takenBackAt: Date
  senderId: number
}

export const messageHandlers = {
  'message/takeBack': async ({ db, services, actor }, { code, message_id }) => {
    const room = await lockRoom(db, actor, code)
    await takeBack(db, services.hub, { actor, room, messageId: message_id })
    return null
  },

  // A read, so that no stored outcome keeps the words (idempotency.ts).
  'message/original': async (ctx, { code, message_id }) => {
    const { db, services, actor } = ctx
    const room = await findGroupRoom(db, actor, code)
    const found = ensure(
      await one<Original>(
        db,
        sql`select o.type, o.content, o.width, o.height, o.taken_back_at as "takenBackAt", m.sender_id as "senderId"
          from messages m join taken_back_messages o on o.room_id = m.room_id and o.seq = m.seq
          where m.room_id = ${room.id} and m.message_id = ${message_id}`,
      ),
      'message.not_found',
    )
    const { type, width, height } = found
    const isImage = type === MessageType.image
    const image = isImage
      ? await services.media.readTakenBack(db, room.id, found.content.slice('/media/'.length))
      : undefined
    if (isImage && !image) ensure(undefined, 'message.not_found')
    // Before the answer: who has read it is in the log, whatever becomes of the connection.
    await audit(db, ctx, 'original_read', { id: found.senderId, topId: room.topId }, { room_id: room.id, message_id })
    return {
      type,
      content: image ? `data:${image.type};base64,${image.body.toString('base64')}` : found.content,
      width,
      height,
      taken_back_at: found.takenBackAt.toISOString(),
    }
  },
} satisfies Handlers<typeof messageCalls>
