import { sizeFor } from './size.ts'

export type ShrunkImage = { blob: Blob; width: number; height: number }
const QUALITY = 0.7

/** Draws an image smaller, as JPEG. Runs in a worker where there is one, so nothing here touches the page. */
export const shrinkImage = async (file: Blob): Promise<ShrunkImage> => {
  const whole = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const size = sizeFor(whole.width, whole.height)
  // Both sizes are given: with one alone some browsers round the other differently.
  const small = await createImageBitmap(whole, {
    resizeWidth: size.width,
    resizeHeight: size.height,
    resizeQuality: 'high',
  })
  whole.close()
  const canvas = makeCanvas(size.width, size.height)
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null
  if (!pen) throw new Error('no canvas')
  // What was transparent would be black in a JPEG.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, size.width, size.height)
  pen.drawImage(small, 0, 0)
  small.close()
  return { blob: await toBlob(canvas), ...size }
}

const makeCanvas = (width: number, height: number): OffscreenCanvas | HTMLCanvasElement => {
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}

const toBlob = (canvas: OffscreenCanvas | HTMLCanvasElement): Promise<Blob> => {
  if (!('toBlob' in canvas)) return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))), 'image/jpeg', QUALITY)
  })
}
