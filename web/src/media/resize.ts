import { type ShrunkImage, shrinkImage } from './shrink-image.ts'
import { isImage } from './size.ts'

export type Prepared = { content: string; width: number; height: number }
/** Why a file cannot be sent. */
export class ImageRefused extends Error {
  readonly why: 'not_an_image' | 'too_large'
  constructor(why: 'not_an_image' | 'too_large') {
    super(why)
    this.why = why
  }
}

/** Sealing an image makes it 1.8 times as long, and the server takes 8 MB. */
const MOST_BYTES = 4_400_000
/** What no phone makes, and no browser draws. */
const MOST_TO_DRAW = 200_000_000

let worker: Worker | undefined | null
let count = 0
const waiting = new Map<number, (drawn: ShrunkImage | undefined) => void>()

const startWorker = (): Worker | null => {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined') return null
  const made = new Worker(new URL('./resize.worker.ts', import.meta.url), { type: 'module' })
  made.onmessage = ({ data }: MessageEvent<{ id: number; drawn?: ShrunkImage }>) => {
    waiting.get(data.id)?.(data.drawn)
    waiting.delete(data.id)
  }
  // It could not be loaded or ran out of memory: the page draws by itself.
  made.onerror = () => {
    worker = null
    for (const answer of waiting.values()) answer(undefined)
    waiting.clear()
  }
  return made
}

const drawSomewhere = async (file: File): Promise<ShrunkImage | undefined> => {
  worker ??= worker === undefined ? startWorker() : null
  const helper = worker
  if (helper) {
    const id = ++count
    const drawn = await new Promise<ShrunkImage | undefined>((resolve) => {
      waiting.set(id, resolve)
      helper.postMessage({ id, file })
    })
    if (drawn || worker) return drawn
  }
  return shrinkImage(file).catch(() => undefined)
}

const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(blob)
  })

/**
 * Makes a chosen file ready to send: 1200 wide, JPEG. What a browser cannot draw goes as it is, if it is small enough:
 * the server may know it. Throws ImageRefused.
 */
export const prepareImage = async (file: File): Promise<Prepared> => {
  // A file that has gone away, or may not be read, is no image either.
  const head = await file
    .slice(0, 16)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  if (!isImage(new Uint8Array(head))) throw new ImageRefused('not_an_image')
  if (file.size > MOST_TO_DRAW) throw new ImageRefused('too_large')
  const drawn = await drawSomewhere(file)
  const blob = drawn?.blob ?? file
  if (blob.size > MOST_BYTES) throw new ImageRefused('too_large')
  return { content: await dataUrl(blob), width: drawn?.width ?? 0, height: drawn?.height ?? 0 }
}
