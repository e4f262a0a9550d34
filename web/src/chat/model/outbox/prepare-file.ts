import { MAX_FILE_BYTES, MAX_VOICE_BYTES, MAX_VOICE_SECONDS } from '@tallyroom/contract/files'
import type { WordKey } from '@tallyroom/locales'
import { fileKind } from '../../../media/file-kind.ts'
import { prepareImage } from '../../../media/resize.ts'
import type { Outbox } from './outbox.ts'

/** The file cannot be sent. */
class Unfit extends Error {
  readonly word: WordKey
  constructor(word: WordKey) {
    super(word)
    this.word = word
  }
}
const errorWordOf = (error: unknown): WordKey => {
  if (error instanceof Unfit) return error.word
  if (!(error instanceof Error && 'reason' in error)) return 'network.failed'
  return error.reason === 'too_large' ? 'message.image_too_large' : 'message.not_an_image'
}

type Prepared = { content: string; options: Parameters<Outbox['add']>[2] }
const fileOf = (blob: File): Prepared => ({ content: '', options: { source: { blob, name: blob.name } } })

const prepare = async (file: File): Promise<Prepared> => {
  if (file.size === 0) throw new Unfit('message.file_empty')
  const kind = await fileKind(file).catch(() => {
    throw new Unfit('message.file_changed')
  })
  if (kind === undefined)
    throw new Unfit(file.type.startsWith('image/') ? 'message.not_an_image' : 'message.file_unknown')
  if (kind === 'image') {
    const image = await prepareImage(file)
    return { content: image.content, options: { image } }
  }
  if (file.size > (kind === 'pdf' ? MAX_FILE_BYTES : MAX_VOICE_BYTES)) throw new Unfit('message.file_too_large')
  if (kind === 'pdf') return fileOf(file)
  const { measureVoice } = await import('../../../media/waveform.ts')
  const voice = (await measureVoice(file)) ?? { ms: 0, waveform: [] }
  if (voice.ms > (MAX_VOICE_SECONDS + 1) * 1000) throw new Unfit('message.voice_too_long')
  return { content: '', options: { source: { blob: file, name: '', voice } } }
}

/** Checks a file before it is sent, so that nobody waits for an upload that is refused. */
export const prepareFile = (file: File): Promise<Prepared | { error: WordKey }> =>
  prepare(file).catch((error: unknown) => ({ error: errorWordOf(error) }))
