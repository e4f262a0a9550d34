import sharp from 'sharp'
import { below, pick, type Random } from './designs.ts'

// How people copy the picture of a slip.

const sizeOf = async (image: Buffer) => {
  const { width, height } = await sharp(image).metadata()
  return { width, height }
}

const saved = async (image: Buffer, random: Random): Promise<Buffer> => {
  const { width } = await sizeOf(image)
  return sharp(image)
    .resize({ width: Math.round(width * (0.5 + random() * 0.7)) })
    .jpeg({ quality: 40 + below(random, 50) })
    .toBuffer()
}

/** Up to 5 % less on each side. */
const cropped = async (image: Buffer, random: Random): Promise<Buffer> => {
  const { width, height } = await sizeOf(image)
  const [left, top] = [Math.round(random() * 0.05 * width), Math.round(random() * 0.05 * height)]
  const area = {
    left,
    top,
    width: width - left - Math.round(random() * 0.05 * width),
    height: height - top - Math.round(random() * 0.05 * height),
  }
  return saved(await sharp(image).extract(area).toBuffer(), random)
}

/** From a screen: light from one side, up to 4 degrees aslant, with some of the table, blurred, in other contrast. */
const photographed = async (image: Buffer, random: Random): Promise<Buffer> => {
  const { width, height } = await sizeOf(image)
  const light = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="light" x1="${below(random, 2)}" y1="0" x2="${below(random, 2)}" y2="1">
    <stop offset="0" stop-color="#fff" stop-opacity="${random() * 0.3}"/><stop offset="1" stop-color="#000" stop-opacity="${random() * 0.3}"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#light)"/></svg>`
  const lit = await sharp(image)
    .composite([{ input: Buffer.from(light) }])
    .png({ compressionLevel: 1 })
    .toBuffer()
  const aslant = await sharp(lit)
    .rotate((random() - 0.5) * 8, { background: pick(random, ['#222', '#ddd', '#654', '#fff']) })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const whole = await sizeOf(aslant)
  const cut = (after: number, before: number) =>
    Math.round(((after - before) * (0.2 + random() * 0.7)) / 2 + random() * 0.02 * before)
  const [left, top] = [cut(whole.width, width), cut(whole.height, height)]
  const framed = await sharp(aslant)
    .extract({ left, top, width: whole.width - 2 * left, height: whole.height - 2 * top })
    .resize({ width: Math.round(width * (0.6 + random() * 0.6)) })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(framed)
    .blur(0.4 + random() * 1.4)
    .linear(0.75 + random() * 0.4, (random() - 0.5) * 50)
    .jpeg({ quality: 50 + below(random, 40) })
    .toBuffer()
}

export const copies = { saved, cropped, photographed }
