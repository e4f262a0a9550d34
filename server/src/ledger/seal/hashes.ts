import { createHash } from 'node:crypto'

/** The arithmetic of the seal, as docs/seal.md states it. web/public/check.html repeats it and shares no code. */

/** A hash of the wallet or the chain that has nothing before it. */
export const START = Buffer.alloc(32)

const sha256 = (...parts: (Buffer | string)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The postings of a wallet in a block; `hash` is that of the wallet up to `to`. */
export type Part = { walletId: number; to: bigint; hash: Buffer }

const partLeaf = ({ walletId, to, hash }: Part): Buffer => {
  const head = Buffer.alloc(13)
  head.writeInt32BE(walletId, 1)
  head.writeBigInt64BE(to, 5)
  return sha256(head, hash)
}
const ONE = Buffer.from([1])

/** The level above; a last one without a neighbour goes up as it is. */
const levelAbove = (level: Buffer[]): Buffer[] => {
  const above: Buffer[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at] as Buffer, level[at + 1]]
    above.push(right ? sha256(ONE, left, right) : left)
  }
  return above
}

/** The root of the tree over the parts of a block, in the order of their wallets. */
export const rootOf = (parts: Part[]): Buffer => {
  let level = parts.map(partLeaf)
  while (level.length > 1) level = levelAbove(level)
  return level[0] ?? START
}

/** Each part's way to the root: the hashes beside it, with the side on which they are. */
export const pathsOf = (parts: Part[]): string[][] => {
  const paths: string[][] = parts.map(() => [])
  let positions = parts.map((_, at) => at)
  for (let level = parts.map(partLeaf); level.length > 1; level = levelAbove(level)) {
    for (const [at, path] of paths.entries()) {
      const position = positions[at] as number
      const beside = level[position ^ 1]
      if (beside) path.push(`${position & 1 ? 'l' : 'r'}${beside.toString('hex')}`)
    }
    positions = positions.map((position) => position >> 1)
  }
  return paths
}

export type Header = { block: bigint; micros: bigint; rows: number; root: Buffer }

/** The head of a block: it fixes the block, the block before it, and one further back, so that any block is near. */
export const headOf = ({ block, micros, rows, root }: Header, before: Buffer, further: Buffer): Buffer =>
  sha256(
    ['tallyroom seal 1', block, micros, rows, ...[root, before, further].map((hash) => hash.toString('hex'))].join('|'),
  )

const withoutLowest = (n: bigint) => n & (n - 1n)

/** The block further back that a block names: a skip list, in which every block reaches every older one in few steps. */
export const furtherBack = (block: bigint): bigint => {
  if (block < 2n) return 0n
  return block & 1n ? withoutLowest(withoutLowest(block - 1n)) + 1n : withoutLowest(block)
}

/** The blocks from the newest to one of the past, both included. */
export const wayBack = (from: bigint, to: bigint): bigint[] => {
  const way = [from]
  for (let block = from; block > to; way.push(block)) {
    const further = furtherBack(block)
    block = further >= to ? further : block - 1n
  }
  return way
}

/** `BLOCK:HEAD`, as it is printed on statements and noted elsewhere. */
export const headText = (block: bigint, head: Buffer): string => `${block}:${head.toString('hex')}`
