import { draw } from './shrink-image.ts'

self.onmessage = async ({ data }: MessageEvent<{ id: number; file: Blob }>) => {
  try {
    self.postMessage({ id: data.id, drawn: await draw(data.file) })
  } catch {
    self.postMessage({ id: data.id })
  }
}
