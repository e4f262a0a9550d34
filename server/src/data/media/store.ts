import type { Readable } from 'node:stream'

/**
 * Images, voice notes and files by key: below DATA_DIR a key is a path, in S3 the name of an object. What is stored under
 * a key never changes.
 */
export type MediaStore = {
  /** Stores all of it or nothing. Repeatable. */
  put(key: string, body: Buffer): Promise<void>
  /** Undefined, as below: there is none. */
  read(key: string): Promise<Buffer | undefined>
  /** A part of it, or all, as a stream. Destroying the stream ends the work behind it. */
  open(key: string, range?: ByteRange): Promise<OpenedMedia | undefined>
  size(key: string): Promise<number | undefined>
  /** Repeatable: removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** All that begin with `prefix`, which ends with a slash. */
  list(prefix: string): AsyncIterable<StoredMedia>
}

/** As clients ask for it: from a byte (to another one), or so many bytes at the end. */
export type ByteRange = { from: number; to?: number } | { last: number }

/** `from` and `to` are the first and the last byte. `none`: the range has no byte of it. */
export type OpenedMedia =
  | { kind: 'bytes'; size: number; from: number; to: number; stream: Readable }
  | { kind: 'none'; size: number }

export type StoredMedia = { key: string; size: number; at: Date }

/** The S3 server did not answer in time, or refused: nobody can store or read there at the moment. */
export class MediaAway extends Error {
  override name = 'MediaAway'
}

/** Which bytes of `size` are asked for; undefined: none of them. */
export const bytesIn = (range: ByteRange | undefined, size: number): { from: number; to: number } | undefined => {
  if (!range) return { from: 0, to: size - 1 }
  const from = 'last' in range ? Math.max(0, size - range.last) : range.from
  const to = 'last' in range || range.to === undefined ? size - 1 : Math.min(range.to, size - 1)
  return from > to ? undefined : { from, to }
}
