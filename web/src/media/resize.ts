import { type ShrunkImage, shrinkImage } from './shrink-image.ts'
import { isImage } from './size.ts'

export type PreparedImage = { content: string; width: number; height: number }
/** The file cannot be sent. */
export class ImageError extends Error {
  readonly reason: 'not_an_image' | 'too_large'
  constructor(reason: 'not_an_image' | 'too_large') {
    super(reason)
    this.reason = reason
  }
}

/** Encryption makes an image 1.8 times as long, and the server accepts 8 MB. */
const MAX_BYTES = 4_400_000
/** Larger than any photo, and too large for a browser to decode. */
const MAX_INPUT_BYTES = 200_000_000

let worker: Worker | undefined | null
let count = 0
const waiting = new Map<number, (shrunk: ShrunkImage | undefined) => void>()

const startWorker = (): Worker | null => {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined') return null
  const made = new Worker(new URL('./resize.worker.ts', import.meta.url), { type: 'module' })
  made.onmessage = ({ data }: MessageEvent<{ id: number; shrunk?: ShrunkImage }>) => {
    waiting.get(data.id)?.(data.shrunk)
    waiting.delete(data.id)
  }
  // The worker could not be loaded or ran out of memory: shrink in the page.
  made.onerror = () => {
    worker = null
    for (const answer of waiting.values()) answer(undefined)
    waiting.clear()
  }
  return made
}

const shrink = async (file: File): Promise<ShrunkImage | undefined> => {
  worker ??= worker === undefined ? startWorker() : null
  const target = worker
  if (target) {
    const id = ++count
    const shrunk = await new Promise<ShrunkImage | undefined>((resolve) => {
      waiting.set(id, resolve)
      target.postMessage({ id, file })
    })
    if (shrunk || worker) return shrunk
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
 * Prepares a chosen file: at most 1200 px wide, JPEG. A file that the browser cannot decode is sent unchanged if it is
 * small enough, because the server may know its format. Throws ImageError.
 */
export const prepareImage = async (file: File): Promise<PreparedImage> => {
  // A file that was deleted or cannot be read is not an image either.
  const head = await file
    .slice(0, 16)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  if (!isImage(new Uint8Array(head))) throw new ImageError('not_an_image')
  if (file.size > MAX_INPUT_BYTES) throw new ImageError('too_large')
  const shrunk = await shrink(file)
  const blob = shrunk?.blob ?? file
  if (blob.size > MAX_BYTES) throw new ImageError('too_large')
  return { content: await dataUrl(blob), width: shrunk?.width ?? 0, height: shrunk?.height ?? 0 }
}
