import type { Quote } from '@tallyroom/contract/events'
import type { WordKey } from '@tallyroom/locales'
import { makeEmitter } from './emitter.ts'
import type { Outbox } from './outbox.ts'

/** How many photos of a room are being resized, and why the last one failed. */
type Photos = { readonly busy: number; readonly error?: WordKey }
const none: Photos = { busy: 0 }

/** Loaded while the page is online, so that a photo can be resized offline. */
const loadMedia = () => import('../../media/resize.ts')
const errorWordOf = (error: unknown): WordKey => {
  if (!(error instanceof Error && 'reason' in error)) return 'network.failed'
  return error.reason === 'too_large' ? 'message.image_too_large' : 'message.not_an_image'
}

/** A photo belongs to the room in which it was chosen, also when another room is open by the time it is ready. */
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
        const { prepareImage } = await loadMedia()
        const image = await prepareImage(file)
        if (current !== generation) return
        outbox.add(code, image.content, { image: image.width ? image : undefined, quote: unused })
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
    /** The first photo carries the quote. */
    add: (code: string, files: readonly File[], quote?: Quote) => void prepare(code, files, quote),
    dismissError: (code: string) => put(code, { busy: of(code).busy }),
    /** Drops unfinished photos: another account may sign in. */
    clear: () => {
      generation++
      all.clear()
    },
  }
}
