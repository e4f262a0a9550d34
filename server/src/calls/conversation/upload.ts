import type { uploadCalls } from '@tallyroom/contract/calls/conversation/upload'
import { MAX_FILE_BYTES } from '@tallyroom/contract/files'
import { safeFileName } from '../../chat/files/file-name.ts'
import { findRoom } from '../../chat/rooms.ts'
import { sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Handlers } from '../handler.ts'

export const uploadHandlers = {
  'upload/begin': async ({ db, services, actor, caller }, { code, name, size }) => {
    const room = await findRoom(db, actor, sql`r.code = ${code}`)
    if (size === 0) return refuse('message.file_empty')
    if (size > MAX_FILE_BYTES) return refuse('message.file_too_large')
    if (services.disk.isScarce()) return refuse('server.full')
    const sender = { actor, network: caller.network }
    const upload = { sender, roomId: room.id, name: safeFileName(name), size }
    return { upload: await services.uploads.begin(db, upload) }
  },
} satisfies Handlers<typeof uploadCalls>
