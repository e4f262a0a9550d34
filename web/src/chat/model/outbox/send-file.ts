import { UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import type { Message, Voice } from '@tallyroom/contract/events'
import { type call, newRequestId, refusedBy, type sendBytes } from '../../../api/call.ts'

/** A chosen file, or a recording with what was measured while it was made. */
export type FileSource = { blob: Blob; name: string; voice?: Voice | undefined }

/** How far an upload has got. It stays for the next try, which goes on there. */
export type Upload = { request: string; id?: string; received: number }
export const newUpload = (): Upload => ({ request: newRequestId(), received: 0 })

/** The file on the disk is another one by now, or gone. */
export class FileChanged extends Error {}

type Work = {
  code: string
  /** The id of the message. */
  id: string
  source: FileSource
  quote: string | undefined
  seen: number | undefined
  upload: Upload
  signal: AbortSignal
  onProgress: (share: number) => void
}
type Server = { ask: typeof call; sendBytes: typeof sendBytes }

/** Sends the missing parts of a file, then the message. Throws what the calls throw, and FileChanged. */
export const sendFile = async ({ ask, sendBytes: send }: Server, work: Work): Promise<Message> => {
  const { code, id, source, quote, seen, upload, signal, onProgress } = work
  const { blob, name, voice } = source
  const begun = (upload.id ??= (
    await ask('upload/begin', { code, name, size: blob.size, request_id: upload.request }, signal)
  ).upload)
  try {
    while (upload.received < blob.size) {
      const from = upload.received
      const bytes = await blob
        .slice(from, from + UPLOAD_PART_BYTES)
        .arrayBuffer()
        .catch(() => {
          throw new FileChanged()
        })
      upload.received = await send(`/upload/${begun}?offset=${from}`, bytes, signal)
      onProgress(upload.received / blob.size)
    }
    const waveform = voice?.waveform ?? []
    return await ask('message/sendFile', { code, upload: begun, waveform, quote, seen, request_id: id }, signal)
  } catch (error) {
    // Dropped by the server meanwhile: another try begins from the start.
    if (refusedBy('message/sendFile', error, 'upload.not_found')) Object.assign(upload, newUpload(), { id: undefined })
    throw error
  }
}
