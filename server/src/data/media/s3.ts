import { Readable } from 'node:stream'
import type { S3Settings } from '../../config/media-settings.ts'
import { withTimeout } from '../../lib/concurrency.ts'
import type { Measures } from '../../lib/measures.ts'
import { type Answer, refusalWords, type S3Requests, s3Requests } from './s3-requests.ts'
import { type ByteRange, bytesIn, MediaAway, type MediaStore, type StoredMedia } from './store.ts'

/** How often a body that breaks off is asked for again, from where it ended. */
const MAX_CUTS = 2

/** Objects of one bucket. */
export const s3Store = async (settings: S3Settings, measures: Pick<Measures, 's3'>): Promise<MediaStore> => {
  const requests = await s3Requests(settings, measures)
  const { ask, textOf } = requests
  const idleMs = settings.seconds * 1000

  /** Reads an answer whose content nobody needs to its end, so that its connection can be used again. */
  const ended = async (name: 'get' | 'put' | 'delete', answer: Answer): Promise<void> => {
    const text = await textOf(answer)
    if (answer.status !== 404 || (name !== 'put' && !text.includes('<Code>NoSuchBucket<'))) return
    throw new MediaAway(`S3 (${name}): ${refusalWords(404, Buffer.from(text))}`)
  }

  const get = async (key: string, range?: ByteRange, stop?: AbortSignal): Promise<Answer | undefined> => {
    const headers = range && {
      range: `bytes=${'last' in range ? `-${range.last}` : `${range.from}-${range.to ?? ''}`}`,
    }
    const answer = await ask({ name: 'get', key, ...(headers && { headers }) }, stop)
    if (answer.status !== 404) return answer
    await ended('get', answer)
    return undefined
  }

  /** Asks for the first byte: fetch() closes a connection after each HEAD request. */
  const size = async (key: string): Promise<number | undefined> => {
    const range = { from: 0, to: 0 }
    const answer = await get(key, range)
    if (!answer) return undefined
    await textOf(answer)
    return answer.status === 416 ? 0 : answeredRange(answer, range).size
  }

  const open: MediaStore['open'] = async (key, range) => {
    const stop = new AbortController()
    // Servers disagree about asking for the last 0 bytes.
    const isEmpty = range && 'last' in range && range.last === 0
    const answer = isEmpty ? undefined : await get(key, range, stop.signal)
    if (isEmpty || answer?.status === 416) {
      if (answer) await textOf(answer)
      const found = await size(key)
      return found === undefined ? undefined : { kind: 'none', size: found }
    }
    if (!answer) return undefined
    const answered = answeredRange(answer, range)
    const again = (from: number) => get(key, { from, to: answered.to }, stop.signal)
    return { kind: 'bytes', ...answered, stream: streamOf(bytesOf(answer, { ...answered, again, idleMs }), stop) }
  }

  return {
    async put(key, body) {
      await ended('put', await ask({ name: 'put', key, body }))
    },

    async read(key) {
      const opened = await open(key)
      if (opened?.kind !== 'bytes') return undefined
      const parts: Buffer[] = []
      for await (const part of opened.stream) parts.push(part as Buffer)
      return Buffer.concat(parts)
    },

    open,
    size,

    async remove(key) {
      await ended('delete', await ask({ name: 'delete', key }))
    },

    list: (prefix) => listAll(requests, settings.prefix, prefix),
  }
}

const lengthOf = ({ headers }: Answer) => Number(headers.get('content-length'))

type AnsweredRange = { size: number; from: number; to: number }
const answeredRange = (answer: Answer, range: ByteRange | undefined): AnsweredRange => {
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')
  if (found) return { from: Number(found[1]), to: Number(found[2]), size: Number(found[3]) }
  const length = lengthOf(answer)
  const asked = bytesIn(range, length)
  // A server that knows no ranges would send the whole as if it were the part.
  if (asked?.from !== 0 || asked.to !== length - 1)
    throw new MediaAway('S3 (get): the answer does not say which bytes it has')
  return { ...asked, size: length }
}

type Body = AnsweredRange & { again: (from: number) => Promise<Answer | undefined>; idleMs: number }
/** The bytes of an answer. One that breaks off is asked for again, from there. */
async function* bytesOf(first: Answer, { from, to, again, idleMs }: Body): AsyncGenerator<Buffer> {
  let answer: Answer | undefined = first
  let at = from
  for (let cuts = 0; at <= to; ) {
    const part = await nextPart(answer, idleMs)
    if (part) {
      at += part.length
      yield part
      continue
    }
    answer?.end()
    if (++cuts > MAX_CUTS) throw new MediaAway(`S3 (get): the answer broke off ${cuts} times`)
    answer = await again(at)
    if (!answer) throw new MediaAway('S3 (get): it was deleted while it was read')
  }
  // Its end: the connection can then be used again.
  await nextPart(answer, idleMs)
}

/** Undefined: it broke off, or nothing comes any more. */
const nextPart = async (answer: Answer | undefined, idleMs: number): Promise<Buffer | undefined> => {
  if (!answer?.body) return undefined
  const read = await withTimeout(answer.body.read(), idleMs).catch(() => undefined)
  return read?.value && Buffer.from(read.value.buffer, read.value.byteOffset, read.value.length)
}

/** Reads only as fast as it is read. Unlike `Readable.from`, destroying it ends a read that is under way. */
const streamOf = (bytes: AsyncGenerator<Buffer>, stop: AbortController): Readable => {
  let isOver = false
  const stream = new Readable({
    read() {
      bytes.next().then(
        ({ value, done }) => {
          isOver = done === true
          stream.push(done ? null : value)
        },
        (error: Error) => stream.destroy(error),
      )
    },
    destroy(error, done) {
      if (!isOver) stop.abort()
      done(error)
    },
  })
  return stream
}

/** Page by page. */
async function* listAll({ ask, textOf }: S3Requests, before: string, prefix: string): AsyncGenerator<StoredMedia> {
  for (let token: string | undefined; ; ) {
    const query = { 'list-type': '2', prefix: before + prefix, ...(token && { 'continuation-token': token }) }
    const answer = await ask({ name: 'list', query })
    const text = await textOf(answer)
    if (answer.status !== 200) throw new MediaAway(`S3 (list): ${refusalWords(answer.status, Buffer.from(text))}`)
    for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const of = (name: string) => plain(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(object)?.[1] ?? '')
      yield { key: of('Key').slice(before.length), size: Number(of('Size')), at: new Date(of('LastModified')) }
    }
    const next = /<NextContinuationToken>(.*?)<\/NextContinuationToken>/s.exec(text)?.[1]
    if (!next || !text.includes('<IsTruncated>true<')) return
    token = plain(next)
  }
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
const plain = (xml: string) => xml.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '')
