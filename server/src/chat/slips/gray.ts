import sharp from 'sharp'

/** Gray values row by row, 0 to 255; NaN outside of the picture. */
export type Gray = { width: number; height: number; data: Float32Array }

/** An array of numbers, each by its place. `Float32Array.from` needs ten times as long. */
export const floats = (length: number, valueAt: (at: number) => number): Float32Array => {
  const out = new Float32Array(length)
  for (let at = 0; at < length; at++) out[at] = valueAt(at)
  return out
}

const WIDTH = 440
const MAX_HEIGHT = 990
/** At its border a picture shows a table or the edge of a screen. */
const BORDER = 0.03
/** Stored grays start here, so that what is below is outside, whatever WebP makes of it. */
const DARKEST = 32

/** An image as small grays. @throws what sharp throws when it is no image */
export const readGray = async (image: Buffer): Promise<Gray> => {
  const { data, info } = await sharp(image)
    .flatten({ background: '#fff' })
    .grayscale()
    .resize({ width: WIDTH, height: MAX_HEIGHT, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: floats(data.length, (at) => data.readUInt8(at)) }
}

/** Some kilobytes, to be stored. */
export const packGray = ({ width, height, data }: Gray): Promise<Buffer> => {
  const bytes = Buffer.alloc(data.length)
  for (let at = 0; at < data.length; at++) {
    const gray = data[at]!
    if (gray === gray) bytes[at] = DARKEST + (gray * (255 - DARKEST)) / 255
  }
  return sharp(bytes, { raw: { width, height, channels: 1 } })
    .webp({ quality: 70 })
    .toBuffer()
}

export const unpackGray = async (packed: Buffer): Promise<Gray> => {
  const { data, info } = await sharp(packed).grayscale().raw().toBuffer({ resolveWithObject: true })
  const gray = (byte: number) => (byte < DARKEST / 2 ? Number.NaN : ((byte - DARKEST) * 255) / (255 - DARKEST))
  return { width: info.width, height: info.height, data: floats(data.length, (at) => gray(data.readUInt8(at))) }
}

/** A picture without its border. */
export const inner = ({ width, height, data }: Gray): Gray => {
  const border = Math.round(width * BORDER)
  const out = new Float32Array(data.length).fill(Number.NaN)
  for (let y = border; y < height - border; y++)
    out.set(data.subarray(y * width + border, (y + 1) * width - border), y * width + border)
  return { width, height, data: out }
}

/** 64 bits by which pictures of one design are near each other: whether each of 8 x 8 places is lighter than its left one. */
export const hashOf = async ({ width, height, data }: Gray): Promise<string> => {
  const bytes = Buffer.from(data.map((gray) => (gray !== gray ? 0 : gray)))
  const small = await sharp(bytes, { raw: { width, height, channels: 1 } })
    .resize(9, 8, { fit: 'fill' })
    .raw()
    .toBuffer()
  const isLighter = (_: unknown, at: number) => {
    const from = 9 * Math.floor(at / 8) + (at % 8)
    return small.readUInt8(from + 1) > small.readUInt8(from) ? '1' : '0'
  }
  return Array.from({ length: 64 }, isLighter).join('')
}
