import { inflateSync } from 'node:zlib'
import { PdfRefused, refuseActive, refuseHidden } from './pdf-active.ts'
import { type PdfObject, type PdfScan, writePdf } from './pdf-write.ts'
import { nameOf, type PdfBudget, type PdfDict, PdfError, PdfReader, PdfRef, type PdfValue } from './pdf-syntax.ts'

const damaged = (why: string) => new PdfRefused('damaged', why)

/** No slip or statement has as many. */
const MAX_OBJECTS = 300_000
const MAX_NUMBER = 8_000_000
const MAX_PAGES = 5000
/** A second of reading and 100 MB. Files of 50 KB can unpack to twenty million, and all others wait meanwhile. */
const MAX_VALUES = 1_000_000
/** What all compressed objects together may become: a bomb stops here. */
const MAX_INFLATED = 48 * 1024 * 1024

/**
 * Checks a PDF and writes it again: only the objects that were checked, with a table of our own, and without metadata.
 * Bytes before, between and behind them do not survive, so the result is a PDF and nothing else. A signature is about the
 * bytes that came, so it goes too: a reader would call it broken. @throws PdfRefused
 */
export const rewritePdf = (bytes: Buffer): { body: Buffer; pages: number } => {
  const version = /^%PDF-([12]\.\d)(?=[\r\n\s%])/.exec(bytes.toString('latin1', 0, 12))?.[1]
  if (!version) throw damaged('no header')
  if (!bytes.includes('%%EOF')) throw damaged('no trailer')
  try {
    const found = scan(bytes)
    if (found.isEncrypted) throw new PdfRefused('protected', 'encrypted')
    for (const { value, stream } of found.objects.values()) {
      refuseActive(value)
      if (stream) refuseHidden(stream)
    }
    const root = catalogOf(found)
    refuseOpening(root.get('OpenAction'), found)
    const pages = countPages(root.get('Pages'), found)
    return { body: writePdf(version, found), pages }
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) throw damaged(error.message)
    throw error
  }
}

/** Reads every object in the order of the file. A later one of the same number replaces it, as updates do. */
const scan = (bytes: Buffer): PdfScan => {
  const found: PdfScan = { objects: new Map(), root: undefined, info: new Set(), isEncrypted: false }
  const lengths = new Map<number, number>()
  const budget: PdfBudget = { values: MAX_VALUES }
  const reader = new PdfReader(bytes, budget)
  let inflated = 0
  for (;;) {
    const at = nextObject(bytes, reader, found)
    if (!at) break
    const value = reader.value()
    const source = reader.since(at.from)
    let stream: Buffer | undefined
    if (value instanceof Map && reader.take('stream')) {
      stream = streamAt(bytes, reader, value, lengths)
      const type = nameOf(value.get('Type'))
      if (type === 'XRef') {
        readTrailer(value, found)
        continue
      }
      if (type === 'ObjStm') {
        const data = inflate(value, stream, MAX_INFLATED - inflated)
        inflated += data.length
        readPacked(value, data, found, budget)
        continue
      }
    }
    if (typeof value === 'number') lengths.set(at.number, value)
    keep(found, at.number, { generation: at.generation, value, source, stream })
  }
  return found
}

const keep = (found: PdfScan, number: number, object: PdfObject) => {
  if (number > MAX_NUMBER || found.objects.size >= MAX_OBJECTS) throw new PdfError('too many objects')
  // The references to Info, to a Metadata stream and to a signature find nothing then.
  const { value } = object
  if (value instanceof Map && (nameOf(value.get('Type')) === 'Metadata' || value.has('ByteRange')))
    return void found.objects.delete(number)
  found.objects.set(number, object)
}

/** Moves to the next object's value. Trailers on the way are read; all else there is skipped and so does not survive. */
const nextObject = (bytes: Buffer, reader: PdfReader, found: PdfScan) => {
  for (;;) {
    reader.skip()
    if (reader.at >= bytes.length) return undefined
    reader.spend()
    const before = reader.at
    const number = reader.whole()
    const generation = number === undefined ? undefined : reader.whole()
    if (number !== undefined && generation !== undefined && generation <= 65_535 && reader.take('obj')) {
      reader.skip()
      return { number, generation, from: reader.at }
    }
    reader.at = before
    if (reader.take('trailer')) {
      const trailer = reader.value()
      if (trailer instanceof Map) readTrailer(trailer, found)
      continue
    }
    // To the next line or word.
    reader.at = before + 1
    while (reader.at < bytes.length && !/[\s\0]/.test(String.fromCharCode(bytes[reader.at] ?? 0))) reader.at++
  }
}

const readTrailer = (dict: PdfDict, found: PdfScan) => {
  const info = dict.get('Info')
  if (info instanceof PdfRef) found.info.add(info.number)
  if (dict.get('Encrypt') !== undefined) found.isEncrypted = true
  found.root = dict.get('Root') ?? found.root
}

/** The bytes of the stream that begins here: as long as its dictionary says, if it ends there, or else up to its end. */
const streamAt = (bytes: Buffer, reader: PdfReader, dict: PdfDict, lengths: Map<number, number>): Buffer => {
  if (bytes[reader.at] === 0x0d) reader.at++
  if (bytes[reader.at] === 0x0a) reader.at++
  const from = reader.at
  const said = dict.get('Length')
  const length = said instanceof PdfRef ? lengths.get(said.number) : said
  if (typeof length === 'number' && length >= 0 && from + length <= bytes.length) {
    const after = new PdfReader(bytes, { values: 0 }, from + length)
    if (after.take('endstream')) {
      reader.at = after.at
      return bytes.subarray(from, from + length)
    }
  }
  const end = bytes.indexOf('endstream', from)
  if (end < 0) throw new PdfError('a stream has no end')
  reader.at = end + 'endstream'.length
  return bytes.subarray(from, end)
}

const inflate = (dict: PdfDict, data: Buffer, most: number): Buffer => {
  const filter = dict.get('Filter')
  const names = filter === undefined ? [] : Array.isArray(filter) ? filter.map(nameOf) : [nameOf(filter)]
  if (names.length === 0) return data
  if (names.length > 1 || !['FlateDecode', 'Fl'].includes(names[0] ?? '')) throw new PdfError('packed in another way')
  if (most <= 0) throw new PdfError('too large')
  try {
    return inflateSync(data, { maxOutputLength: most })
  } catch (error) {
    throw new PdfError(error instanceof Error ? error.message : 'not deflated')
  }
}

/** The objects of an object stream, each kept as an object of its own. */
const readPacked = (dict: PdfDict, data: Buffer, found: PdfScan, budget: PdfBudget) => {
  const [count, first] = [dict.get('N'), dict.get('First')]
  if (typeof count !== 'number' || typeof first !== 'number' || count > MAX_OBJECTS)
    throw new PdfError('no object stream')
  const head = new PdfReader(data, budget, 0, Math.min(first, data.length))
  let length = 0
  for (let n = 0; n < count; n++) {
    const number = head.whole()
    const offset = head.whole()
    if (number === undefined || offset === undefined) throw new PdfError('an object stream has no list')
    const reader = new PdfReader(data, budget, first + offset)
    reader.skip()
    const from = reader.at
    const value = reader.value()
    // Thousands of objects in the same place would be read again and again, for minutes.
    length += reader.at - from
    if (length > data.length) throw new PdfError('objects overlap')
    keep(found, number, { generation: 0, value, source: reader.since(from), stream: undefined })
  }
}

const resolved = (value: PdfValue | undefined, { objects }: PdfScan): PdfValue | undefined => {
  let now = value
  for (let step = 0; now instanceof PdfRef && step < 10; step++) now = objects.get(now.number)?.value
  return now instanceof PdfRef ? undefined : now
}

const catalogOf = (found: PdfScan): PdfDict => {
  const root = resolved(found.root, found)
  if (!(root instanceof Map) || !(found.root instanceof PdfRef)) throw damaged('no catalog')
  return root
}

/** Opening may show a page. Anything else that runs by itself, such as a link, is refused. */
const refuseOpening = (value: PdfValue | undefined, found: PdfScan) => {
  const action = resolved(value, found)
  if (action instanceof Map && nameOf(resolved(action.get('S'), found)) !== 'GoTo')
    throw new PdfRefused('active', '/OpenAction')
}

const countPages = (value: PdfValue | undefined, found: PdfScan): number => {
  const seen = new Set<number>()
  const waiting: (PdfValue | undefined)[] = [value]
  let pages = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (!(next instanceof PdfRef) || seen.has(next.number)) throw damaged('the pages are no tree')
    seen.add(next.number)
    const node = resolved(next, found)
    if (!(node instanceof Map)) continue
    const kids = resolved(node.get('Kids'), found)
    if (Array.isArray(kids)) waiting.push(...kids)
    else if (++pages > MAX_PAGES) throw damaged('too many pages')
  }
  if (pages === 0) throw damaged('no pages')
  return pages
}
