import { z } from 'zod'
import { calls } from '../../call.ts'
import { Count } from '../../fields.ts'

export const UploadId = z.string().regex(/^[0-9a-f]{32}$/)

export const uploadCalls = calls({
  /**
   * Begins an upload for a room. Its parts are bytes, not calls: `POST /upload/ID?offset=N` with a body of at most
   * 256 KB, which answers how many bytes the server has. After a cut, go on from there; then `message/sendFile`.
   */
  'upload/begin': {
    effect: 'write',
    request: z.object({
      code: z.string().max(64),
      /** The file's name; a voice note has none. */
      name: z.string().max(255).default(''),
      /** In bytes. */
      size: Count,
    }),
    response: z.object({ upload: z.string() }),
    refuses: ['room.not_found', 'message.file_empty', 'message.file_too_large', 'message.too_many_files'],
  },
})
