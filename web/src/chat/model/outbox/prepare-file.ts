import { MAX_FILE_BYTES, MAX_VOICE_BYTES, MAX_VOICE_SECONDS } from '@tallyroom/contract/files'
import type { WordKey } from '@tallyroom/locales'
import { fileKind } from '../../../media/file-kind.ts'
import { ImageError, prepareImage } from '../../../media/resize.ts'
import type { Outbox } from './outbox.ts'

type Prepared = { content: string; options: Parameters<Outbox['add']>[2] }
const fileOf = (blob: File): Prepared => ({ content: '', options: { source: { blob, name: blob.name } } })
/** The file cannot be sent. */
const unfit = (error: WordKey) => ({ error })

const prepareAsImage = async (file: File) => {
  try {
    const image = await prepareImage(file)
    return { content: image.content, options: { image } }
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    return unfit(error.reason === 'too_large' ? 'message.image_too_large' : 'message.not_an_image')
  }
}

/**
 * Checks a file before it is sent, so that nobody waits for an upload that is refused. Rejects when code cannot be loaded.
 * `onlyImages`: it was chosen as a photo (ROOM-07).
 */
export const prepareFile = async (file: File, onlyImages: boolean): Promise<Prepared | { error: WordKey }> => {
  if (file.size === 0) return unfit('message.file_empty')
  const kind = await fileKind(file).catch(() => 'changed' as const)
  if (kind === 'changed') return unfit('message.file_changed')
  if (kind === 'image') return prepareAsImage(file)
  if (onlyImages) return unfit('message.not_an_image')
  if (kind === undefined) return unfit(file.type.startsWith('image/') ? 'message.not_an_image' : 'message.file_unknown')
  if (kind === 'pdf') return file.size > MAX_FILE_BYTES ? unfit('message.file_too_large') : fileOf(file)
  // Nearly every larger one is a video.
  if (file.size > MAX_VOICE_BYTES) return unfit('message.voice_unsupported')
  const { measureVoice } = await import('../../../media/waveform.ts')
  const voice = (await measureVoice(file)) ?? { ms: 0, waveform: [] }
  if (voice.ms > (MAX_VOICE_SECONDS + 1) * 1000) return unfit('message.voice_too_long')
  return { content: '', options: { source: { blob: file, name: '', voice } } }
}
