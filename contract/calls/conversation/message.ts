import { z } from 'zod'
import { calls } from '../../call.ts'
import { MessageType } from '../../codes.ts'
import { FileFacts, Message, Voice } from '../../events.ts'
import { WAVEFORM_BARS, WAVEFORM_HEIGHT } from '../../files.ts'
import { DraftVersion, Int4, SeenSeq } from '../../fields.ts'
import { UploadId } from './upload.ts'

const one = z.object({ code: z.string().max(64), message_id: z.uuid() })

export const messageCalls = calls({
  sendMessage: {
    effect: 'write',
    size: 'image',
    request: z.object({
      code: z.string().max(64),
      /** 1 text, 2 image (`content` is a data URL). Only the ledger writes the other types. */
      type: Int4,
      content: z.string().min(1),
      /** The id of the message of this room that it answers. */
      quote: z.uuid().optional(),
      /**
       * The version of the sender's draft that this message sends: the draft is emptied unless a newer one is stored.
       */
      draft: DraftVersion,
      seen: SeenSeq,
    }),
    response: Message,
    refuses: [
      'room.not_found',
      'room.in_ai_hands',
      'room.held',
      'message.type_not_allowed',
      'message.blank',
      'message.not_an_image',
      'message.image_too_large',
      'message.too_many_files',
      'message.quote_not_found',
      'message.quote_taken_back',
    ],
  },
  readMessage: {
    effect: 'write',
    request: z.object({ message_id: z.uuid(), code: z.string().max(64) }),
    response: z.null(),
    refuses: ['room.not_found', 'message.not_found'],
  },
  /** Sends a whole upload of the same sender and room. Its content decides whether it is a voice note or a PDF. */
  'message/sendFile': {
    effect: 'write',
    request: z.object({
      code: z.string().max(64),
      upload: UploadId,
      /** What the sender's browser measured; a file has none. */
      waveform: z.array(z.int().min(0).max(WAVEFORM_HEIGHT)).max(WAVEFORM_BARS).default([]),
      /** The id of the message of this room that it answers. */
      quote: z.uuid().optional(),
      seen: SeenSeq,
    }),
    response: Message,
    refuses: [
      'room.not_found',
      'room.in_ai_hands',
      'room.held',
      'upload.not_found',
      'upload.incomplete',
      'message.file_unknown',
      'message.file_too_large',
      'message.voice_damaged',
      'message.voice_too_long',
      'message.voice_unsupported',
      'message.quote_not_found',
      'message.quote_taken_back',
    ],
  },
  /** The sender takes a text, photo, voice note or file back: both sides see that it was there, and nobody its words. */
  'message/takeBack': {
    effect: 'write',
    request: one,
    response: z.null(),
    refuses: [
      'room.not_found',
      'message.not_found',
      'message.not_yours',
      'message.is_points',
      'message.already_taken_back',
      'message.too_late',
    ],
  },
  /** What a message said before it was taken back, for the head of the room's group. Each answer is in the audit log. */
  'message/original': {
    effect: 'read',
    request: one,
    response: z.object({
      type: z.literal([MessageType.text, MessageType.image, MessageType.voice, MessageType.file]),
      /** The text; anything else as a data URL. */
      content: z.string(),
      width: z.int().nullable(),
      height: z.int().nullable(),
      taken_back_at: z.string(),
      voice: Voice.optional(),
      file: FileFacts.optional(),
    }),
    refuses: ['room.not_found', 'message.not_found'],
  },
})
