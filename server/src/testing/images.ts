import { crc32, deflateSync } from 'node:zlib'

/** Images for tests that are small and take their decoder long. */

const SIDE = 5000
const BLOCKS = Math.ceil(SIDE / 8) ** 2
/** How many blocks one code can say to be empty. */
const MAX_RUN = 32_767
const AC_COEFFICIENTS = 63
const BITS_OF_COEFFICIENT = 14

const segment = (marker: number, ...bytes: number[]) =>
  Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes])
/** Bits as JPEG writes them: filled up with ones, and a zero byte behind each 0xff. */
const entropy = (bits: string) => {
  const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2)) ?? []
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])))
}

/**
 * A valid progressive JPEG of 5000 x 5000 px in one colour with 882 scans for each component: one for each bit of each
 * coefficient. A decoder goes over 390,625 blocks for each. With one component it has 88 KB, with three 266 KB.
 */
export const scanBomb = (components: 1 | 3): Buffer => {
  const ids = Array.from({ length: components }, (_, n) => n + 1)
  const oneCode = [1, ...Array<number>(15).fill(0)]
  const side = [SIDE >> 8, SIDE & 0xff]
  const head = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc2, 8, ...side, ...side, components, ...ids.flatMap((id) => [id, 0x11, 0])),
    // One code of one bit: no difference for DC, and a run of empty blocks for AC.
    segment(0xc4, 0x00, ...oneCode, 0),
    segment(0xc4, 0x10, ...oneCode, 0xe0),
    segment(0xda, components, ...ids.flatMap((id) => [id, 0]), 0, 0, 0),
    entropy('0'.repeat(BLOCKS * components)),
  ]
  const runs = Array.from({ length: Math.ceil(BLOCKS / MAX_RUN) }, (_, n) => Math.min(MAX_RUN, BLOCKS - n * MAX_RUN))
  const empty = entropy(runs.map((run) => `0${(run - 16_384).toString(2).padStart(14, '0')}`).join(''))
  const scans = ids.flatMap((id) =>
    Array.from({ length: AC_COEFFICIENTS }, (_, at) => at + 1).flatMap((at) =>
      Array.from({ length: BITS_OF_COEFFICIENT }, (_, n) => BITS_OF_COEFFICIENT - 1 - n).flatMap((bit) => {
        const before = bit === BITS_OF_COEFFICIENT - 1 ? 0 : bit + 1
        return [segment(0xda, 1, id, 0, at, at, (before << 4) | bit), empty]
      }),
    ),
  )
  return Buffer.concat([...head, ...scans, Buffer.from([0xff, 0xd9])])
}

/** A grey PNG without content: with 1 x 25,000,000 px it has 50 KB, and a decoder needs seconds for its lines. */
export const emptyPng = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([size, Buffer.from([8, 0, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
