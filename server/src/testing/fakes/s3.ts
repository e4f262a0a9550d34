import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whenDone } from '../postgres.ts'

/**
 * A small S3 server in memory, for tests: what Tallyroom asks of one, with signatures checked by the rules that AWS
 * publishes (SigV4), and not by the library that signs. It is no proof that a real server takes the requests:
 * proofs/s3/s3.ts runs them against Ceph.
 */
export type FakeS3 = {
  url: string
  /** Objects by their keys, which have no bucket. */
  objects: Map<string, { body: Buffer; at: Date }>
  /** Requests that came, such as `PUT media/ab/abc`. */
  asked: string[]
  /** What the next requests meet instead of an answer; `times`: how many of them. */
  trouble(kind: Trouble | undefined, times?: number): void
  /** Requests whose connection was closed by the client before their answer was sent. */
  aborted: () => number
  /** That were opened. */
  connections: () => number
  /** The settings of a server that uses it. */
  env: Record<string, string>
  close(): Promise<void>
}
/**
 * `cut`: half of the body comes, then the connection ends. `stall`: half of it comes, and then nothing. `whole`: the
 * range is ignored.
 */
type Trouble = 'hang' | 'reset' | 'cut' | 'stall' | 'whole' | { status: number; code: string }

const KEYS = { access: 'test-access', secret: 'test/secret+key' }
const BUCKET = 'tallyroom-test'
/** Fewer than a real server puts on a page, so that tests get several. */
const PAGE = 3

export const startFakeS3 = async (): Promise<FakeS3> => {
  const objects: FakeS3['objects'] = new Map()
  const asked: string[] = []
  let trouble: Trouble | undefined
  let times = 0
  let aborted = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const inHost = url.hostname.startsWith(`${BUCKET}.`)
    const [bucket, ...rest] = inHost ? [BUCKET, url.pathname.slice(1)] : url.pathname.slice(1).split('/')
    const key = rest.join('/')
    asked.push(`${request.method} ${key || `?${url.searchParams.get('prefix')}`}`)
    const now = times > 0 ? trouble : undefined
    if (now && --times === 0) trouble = undefined
    response.on('close', () => (response.writableFinished ? 0 : aborted++))
    if (now === 'hang') return
    if (now === 'reset') return request.socket.destroy()
    if (typeof now === 'object') return fail(response, now.status, now.code)
    const refused = checkSignature(request, url, body)
    if (refused) return fail(response, 403, refused)
    if (bucket !== BUCKET) return fail(response, 404, 'NoSuchBucket')
    if (key === '') return list(response, url.searchParams)
    if (request.method === 'PUT') {
      objects.set(key, { body, at: new Date() })
      return response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = objects.get(key)?.body
    if (!found) return fail(response, 404, 'NoSuchKey')
    send(request, response, found, now)
  }

  const list = (response: ServerResponse, query: URLSearchParams) => {
    const after = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort()
    const page = keys.slice(0, PAGE)
    const more = keys.length > PAGE
    const contents = page.map((key) => {
      const { body, at } = objects.get(key) ?? { body: '', at: new Date() }
      return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`
    })
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    response.end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  whenDone(close)
  const env = {
    S3_URL: url,
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY: KEYS.access,
    S3_SECRET_KEY: KEYS.secret,
    S3_SECONDS: '1',
  }
  return {
    url,
    objects,
    asked,
    trouble(kind, most = Number.MAX_SAFE_INTEGER) {
      trouble = kind
      times = kind ? most : 0
    },
    aborted: () => aborted,
    connections: () => connections,
    env,
    close,
  }
}

const send = (request: IncomingMessage, response: ServerResponse, whole: Buffer, trouble: Trouble | undefined) => {
  const asked = trouble === 'whole' ? undefined : request.headers.range
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(asked ?? '') ?? []
  const from = first === '' ? (last === '' ? 0 : Math.max(0, whole.length - Number(last))) : Number(first)
  const to = first === '' || last === '' ? whole.length - 1 : Math.min(Number(last), whole.length - 1)
  if (from > to) return fail(response, 416, 'InvalidRange')
  const part = whole.subarray(from, to + 1)
  const range = asked ? { 'content-range': `bytes ${from}-${to}/${whole.length}` } : {}
  response.writeHead(asked ? 206 : 200, { 'content-length': part.length, ...range })
  if (trouble !== 'cut' && trouble !== 'stall') return response.end(part)
  response.write(part.subarray(0, part.length / 2), () => {
    if (trouble === 'cut') response.destroy()
  })
}

const fail = (response: ServerResponse, status: number, code: string) =>
  response.writeHead(status).end(`<Error><Code>${code}</Code><RequestId>${randomUUID()}</RequestId></Error>`)

const sha256 = (of: string | Buffer) => createHash('sha256').update(of).digest('hex')
const hmac = (key: string | Buffer, of: string) => createHmac('sha256', key).update(of).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** The code of a refusal, or undefined: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const checkSignature = (request: IncomingMessage, url: URL, body: Buffer): string | undefined => {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([\da-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!found) return 'AccessDenied'
  const [, access = '', day = '', region = '', signed = '', signature = ''] = found
  if (access !== KEYS.access) return 'InvalidAccessKeyId'
  if (region !== 'us-east-1') return 'AuthorizationHeaderMalformed'
  const { 'x-amz-date': date, 'x-amz-content-sha256': payload } = request.headers
  if (typeof date !== 'string' || !date.startsWith(day)) return 'AccessDenied'
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < 15 * 60_000)) return 'RequestTimeTooSkewed'
  // A signature is about the content only if it names its hash.
  if (payload !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const names = signed.split(';')
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date']) if (!names.includes(name)) return 'AccessDenied'
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signed,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = hmac(hmac(hmac(hmac(`AWS4${KEYS.secret}`, day), region), 's3'), 'aws4_request')
  const right = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'))
  return timingSafeEqual(right, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}
