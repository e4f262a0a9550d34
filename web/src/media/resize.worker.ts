import { shrinkImage } from './shrink-image.ts'

self.onmessage = async ({ data }: MessageEvent<{ id: number; file: Blob }>) => {
  try {
    self.postMessage({ id: data.id, shrunk: await shrinkImage(data.file) })
  } catch {
    self.postMessage({ id: data.id })
  }
}
