import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_FILE_BYTES, UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import type { RoomChange } from '@tallyroom/contract/events'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { getMedia, makePdf, makeVideo, makeVoice, sendPart, uploadFile } from '../../testing/files.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const send = async (who: Person, code: string, bytes: Buffer, more: { name?: string; waveform?: number[] } = {}) => {
  const upload = await uploadFile(server, who, code, bytes, more.name)
  return who.call('message/sendFile', { code, upload, waveform: more.waveform ?? [], request_id: randomUUID() })
}
const refusalOf = async (who: Person, code: string, bytes: Buffer) => {
  const upload = await uploadFile(server, who, code, bytes)
  const { refusal, message } = await who.ask('message/sendFile', { code, upload, request_id: randomUUID() })
  expect(message).toMatch(/\S/)
  return refusal
}
const waiting = () => {
  const folder = join(server.services.settings.dataDir, 'uploads')
  return existsSync(folder) ? readdirSync(folder) : []
}

describe('[CONV-12] a PDF', () => {
  test('comes back byte for byte on both sides, as a download with name and size, in a sandbox', async () => {
    const { agent, cs, member, room } = await server.family()
    const socket = await cs.socket()
    const event = new Promise<RoomChange>((done) => socket.once('room', done))
    const bytes = makePdf({ pages: 3 })
    const sent = await send(member, room, bytes, { name: 'slip 22 Nov.PDF' })
    const file = { name: 'slip 22 Nov.pdf', size: bytes.length }
    expect(sent).toMatchObject({ type: MessageType.file, file, width: null, is_self: true })
    expect((await event).messages).toMatchObject([
      { type: MessageType.file, file, content: sent.content, is_self: false },
    ])
    const { room: summary, messages } = await agent.call('room/enter', { code: room })
    expect(messages.at(-1)).toMatchObject({ file })
    expect(summary).toMatchObject({ message_type: MessageType.file, message_content: 'slip 22 Nov.pdf' })
    for (const who of [cs, member, agent]) {
      const answer = await getMedia(server, who, sent.content)
      const body = Buffer.from(await answer.arrayBuffer())
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="slip 22 Nov.pdf"; filename*=UTF-8''slip%2022%20Nov.pdf`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'content-length': String(bytes.length),
      })
      expect(body.equals(bytes)).toBe(true)
    }
    const stranger = await server.person({ role: Role.member, under: agent })
    for (const who of [stranger, undefined]) expect((await getMedia(server, who, sent.content)).status).toBe(404)
    expect(waiting()).toEqual([])
  })

  test.each([
    ['a byte order mark', Buffer.from('\ufeff')],
    ['empty lines', Buffer.from('\r\n\r\n')],
    ['the page of a mail program', Buffer.alloc(1019, ' ')],
  ])('with %s before its head is taken as readers take it', async (_, before) => {
    const { member, room } = await server.family()
    const bytes = Buffer.concat([before, makePdf()])
    const { content, file } = await send(member, room, bytes)
    expect(file).toMatchObject({ size: bytes.length })
    expect(Buffer.from(await (await getMedia(server, member, content)).arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('whose head begins behind 1024 bytes is none', async () => {
    const { member, room } = await server.family()
    const bytes = Buffer.concat([Buffer.alloc(1020, ' '), makePdf()])
    expect(await refusalOf(member, room, bytes)).toBe('message.file_unknown')
    expect((await member.call('room/enter', { code: room })).messages).toEqual([])
  })

  test('that forbids changes but opens without a password is taken', async () => {
    const { member, room } = await server.family()
    const locked = makePdf().toString('latin1').replace('/Root', '/Encrypt 8 0 R /Root')
    expect(await send(member, room, Buffer.from(locked, 'latin1'))).toMatchObject({ type: MessageType.file })
  })
})

describe('[CONV-12] a voice note', () => {
  test.each([
    ['webm', 'audio/webm'],
    ['ogg', 'audio/webm'],
    ['mp4', 'audio/mp4'],
  ] as const)('as %s is written again as %s, with its length and waveform', async (format, type) => {
    const { cs, member, room } = await server.family()
    const tags = { title: 'recorded at home', comment: '25.04, 121.56' }
    const waveform = [0, 12, 31, 4]
    const sent = await send(cs, room, await makeVoice({ format, seconds: 14, tags }), { waveform })
    expect(sent).toMatchObject({ type: MessageType.voice, voice: { waveform } })
    expect(Math.abs((sent.voice?.ms ?? 0) - 14_000)).toBeLessThan(60)
    const { room: summary } = await member.call('room/enter', { code: room })
    expect(summary).toMatchObject({ message_type: MessageType.voice, message_content: String(sent.voice?.ms) })
    const answer = await getMedia(server, member, sent.content)
    const body = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('content-disposition')).toBe('inline')
    expect(body.toString('latin1')).not.toMatch(/recorded at home|121\.56/)
    // A player asks for parts.
    const part = await getMedia(server, member, sent.content, { range: 'bytes=10-19' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${body.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(body.subarray(10, 20))).toBe(true)
    const end = await getMedia(server, member, sent.content, { range: 'bytes=-5' })
    expect(Buffer.from(await end.arrayBuffer()).equals(body.subarray(-5))).toBe(true)
    expect((await getMedia(server, member, sent.content, { range: `bytes=${body.length}-` })).status).toBe(416)
  })

  test('of more than a minute is refused, whatever its container says', async () => {
    const { member, room } = await server.family()
    expect(await send(member, room, await makeVoice({ seconds: 60 }))).toMatchObject({ voice: { ms: 60_000 } })
    expect(await refusalOf(member, room, await makeVoice({ seconds: 62 }))).toBe('message.voice_too_long')
    const cut = (await makeVoice({ seconds: 5 })).subarray(0, 90)
    expect(await refusalOf(member, room, cut)).toBe('message.voice_damaged')
  })
})

test('[CONV-12] a video, a recording of two tracks and one of more than 3 MB say what can be sent', async () => {
  const { member, room } = await server.family()
  const large = Buffer.concat([await makeVoice({ seconds: 5 }), Buffer.alloc(4 * 1024 * 1024)])
  for (const bytes of [await makeVideo(), await makeVoice({ tracks: 2 }), large])
    expect(await refusalOf(member, room, bytes)).toBe('message.voice_unsupported')
})

describe('[CONV-12] an upload', () => {
  test('goes on after a cut, takes no part twice, and is one message however often it is sent', async () => {
    const { cs, member, room } = await server.family()
    const bytes = makePdf({ content: Buffer.alloc(3 * UPLOAD_PART_BYTES, 'x') })
    const begin = { code: room, name: 'long.pdf', size: bytes.length, request_id: randomUUID() }
    const { upload } = await member.call('upload/begin', begin)
    expect(await member.call('upload/begin', begin)).toEqual({ upload })
    const part = (n: number) => bytes.subarray(n * UPLOAD_PART_BYTES, (n + 1) * UPLOAD_PART_BYTES)
    const put = (offset: number, body: Buffer) => sendPart(server, member, upload, offset, body)
    expect((await put(0, part(0))).data).toEqual({ received: UPLOAD_PART_BYTES })
    const input = { code: room, upload, request_id: randomUUID() }
    expect((await member.ask('message/sendFile', input)).refusal).toBe('upload.incomplete')
    // The answer was lost, the part comes again, others come too early, and the same one twice at once.
    expect((await put(0, part(3))).data).toEqual({ received: UPLOAD_PART_BYTES })
    expect((await put(2 * UPLOAD_PART_BYTES, part(2))).data).toEqual({ received: UPLOAD_PART_BYTES })
    await Promise.all([1, 2, 3].map(() => put(UPLOAD_PART_BYTES, part(1))))
    await put(2 * UPLOAD_PART_BYTES, part(2))
    expect((await put(3 * UPLOAD_PART_BYTES, part(3))).data).toEqual({ received: bytes.length })
    const all = await Promise.all([1, 2, 3].map(() => member.ask('message/sendFile', input)))
    const again = await member.call('message/sendFile', input)
    expect(all.filter(({ code }) => code === OK).length).toBeGreaterThan(0)
    const { messages } = await cs.call('room/enter', { code: room })
    expect(messages.map(({ message_id }) => message_id)).toEqual([again.message_id])
    const body = Buffer.from(await (await getMedia(server, cs, again.content)).arrayBuffer())
    expect(body.includes(Buffer.alloc(3 * UPLOAD_PART_BYTES, 'x'))).toBe(true)
  })

  test('[S1] belongs to its account and its room', async () => {
    const { agent, cs, member, room } = await server.family()
    const other = await server.person({ role: Role.member, under: agent })
    const { code: elsewhere = '' } = (await other.call('room/list', {})).data[0] ?? {}
    const pdf = makePdf()
    expect((await other.ask('upload/begin', { code: room, size: 9 })).refusal).toBe('room.not_found')
    const upload = await uploadFile(server, member, room, pdf)
    for (const who of [other, cs]) {
      expect((await sendPart(server, who, upload, 0, pdf)).refusal).toBe('upload.not_found')
      const { refusal } = await who.ask('message/sendFile', { code: who === cs ? room : elsewhere, upload })
      expect(refusal).toBe('upload.not_found')
    }
    expect((await other.ask('message/sendFile', { code: room, upload })).refusal).toBe('room.not_found')
    const ofCs = await uploadFile(server, cs, room, pdf)
    expect((await cs.ask('message/sendFile', { code: elsewhere, upload: ofCs })).refusal).toBe('upload.not_found')
    expect((await sendPart(server, { ...member, token: 'x'.repeat(43) }, upload, 0, pdf)).refusal).toBe('session.dead')
  })

  test('of 0 bytes, of 21 MB, and longer than it said is refused', async () => {
    const { member, room } = await server.family()
    const begin = (size: number) => member.ask('upload/begin', { code: room, name: 'a.pdf', size })
    expect((await begin(0)).refusal).toBe('message.file_empty')
    expect((await begin(MAX_FILE_BYTES + 1)).refusal).toBe('message.file_too_large')
    const { upload } = await member.call('upload/begin', { code: room, name: 'a.pdf', size: 10 })
    expect((await sendPart(server, member, upload, 0, Buffer.alloc(11))).data).toEqual({ received: 0 })
    expect((await sendPart(server, member, upload, 0, Buffer.alloc(UPLOAD_PART_BYTES + 1))).refusal).toBe(
      'request.too_large',
    )
  })

  test.each([
    ['a member', 'member', 2],
    ['customer service', 'cs', 8],
  ] as const)('of %s is dropped with its bytes when newer ones are too many', async (_, role, most) => {
    const { [role]: who, room } = await server.family()
    const { upload: first } = await who.call('upload/begin', { code: room, size: 20 })
    await sendPart(server, who, first, 0, Buffer.alloc(5))
    expect(waiting()).toContain(first)
    const begin = () => who.call('upload/begin', { code: room, size: 20, request_id: randomUUID() })
    for (let n = 1; n < most; n++) await begin()
    expect((await sendPart(server, who, first, 5, Buffer.alloc(5))).data).toEqual({ received: 10 })
    await begin()
    expect((await sendPart(server, who, first, 10, Buffer.alloc(5))).refusal).toBe('upload.not_found')
    await expect.poll(waiting).not.toContain(first)
  })

  test('nobody without a session gets megabytes read: large bodies are refused by their head', async () => {
    const body = JSON.stringify({ params: 'x'.repeat(2_000_000), key: 'y' })
    const { reply, headers } = await server.post('sendMessage', body, {})
    expect(reply.refusal).toBe('session.dead')
    expect(headers.get('connection')).toBe('close')
    expect((await server.post('sendMessage', body, { authorization: `Bearer ${'x'.repeat(43)}` })).reply.refusal).toBe(
      'session.dead',
    )
  })
})

describe('[CONV-12] voice notes and files with everything else', () => {
  test('are quoted, taken back, and read by the head as they were', async () => {
    const { top, agent, cs, member, room } = await server.family()
    const pdf = await send(member, room, makePdf(), { name: 'slip.pdf' })
    const voice = await send(member, room, await makeVoice({ seconds: 4 }), { waveform: [1, 2] })
    const quote = (message_id: string) =>
      cs.call('sendMessage', {
        code: room,
        type: MessageType.text,
        content: 'yes',
        quote: message_id,
        request_id: randomUUID(),
      })
    expect((await quote(pdf.message_id)).quote).toMatchObject({ type: MessageType.file, content: 'slip.pdf' })
    expect((await quote(voice.message_id)).quote).toMatchObject({
      type: MessageType.voice,
      content: String(voice.voice?.ms),
    })
    const upload = await uploadFile(server, cs, room, makePdf(), 'answer.pdf')
    expect(await cs.call('message/sendFile', { code: room, upload, quote: pdf.message_id })).toMatchObject({
      quote: { type: MessageType.file, content: 'slip.pdf' },
    })
    for (const { message_id, content } of [pdf, voice]) {
      await member.call('message/takeBack', { code: room, message_id })
      for (const who of [member, cs, agent]) expect((await getMedia(server, who, content)).status).toBe(404)
    }
    const all = JSON.stringify([await cs.call('room/history', { code: room }), await cs.call('room/list', {})])
    expect(all).not.toMatch(/slip\.pdf|"waveform":\[1,2\]/)
    const original = await agent.call('message/original', { code: room, message_id: pdf.message_id })
    expect(original).toMatchObject({ type: MessageType.file, file: { name: 'slip.pdf' } })
    expect(original.content).toMatch(/^data:application\/pdf;base64,/)
    const sound = await agent.call('message/original', { code: room, message_id: voice.message_id })
    expect(sound).toMatchObject({ type: MessageType.voice, voice: { waveform: [1, 2] } })
    expect((await cs.ask('message/original', { code: room, message_id: pdf.message_id })).refusal).toBe('access.denied')
    const { data } = await top.call('audit/list', { kind: 'original_read' })
    expect(data).toHaveLength(2)
  })

  test('[S35] the name of a file is found by search, masked where the username is, and then not found by it', async () => {
    const { top, agent, cs, member, room } = await server.family()
    const { content, message_id } = await send(member, room, makePdf(), { name: `${member.username} Statement.pdf` })
    expect((await cs.call('search/messages', { text: 'STATEMENT' })).data).toMatchObject([
      { message_id, hit: 'Statement' },
    ])
    expect((await cs.call('search/messages', { text: member.username })).data).toHaveLength(1)
    await cs.call('sendMessage', {
      code: room,
      type: MessageType.text,
      content: 'which?',
      quote: message_id,
      request_id: randomUUID(),
    })
    await send(member, room, makePdf(), { name: `${member.username}.pdf` })
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
    const answers = [
      await cs.call('room/enter', { code: room }),
      await cs.call('room/list', {}),
      await cs.call('room/sync', { code: room, version: 0 }),
      await cs.call('search/messages', { text: 'statement' }),
      Object.fromEntries((await getMedia(server, cs, content)).headers),
    ]
    expect(JSON.stringify(answers)).not.toContain(member.username)
    expect((await cs.call('search/messages', { text: 'statement' })).data).toHaveLength(1)
    expect((await cs.call('search/messages', { text: member.username })).data).toEqual([])
  })

  test('a name cannot turn, leave its folder or pretend to be of another type', async () => {
    const { member, room } = await server.family()
    const names: [string, string][] = [
      ['../../etc/passwd', 'etc passwd.pdf'],
      ['slip‮fdp.exe', 'slip fdp.exe.pdf'],
      ['a\r\nSet-Cookie: x=1.pdf', 'a Set-Cookie x=1.pdf'],
      ['', 'file.pdf'],
      ['報表.pdf', '報表.pdf'],
      [`${'ab'.repeat(120)}.pdf`, `${'ab'.repeat(50)}.pdf`],
    ]
    for (const [given, shown] of names) {
      const sent = await send(member, room, makePdf(), { name: given })
      expect(sent.file?.name).toBe(shown)
      const disposition = (await getMedia(server, member, sent.content)).headers.get('content-disposition') ?? ''
      expect(disposition).toMatch(/^attachment; filename="[ -~]+\.pdf"; filename\*=UTF-8''[\w.~%!&+-]+\.pdf$/)
    }
  })
})
