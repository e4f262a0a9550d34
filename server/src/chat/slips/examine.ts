import { hashOf, inner, packGray, readGray, unpackGray } from './gray.ts'
import { layOnto, pyramidOf } from './lay-onto.ts'
import { isSameSlip } from './same-slip.ts'

/** A small gray picture as it is stored (`packGray`). */
export type Packed = Uint8Array
/** `laid`: the picture in the frames that it fits, the best one first. */
export type Examined = { hash: string; own: Packed; laid: { frame: number; fit: number; picture: Packed }[] }

/** Frames that a picture fits worse than this have another design, or other names and amounts everywhere. */
const LEAST_FIT = 0.5

/** Reads the picture of a slip, and lays it into the frames of others. */
export const examineSlip = async (image: Uint8Array, frames: readonly Packed[]): Promise<Examined> => {
  const gray = await readGray(Buffer.from(image))
  // The first time it is asked for the hash alone.
  const pyramid = frames.length > 0 ? pyramidOf(gray) : undefined
  const laid: Examined['laid'] = []
  for (const [frame, packed] of frames.entries()) {
    const found = pyramid && layOnto(pyramid, pyramidOf(await unpackGray(Buffer.from(packed))))
    if (found && found.fit >= LEAST_FIT) laid.push({ frame, fit: found.fit, picture: await packGray(found.picture) })
  }
  laid.sort((a, b) => b.fit - a.fit)
  return { hash: await hashOf(gray), own: await packGray(inner(gray)), laid }
}

/** Which of other pictures in the same frame show the same slip. */
export const sameSlips = async (picture: Packed, others: readonly Packed[]): Promise<number[]> => {
  const one = await unpackGray(Buffer.from(picture))
  const same: number[] = []
  for (const [at, packed] of others.entries()) if (isSameSlip(one, await unpackGray(Buffer.from(packed)))) same.push(at)
  return same
}
