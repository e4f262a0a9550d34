import type { Quote } from '@tallyroom/contract/events'
import type { WordKey } from '@tallyroom/locales'
import { makeEmitter } from '../emitter.ts'
import type { Outbox } from './outbox.ts'

type Chosen = { quote?: Quote | undefined; onlyImages?: boolean | undefined }

/** How many chosen files of a room are being prepared, and why the last one failed. */
type Photos = { readonly busy: number; readonly error?: WordKey }
const none: Photos = { busy: 0 }

/** Loaded while the page is online, so that a photo can be chosen and resized offline. */
const loadPreparing = () => import('./prepare-file.ts')

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
  const prepare = async (
    code: string,
    files: readonly File[],
    { quote, onlyImages = false }: Chosen,
  ): Promise<void> => {
    const current = generation
    let unused = quote
    put(code, { busy: of(code).busy + 1 })
    for (const file of files) {
      const prepared = await loadPreparing()
        .then(({ prepareFile }) => prepareFile(file, onlyImages))
        .catch(() => ({ error: 'network.failed' as const }))
      if (current !== generation) return
      if ('error' in prepared) {
        put(code, { ...of(code), error: prepared.error })
        continue
      }
      outbox.add(code, prepared.content, { ...prepared.options, quote: unused })
      unused = undefined
    }
    put(code, { ...of(code), busy: of(code).busy - 1 })
  }
  return {
    subscribe,
    of,
    /** Preloads the code. If that fails, the first photo loads it again. */
    preload: () => void loadPreparing().catch(() => {}),
    /** The first file carries the quote. `onlyImages` refuses PDF files and voice messages too. */
    add: (code: string, files: readonly File[], chosen: Chosen = {}) => void prepare(code, files, chosen),
    dismissError: (code: string) => put(code, { busy: of(code).busy }),
    /** Drops unfinished files: another account may sign in. */
    clear: () => {
      generation++
      all.clear()
    },
  }
}
