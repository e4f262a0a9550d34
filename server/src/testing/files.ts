import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import type { Person, Reply, TestServer } from './app.ts'

/** Files and voice notes for tests, and how to send them. */

export type PdfParts = {
  pages?: number
  /** Entries of the catalog, such as `/OpenAction 9 0 R`. */
  catalog?: string
  /** Entries of the first page. */
  page?: string
  /** More objects, by number. */
  objects?: Record<number, string>
  /** Objects 1 to 3 and `objects` in a compressed stream, as most programs write them today. */
  packed?: boolean
  info?: string
  /** Bytes of page content. */
  content?: Buffer
}

/** A PDF of plain pages. */
export const makePdf = ({ pages = 1, catalog = '', page = '', objects = {}, packed, info, content }: PdfParts = {}) => {
  const kids = Array.from({ length: pages }, (_, at) => 100 + at)
  const plain: Record<number, string> = {
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    2: `<< /Type /Pages /Count ${pages} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
    ...Object.fromEntries(
      kids.map((kid, at) => [
        kid,
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R ${at ? '' : page} >>`,
      ]),
    ),
    ...objects,
  }
  const words = content ?? Buffer.from('BT /F1 24 Tf 72 100 Td (Hello) Tj ET')
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: [number, number][] = []
  let at = parts[0]?.length ?? 0
  const put = (number: number, body: Buffer) => {
    const bytes = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    offsets.push([number, at])
    at += bytes.length
    parts.push(bytes)
  }
  const streamOf = (dict: string, data: Buffer) =>
    Buffer.concat([Buffer.from(`<< ${dict} /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')])
  put(4, streamOf('', words))
  if (packed) {
    const entries = Object.entries(plain)
    let offset = 0
    const heads = entries.map(([number, body]) => {
      const head = `${number} ${offset}`
      offset += Buffer.byteLength(body, 'latin1') + 1
      return head
    })
    const head = `${heads.join(' ')}\n`
    const data = deflateSync(Buffer.from(`${head}${entries.map(([, body]) => body).join('\n')}\n`, 'latin1'))
    put(5, streamOf(`/Type /ObjStm /N ${entries.length} /First ${head.length} /Filter /FlateDecode`, data))
  } else for (const [number, body] of Object.entries(plain)) put(Number(number), Buffer.from(body, 'latin1'))
  if (info) put(6, Buffer.from(info, 'latin1'))
  const rows = offsets.map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const more = info ? ' /Info 6 0 R' : ''
  const end = `xref\n0 1\n0000000000 65535 f \n${rows}trailer\n<< /Size 200 /Root 1 0 R${more} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end, 'latin1')])
}

/** 20 ms of silence as Opus, and 1024 samples of silence as AAC. */
const SILENT_OPUS = Buffer.from('f8fffe', 'hex')
const SILENT_AAC = Buffer.from('210049900219002380', 'hex')
/** One channel, 312 samples to skip, 48 kHz. */
const OPUS_HEAD = Buffer.from('4f707573486561640101380180bb0000000000', 'hex')
const formats = {
  webm: () => new WebMOutputFormat(),
  mp4: () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  ogg: () => new OggOutputFormat(),
}

type VoiceParts = {
  format?: keyof typeof formats
  seconds?: number
  tracks?: number
  tags?: { title: string; comment: string }
}
/**
 * A recording as browsers make it: Chrome and Firefox WebM or Ogg with Opus, Safari MP4 with AAC. The comment is also
 * behind what a decoder reads of its own description.
 */
export const makeVoice = async ({
  format = 'webm',
  seconds = 3,
  tracks = 1,
  tags,
}: VoiceParts = {}): Promise<Buffer> => {
  const codec = format === 'mp4' ? 'aac' : 'opus'
  const target = new BufferTarget()
  const output = new Output({ format: formats[format](), target })
  const sources = Array.from({ length: tracks }, () => new EncodedAudioPacketSource(codec))
  for (const source of sources) output.addAudioTrack(source)
  if (tags) output.setMetadataTags(tags)
  await output.start()
  const rate = codec === 'aac' ? 44_100 : 48_000
  const length = codec === 'aac' ? 1024 / rate : 0.02
  const described = (head: Buffer) => Buffer.concat([head, Buffer.from(tags?.comment ?? '')])
  const decoderConfig =
    codec === 'aac'
      ? {
          codec: 'mp4a.40.2',
          sampleRate: rate,
          numberOfChannels: 1,
          description: described(Buffer.from('1208', 'hex')),
        }
      : { codec: 'opus', sampleRate: rate, numberOfChannels: 1, description: described(OPUS_HEAD) }
  for (let at = 0; at < seconds; at += length) {
    const packet = new EncodedPacket(codec === 'aac' ? SILENT_AAC : SILENT_OPUS, 'key', at, length)
    for (const source of sources) await source.add(packet, { decoderConfig })
  }
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

/** A video of one frame without sound. */
export const makeVideo = async (): Promise<Buffer> => {
  const target = new BufferTarget()
  const output = new Output({ format: new WebMOutputFormat(), target })
  const source = new EncodedVideoPacketSource('vp8')
  output.addVideoTrack(source)
  await output.start()
  const decoderConfig = { codec: 'vp8', codedWidth: 16, codedHeight: 16 }
  await source.add(new EncodedPacket(Buffer.alloc(10), 'key', 0, 0.04), { decoderConfig })
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

type Server = Pick<TestServer, 'address'>
/** Posts one part. */
export const sendPart = async (server: Server, who: Person, upload: string, offset: number, bytes: Buffer) => {
  const answer = await fetch(`${server.address}/upload/${upload}?offset=${offset}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  return (await answer.json()) as Reply & { data: { received: number } | null }
}

/** Uploads a file in parts. @returns the id of the upload */
export const uploadFile = async (server: Server, who: Person, code: string, bytes: Buffer, name = 'slip.pdf') => {
  const { upload } = await who.call('upload/begin', { code, name, size: bytes.length, request_id: randomUUID() })
  for (let at = 0; at < bytes.length; at += UPLOAD_PART_BYTES)
    await sendPart(server, who, upload, at, bytes.subarray(at, at + UPLOAD_PART_BYTES))
  return upload
}

export const getMedia = (server: Server, who: Person | undefined, path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.address}${path}`, {
    headers: { ...(who ? { authorization: `Bearer ${who.token}` } : {}), ...headers },
  })
