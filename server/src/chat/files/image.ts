import sharp from 'sharp'
import { type ImageShape, shapes } from './image-shapes.ts'

/** Why an image is not taken. `isBomb`: it was made to keep its decoder busy. */
export class ImageRefused extends Error {
  readonly reason: 'not_an_image' | 'too_large'
  readonly isBomb: boolean
  constructor(reason: ImageRefused['reason'], why: string, isBomb = false) {
    super(why)
    this.reason = reason
    this.isBomb = isBomb
  }
}

const MAX_PIXELS = 25_000_000
/** A decoder needs time for each line, however short. The longest screenshots have about 20,000. */
const MAX_SIDE = 30_000
/** A decoder goes over all pixels once for each scan. Cameras and programs write about ten. */
const MAX_SCANS = 50

sharp.cache(false)
// Decoding shares the processors with everything else.
sharp.concurrency(1)

/**
 * Decodes an image and writes it again in the size of its shape: JPEG stays JPEG, all else becomes WebP. Metadata is
 * dropped. What takes long to decode is refused by its head and its markers. @throws ImageRefused
 */
export const encodeImage = async (bytes: Buffer, shape: ImageShape) => {
  const format = detectFormat(bytes)
  if (!format) throw new ImageRefused('not_an_image', 'an unknown format')
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
      throw new ImageRefused('too_large', `${width} x ${height} px`)
    const scans = format === 'jpeg' ? countScans(bytes) : 1
    if (scans > MAX_SCANS) throw new ImageRefused('too_large', `more than ${MAX_SCANS} scans`, true)
    const sized = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).rotate().resize(shapes[shape])
    const isPhoto = format === 'jpeg' && shape !== 'avatar'
    const coded = isPhoto ? sized.jpeg({ quality: 85 }) : sized.webp({ quality: 85 })
    const { data, info } = await coded.toBuffer({ resolveWithObject: true })
    return { type: isPhoto ? 'image/jpeg' : 'image/webp', body: data, width: info.width, height: info.height }
  } catch (error) {
    throw error instanceof ImageRefused ? error : new ImageRefused('not_an_image', String(error))
  }
}

/** Detects the format by the first bytes: the declared type proves nothing, and sharp would render SVG. */
const detectFormat = (bytes: Buffer): 'jpeg' | 'png' | 'webp' | 'gif' | undefined => {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg'
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  return undefined
}

const [STUFFED, FILL, RESTART, START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN] = [0, 0xff, 0xd0, 0xd8, 0xd9, 0xda]
/** The scans of a JPEG, as its decoder finds them (ITU T.81, B.1.1). Counting ends beyond MAX_SCANS. */
const countScans = (bytes: Buffer): number => {
  let scans = 0
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 3 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes.readUInt8(at + 1)
    if (marker === END_OF_IMAGE) break
    if (marker === START_OF_SCAN && ++scans > MAX_SCANS) break
    const isAlone = marker === STUFFED || (marker >= RESTART && marker <= START_OF_IMAGE)
    // A preview inside of a segment has scans of its own, so segments are skipped whole.
    at += marker === FILL ? 1 : isAlone ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
  return scans
}
