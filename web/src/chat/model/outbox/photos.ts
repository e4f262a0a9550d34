import type { Quote } from '@tallyroom/contract/events'
import { MAX_FILE_BYTES, MAX_VOICE_BYTES, MAX_VOICE_SECONDS } from '@tallyroom/contract/files'
import type { WordKey } from '@tallyroom/locales'
import { makeEmitter } from '../emitter.ts'
import type { Outbox } from './outbox.ts'

/** How many chosen files of a room are being prepared, and why the last one failed. */
type Photos = { readonly busy: number; readonly error?: WordKey }
const none: Photos = { busy: 0 }

/** Loaded while the page is online, so that a photo can be chosen and resized offline. */
const loadMedia = async () => {
  const [{ fileKind }, { prepareImage }] = await Promise.all([
    import('../../../media/file-kind.ts'),
    import('../../../media/resize.ts'),
  ])
  return { fileKind, prepareImage }
}

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

/** Checks a file before it is sent, so that nobody waits for an upload that is refused. */
const prepareFile = async (file: File): Promise<Prepared> => {
  if (file.size === 0) throw new Unfit('message.file_empty')
  const { fileKind, prepareImage } = await loadMedia()
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

/** A file belongs to the room in which it was chosen, also when another room is open by the time it is ready. */
export const makePhotos = (outbox: Pick<Outbox, 'add'>) => {
  const all = new Map<string, Photos>()
  const { emit, subscribe } = makeEmitter()
  let generation = 0
  const of = (code: string) => all.get(code) ?? none
  const put = (code: string, photos: Photos) => {
    all.set(code, photos)
    emit(code)
  }
  const prepare = async (code: string, files: readonly File[], quote?: Quote): Promise<void> => {
    const current = generation
    let unused = quote
    put(code, { busy: of(code).busy + 1 })
    for (const file of files) {
      try {
        const { content, options } = await prepareFile(file)
        if (current !== generation) return
        outbox.add(code, content, { ...options, quote: unused })
        unused = undefined
      } catch (error) {
        if (current !== generation) return
        put(code, { ...of(code), error: errorWordOf(error) })
      }
    }
    put(code, { ...of(code), busy: of(code).busy - 1 })
  }
  return {
    subscribe,
    of,
    /** Preloads the code. If that fails, the first photo loads it again. */
    preload: () => void loadMedia().catch(() => {}),
    /** The first file carries the quote. */
    add: (code: string, files: readonly File[], quote?: Quote) => void prepare(code, files, quote),
    dismissError: (code: string) => put(code, { busy: of(code).busy }),
    /** Drops unfinished files: another account may sign in. */
    clear: () => {
      generation++
      all.clear()
    },
  }
}
