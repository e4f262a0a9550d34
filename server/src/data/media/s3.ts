import { Readable } from 'node:stream'
import type { S3Settings } from '../../config/media-settings.ts'
import { withTimeout } from '../../lib/concurrency.ts'
import type { Measures } from '../../lib/measures.ts'
import { type Answer, type AskS3, s3Requests } from './s3-requests.ts'
import { type ByteRange, bytesIn, MediaAway, type MediaStore, type StoredMedia } from './store.ts'

/** How often a body that breaks off is asked for again, from where it ended. */
const MAX_CUTS = 2

/** Objects of one bucket. */
export const s3Store = async (settings: S3Settings, measures: Pick<Measures, 's3'>): Promise<MediaStore> => {
  const ask = await s3Requests(settings, measures)

  /** Asks for the first byte: fetch() closes a connection after each HEAD request. */
  const size = async (key: string): Promise<number | undefined> => {
    const range = { from: 0, to: 0 }
    const answer = await ask({ name: 'get', key, headers: headersOf(range) })
    if (answer.status === 404) return undefined
    return answer.status === 416 ? 0 : answeredRange(answer, range).size
  }

  const open: MediaStore['open'] = async (key, range) => {
    const stop = new AbortController()
    const get = (part?: ByteRange) => ask({ name: 'get', key, headers: headersOf(part), isStreamed: true }, stop.signal)
    // Servers disagree about asking for the last 0 bytes.
    const answer = range && 'last' in range && range.last === 0 ? undefined : await get(range)
    if (!answer || answer.status === 416) {
      const found = await size(key)
      return found === undefined ? undefined : { kind: 'none', size: found }
    }
    if (answer.status === 404) return undefined
    const answered = answeredRange(answer, range)
    const { to } = answered
    const again = async (from: number) => {
      const rest = await get({ from, to })
      if (rest.status === 404) throw new MediaAway('S3 (get): it was deleted while it was read')
      answeredRange(rest, { from, to })
      return rest
    }
    const stream = streamOf(answer, { ...answered, again, idleMs: settings.seconds * 1000, stop })
    return { kind: 'bytes', ...answered, stream }
  }

  return {
    async put(key, body) {
      await ask({ name: 'put', key, body })
    },

    async read(key) {
      const opened = await open(key)
      return opened?.kind === 'bytes' ? Buffer.concat(await opened.stream.toArray()) : undefined
    },

    open,
    size,

    async remove(key) {
      await ask({ name: 'delete', key })
    },

    list: (prefix) => listAll(ask, settings.prefix, prefix),
  }
}

const headersOf = (range: ByteRange | undefined): Record<string, string> =>
  range ? { range: `bytes=${'last' in range ? `-${range.last}` : `${range.from}-${range.to ?? ''}`}` } : {}

type AnsweredRange = { size: number; from: number; to: number }
const answeredRange = (answer: Answer, range: ByteRange | undefined): AnsweredRange => {
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')
  if (found) return { from: Number(found[1]), to: Number(found[2]), size: Number(found[3]) }
  const length = Number(answer.headers.get('content-length'))
  const asked = bytesIn(range, length)
  // A server that knows no ranges would send the whole as if it were the part.
  if (asked?.from !== 0 || asked.to !== length - 1)
    throw new MediaAway('S3 (get): the answer does not say which bytes it has')
  return { ...asked, size: length }
}

type Rest = AnsweredRange & { again: (from: number) => Promise<Answer>; idleMs: number; stop: AbortController }
/** The bytes of an answer, read only as fast as the stream is. One that breaks off is asked for again, from there. */
const streamOf = (answer: Answer, { from, to, again, idleMs, stop }: Rest): Readable => {
  let body = answer.body?.getReader()
  let at = from
  let cuts = 0
  const next = async (): Promise<Buffer | null> => {
    for (;;) {
      // Undefined: it broke off, or nothing comes any more.
      const part = body && (await withTimeout(body.read(), idleMs).catch(() => undefined))
      if (part?.value) {
        at += part.value.length
        return Buffer.from(part.value.buffer, part.value.byteOffset, part.value.length)
      }
      if (at > to) return null
      body?.cancel().catch(() => undefined)
      if (++cuts > MAX_CUTS) throw new MediaAway(`S3 (get): the answer broke off ${cuts} times`)
      body = (await again(at)).body?.getReader()
    }
  }
  return new Readable({
    read() {
      next().then(
        (part) => this.push(part),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      stop.abort()
      done(error)
    },
  })
}

/** Page by page. */
async function* listAll(ask: AskS3, before: string, prefix: string): AsyncGenerator<StoredMedia> {
  for (let token: string | undefined; ; ) {
    const query = { 'list-type': '2', prefix: before + prefix, ...(token && { 'continuation-token': token }) }
    const { text } = await ask({ name: 'list', query })
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
