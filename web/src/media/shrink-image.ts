import { sizeFor } from './size.ts'

export type ShrunkImage = { blob: Blob; width: number; height: number }
const QUALITY = 0.7

/** Shrinks an image and encodes it as JPEG. It also runs in a worker, so it must not touch the document. */
export const shrinkImage = async (file: Blob): Promise<ShrunkImage> => {
  const whole = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const size = sizeFor(whole.width, whole.height)
  // Set both sizes: with only one, browsers round the other differently.
  const small = await createImageBitmap(whole, {
    resizeWidth: size.width,
    resizeHeight: size.height,
    resizeQuality: 'high',
  })
  whole.close()
  const canvas = makeCanvas(size.width, size.height)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null
  if (!context) throw new Error('The browser has no 2D canvas')
  // Without a background, transparent pixels become black in a JPEG.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, size.width, size.height)
  context.drawImage(small, 0, 0)
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
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The canvas could not be encoded as JPEG'))),
      'image/jpeg',
      QUALITY,
    )
  })
}
