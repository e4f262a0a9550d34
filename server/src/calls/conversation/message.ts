import type { messageCalls } from '@tallyroom/contract/calls/conversation/message'
import { MessageType } from '@tallyroom/contract/codes'
import { MAX_TEXT } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { createHash } from 'node:crypto'
import { mediaIdOf } from '../../chat/media-url.ts'
import { findGroupRoom, findRoom, lockRoom } from '../../chat/rooms.ts'
import { readUpTo } from '../../chat/read-room.ts'
import { takeBack } from '../../chat/take-back.ts'
import { shownFile } from '../../chat/room-views.ts'
import type { Attachment, RoomRow } from '../../chat/room-row.ts'
import { one, sql } from '../../data/sql.ts'
import { audit } from '../../identity/audit.ts'
import { ensure, refuse, Refused } from '../../lib/refusal.ts'
import type { BatchedCtx, Handlers } from '../handler.ts'

type UploadContext = Pick<BatchedCtx, 'db' | 'services' | 'actor'> & { room: RoomRow }
/** Checks a whole upload and stores what came out of it, under an id that the same request finds again. */
const storeUpload = async (
  { db, services, actor, room }: UploadContext,
  { id, upload, waveform }: { id: string; upload: string; waveform: number[] },
): Promise<Attachment> => {
  const found = await services.uploads.read(db, { accountId: actor.id, roomId: room.id, id: upload })
  const { name, bytes } = ensure(found, 'upload.not_found')
  const whole = ensure(bytes, 'upload.incomplete')
  const { type, body, ...facts } = await services.inspector.inspect(whole, actor.id).catch(async (error: unknown) => {
    // Kept, it could be inspected again and again without sending a byte.
    if (error instanceof Refused) await services.uploads.remove(db, upload)
    throw error
  })
  const attachment: Attachment = 'ms' in facts ? { ms: facts.ms, waveform } : { name, size: body.length }
  const owner = { id, topId: room.topId, roomId: room.id, senderId: actor.id }
  await services.media.saveRoomFile(db, owner, { type, body, attachment })
  await services.uploads.remove(db, upload, 'sent')
  return attachment
}

type Original = {
  type: typeof MessageType.text | typeof MessageType.image | typeof MessageType.voice | typeof MessageType.file
  attachment: Attachment | null
  content: string
  width: number | null
  height: number | null
  takenBackAt: Date
  senderId: number
}

export const messageHandlers = {
  sendMessage: {
    batched: async ({ db, services, actor, idempotencyKey, caller }, { code, type, content, draft, quote, seen }) => {
      const message = { actor, code, idempotencyKey, draft, quote, seen, call: 'sendMessage' as const }
      if (type === MessageType.image) {
        const room = await findRoom(db, actor, sql`r.code = ${code}`)
        const image = await services.media.saveRoomImage(
          db,
          {
            topId: room.topId,
            roomId: room.id,
            senderId: actor.id,
            requestId: idempotencyKey.id,
            network: caller.network,
            actor,
          },
          content,
        )
        return services.messages.send({ ...message, type, ...image })
      }
      if (type !== MessageType.text) return refuse('message.type_not_allowed')
      if (isBlank(content)) return refuse('message.blank')
      if (content.length > MAX_TEXT) return refuse('request.invalid', { field: 'content' })
      return services.messages.send({ ...message, type, content })
    },
  },

  readMessage: async ({ db, services, actor }, { message_id, code }) => {
    const room = await lockRoom(db, actor, code)
    const found = ensure(
      await one<{ seq: number }>(
        db,
        sql`select seq from messages where room_id = ${room.id} and message_id = ${message_id}`,
      ),
      'message.not_found',
    )
    await readUpTo(db, services.hub, { actor, room, seq: found.seq })
    return null
  },

  'message/sendFile': {
    batched: async ({ db, services, actor, idempotencyKey }, { code, upload, waveform, quote, seen }) => {
      const room = await findRoom(db, actor, sql`r.code = ${code}`)
      const id = createHash('sha256').update(`${room.id}/${idempotencyKey.id}/${upload}`).digest('hex').slice(0, 32)
      const attachment = await services.inspector.limitFiles(
        actor.id,
        async () =>
          // Stored by an earlier try of this request, whose answer was lost.
          (await services.media.roomFile(db, room.id, id)) ??
          (await storeUpload({ db, services, actor, room }, { id, upload, waveform })),
      )
      return services.messages.send({
        actor,
        code,
        call: 'message/sendFile',
        type: 'ms' in attachment ? MessageType.voice : MessageType.file,
        content: `/media/${id}`,
        attachment,
        idempotencyKey,
        quote,
        seen,
      })
    },
  },

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
        sql`select o.type, o.attachment, o.content, o.width, o.height, o.taken_back_at as "takenBackAt", m.sender_id as "senderId"
          from messages m join taken_back_messages o on o.room_id = m.room_id and o.seq = m.seq
          where m.room_id = ${room.id} and m.message_id = ${message_id} and m.sender_id is not null`,
      ),
      'message.not_found',
    )
    const { type, width, height, attachment } = found
    const isText = type === MessageType.text
    const media = isText ? undefined : await services.media.readTakenBack(db, room.id, mediaIdOf(found.content))
    if (!isText && !media) ensure(undefined, 'message.not_found')
    // Before the answer: who has read it is in the log, whatever becomes of the connection.
    await audit(db, ctx, 'original_read', { id: found.senderId, topId: room.topId }, { room_id: room.id, message_id })
    return {
      type,
      content: media ? `data:${media.type};base64,${media.body.toString('base64')}` : found.content,
      width,
      height,
      taken_back_at: found.takenBackAt.toISOString(),
      ...(attachment && 'ms' in attachment && { voice: attachment }),
      ...(attachment && 'size' in attachment && { file: shownFile(attachment, room, actor) }),
    }
  },
} satisfies Handlers<typeof messageCalls>
