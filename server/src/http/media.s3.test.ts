import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import { MessageType, Role, TemplateType } from '@tallyroom/contract/codes'
import pino from 'pino'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { settingsFrom } from '../config/settings.ts'
import { deleteAllNoted } from '../data/media/deletions.ts'
import { many, one, run, sql } from '../data/sql.ts'
import { diagnose } from '../doctor/doctor.ts'
import { type Person, startTestServer, type TestServer } from '../testing/app.ts'
import { type FakeS3, startFakeS3 } from '../testing/fakes/s3.ts'
import { getMedia, makePdf, makeVoice, sendPart, uploadFile } from '../testing/files.ts'

let s3: FakeS3
/** Two copies of one installation, each with a disk of its own. */
let server: TestServer
let other: TestServer
const lines: string[] = []
beforeAll(async () => {
  s3 = await startFakeS3()
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  server = await startTestServer({ ...s3.env, METRICS_PORT: '0' }, log)
  other = await startTestServer(s3.env)
})
beforeEach(() => s3.trouble(undefined))

const db = () => server.services.db
const photo = async () => {
  const background = { r: randomBytes(1)[0] ?? 0, g: 2, b: 3 }
  const image = sharp({ create: { width: 300, height: 200, channels: 3, background } })
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`
}
const sendPhoto = async (who: Person, code: string) =>
  who.call('sendMessage', { code, type: MessageType.image, content: await photo(), request_id: randomUUID() })
const bodyOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
const keysOf = (folder: string) => [...s3.objects.keys()].filter((key) => key.startsWith(folder))
const keyOf = (content: string) => `media/${content.slice(7, 9)}/${content.slice(7)}`
const inDirectory = (of: TestServer) =>
  readdirSync(join(of.services.settings.dataDir, 'media'), { recursive: true, encoding: 'utf8' })
const settings = (env: Record<string, string> = {}) => ({
  ...settingsFrom({ ...s3.env, DATA_DIR: server.services.settings.dataDir, ...env }),
  installationKey: server.services.settings.installationKey,
})
describe('[RUN-14] images, voice notes and files in S3', () => {
  test('[S18] are served by every copy, with the same checks, heads and parts as from a directory', async () => {
    const { agent, cs, member, room } = await server.family()
    const image = await sendPhoto(member, room)
    const upload = await uploadFile(server, member, room, await makeVoice({ seconds: 5 }))
    const voice = await member.call('message/sendFile', { code: room, upload, waveform: [1], request_id: randomUUID() })
    const pdf = await uploadFile(server, cs, room, makePdf(), 'slip.pdf')
    const file = await cs.call('message/sendFile', { code: room, upload: pdf, request_id: randomUUID() })
    expect([server, other].map(inDirectory)).toEqual([[], []])
    const stranger = await server.person({ role: Role.member, under: agent })
    for (const { content } of [image, voice, file]) {
      expect(s3.objects.has(keyOf(content))).toBe(true)
      for (const copy of [server, other]) {
        const whole = await getMedia(copy, member, content)
        const body = await bodyOf(whole)
        expect(body.equals(s3.objects.get(keyOf(content))?.body ?? Buffer.alloc(0))).toBe(true)
        expect(Object.fromEntries(whole.headers)).toMatchObject({
          'content-type': expect.stringMatching(/^(image|audio|application)\//),
          'content-security-policy': "sandbox; default-src 'none'",
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, max-age=31536000, immutable',
          'accept-ranges': 'bytes',
          'content-length': String(body.length),
        })
        const part = await getMedia(copy, member, content, { range: 'bytes=5-14' })
        expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-14/${body.length}`])
        expect((await bodyOf(part)).equals(body.subarray(5, 15))).toBe(true)
        const end = await getMedia(copy, member, content, { range: 'bytes=-7' })
        expect((await bodyOf(end)).equals(body.subarray(-7))).toBe(true)
        const none = await getMedia(copy, member, content, { range: `bytes=${body.length}-` })
        expect([none.status, none.headers.get('content-range')]).toEqual([416, `bytes */${body.length}`])
        const before = s3.asked.length
        for (const who of [stranger, undefined]) expect((await getMedia(copy, who, content)).status).toBe(404)
        // Who may not see it makes no request to S3.
        expect(s3.asked.length).toBe(before)
      }
    }
  })

  test('what is lost is not found, and everything else of the conversation is', async () => {
    const { cs, member, room } = await server.family()
    const { content } = await sendPhoto(member, room)
    s3.objects.delete(keyOf(content))
    expect((await getMedia(server, cs, content)).status).toBe(404)
    expect((await cs.call('room/enter', { code: room })).messages).toHaveLength(1)
  })

  test('a reader who goes away ends the request to S3', async () => {
    const { member, room } = await server.family()
    const { content } = await sendPhoto(member, room)
    s3.trouble('stall', 1)
    const before = s3.aborted()
    const headers = { authorization: `Bearer ${member.token}` }
    const asked = get(`${server.address}${content}`, { headers, agent: false })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
    await pause(100)
    expect(s3.aborted()).toBe(before)
    asked.destroy()
    // Well before the server itself gives up on a body that does not go on.
    await expect.poll(s3.aborted, { timeout: 700 }).toBe(before + 1)
  })

  test('originals, pictures of accounts and quick replies are read and deleted there', async () => {
    const { agent, cs, member, room } = await server.family()
    const { content, message_id } = await sendPhoto(member, room)
    await member.call('message/takeBack', { code: room, message_id })
    const original = await agent.call('message/original', { code: room, message_id })
    expect(original.content).toMatch(/^data:image\/\w+;base64,/)
    await agent.call('user/edit', { id: member.id, thumbnail: await photo() })
    const { thumbnail } = await agent.call('user/view', { id: member.id })
    expect((await getMedia(other, member, thumbnail)).status).toBe(200)
    expect(await server.services.media.avatarUrl(db(), thumbnail.slice('/media/'.length))).toMatch(/^data:image\/webp/)
    const reply = {
      type: TemplateType.general,
      title: 'Hours',
      content: 'nine to five',
      memo: '',
      image: await photo(),
    } as const
    const { id } = await cs.call('message-template/create', reply)
    const image = (await cs.call('message-template/list', {})).data[0]?.image ?? ''
    expect(s3.objects.has(keyOf(image))).toBe(true)
    await cs.call('message-template/delete', { targetID: id })
    await expect.poll(() => s3.objects.has(keyOf(image))).toBe(false)
    expect(s3.objects.has(keyOf(content))).toBe(true)
  })
})

describe('[RUN-14] an upload in S3', () => {
  test('takes its parts at any copy, each once, and leaves nothing behind', async () => {
    const { cs, member, room } = await server.family()
    const bytes = makePdf({ content: Buffer.alloc(5 * UPLOAD_PART_BYTES, 'x') })
    const begin = { code: room, name: 'long.pdf', size: bytes.length, request_id: randomUUID() }
    const { upload } = await member.call('upload/begin', begin)
    const copies = [server, other]
    for (let at = 0, n = 0; at < bytes.length; n++) {
      const part = bytes.subarray(at, at + UPLOAD_PART_BYTES)
      // The same part at both copies at once, and a shorter one: one of them counts.
      const answers = await Promise.all([
        sendPart(copies[n % 2] as TestServer, member, upload, at, part),
        sendPart(copies[(n + 1) % 2] as TestServer, member, upload, at, part),
        sendPart(copies[n % 2] as TestServer, member, upload, at, part.subarray(0, 1000)),
      ])
      const received = new Set(answers.map(({ data }) => data?.received))
      expect(received.size).toBe(1)
      at = [...received][0] ?? 0
    }
    expect(keysOf(`uploads/${upload}/`).length).toBeGreaterThan(5)
    const request = { code: room, upload, request_id: randomUUID() }
    const sent = await other.here(member).call('message/sendFile', request)
    expect((await server.here(member).call('message/sendFile', request)).message_id).toBe(sent.message_id)
    expect((await bodyOf(await getMedia(server, cs, sent.content))).includes(Buffer.alloc(1000, 'x'))).toBe(true)
    await expect.poll(() => keysOf(`uploads/${upload}/`)).toEqual([])
    expect(existsSync(join(server.services.settings.dataDir, 'uploads'))).toBe(false)
  })

  test('that began in the directory begins again; one whose parts are lost is not found', async () => {
    const { member, room } = await server.family()
    const begin = async () =>
      (await member.call('upload/begin', { code: room, name: 'a.pdf', size: 2000, request_id: randomUUID() })).upload
    const moved = await begin()
    await run(db(), sql`update uploads set received = 1000 where id = ${moved}`)
    expect((await sendPart(server, member, moved, 1000, Buffer.alloc(1000))).data).toEqual({ received: 0 })
    expect((await sendPart(server, member, moved, 0, Buffer.alloc(2000))).data).toEqual({ received: 2000 })
    for (const key of keysOf(`uploads/${moved}/`)) s3.objects.delete(key)
    const refused = await member.ask('message/sendFile', { code: room, upload: moved, request_id: randomUUID() })
    expect(refused.refusal).toBe('upload.not_found')
  })

  test('that is not finished within a day is deleted, and so are parts of which nothing is known', async () => {
    const { member, room } = await server.family()
    const { upload } = await member.call('upload/begin', { code: room, name: 'a.pdf', size: 2000 })
    await sendPart(server, member, upload, 0, Buffer.alloc(1000))
    const [dead, fresh] = [`uploads/${randomUUID()}/0-1`, `uploads/${randomUUID()}/0-1`]
    s3.objects.set(dead, { body: Buffer.from('x'), at: new Date(Date.now() - 25 * 3_600_000) })
    s3.objects.set(fresh, { body: Buffer.from('x'), at: new Date() })
    await server.services.uploads.removeOld()
    expect(new Set(keysOf('uploads/'))).toEqual(new Set([`uploads/${upload}/0-1000`, fresh]))
    await run(db(), sql`update uploads set created_at = now() - interval '25 hours' where id = ${upload}`)
    await server.services.uploads.removeOld()
    expect(keysOf('uploads/')).toEqual([fresh])
    s3.objects.delete(fresh)
  })
})

describe('[RUN-14] while S3 is away', () => {
  test('uploads are refused in time, reads answer 503, texts and points go on, and the same request then arrives', async () => {
    const { agent, cs, member, room } = await server.family()
    const kept = await sendPhoto(member, room)
    const bytes = makePdf()
    const { upload } = await member.call('upload/begin', { code: room, name: 'a.pdf', size: bytes.length })
    const late = { code: room, type: MessageType.image, content: await photo(), request_id: randomUUID() } as const
    for (const kind of ['hang', 'reset', { status: 503, code: 'SlowDown' }] as const) {
      s3.trouble(kind)
      const began = performance.now()
      const works = [
        getMedia(server, cs, kept.content).then(async (answer) => {
          const { refusal, message } = (await answer.json()) as { refusal: string; message: string }
          return [answer.status, answer.headers.get('retry-after'), refusal, message]
        }),
        member.ask('sendMessage', late).then(({ refusal }) => refusal),
        sendPart(server, member, upload, 0, bytes).then(({ refusal }) => refusal),
        cs
          .call('sendMessage', { code: room, type: MessageType.text, content: 'hello', request_id: randomUUID() })
          .then(() => 'said'),
        agent
          .call('user/transaction', { id: member.id, amount: '1', remark: '', request_id: randomUUID() })
          .then(() => 'paid'),
      ]
      expect(await Promise.all(works)).toEqual([
        [503, '1', 'server.media_away', expect.stringMatching(/Images and files/)],
        'server.media_away',
        'server.media_away',
        'said',
        'paid',
      ])
      expect(performance.now() - began).toBeLessThan(4000)
    }
    s3.trouble(undefined)
    const { message_id } = await member.call('sendMessage', late)
    expect((await member.call('sendMessage', late)).message_id).toBe(message_id)
    expect((await sendPart(server, member, upload, 0, bytes)).data).toEqual({ received: bytes.length })
    await member.call('message/sendFile', { code: room, upload, request_id: randomUUID() })
    expect((await getMedia(server, cs, kept.content)).status).toBe(200)
    const log = lines.join('')
    expect(log).toContain('The S3 server is away: images and files cannot be stored or read. All else goes on')
    expect(log).not.toContain(s3.env.S3_SECRET_KEY)
    const metrics = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text()
    expect(metrics).toMatch(/tallyroom_s3_requests_total\{request="put",outcome="failed"\} [1-9]/)
    expect(metrics).toMatch(/tallyroom_s3_request_duration_seconds_count\{request="get"\} [1-9]/)
  })

  test('pictures that hang in transactions leave connections for points', async () => {
    const { agent, member } = await server.family()
    const others: Person[] = []
    while (others.length < 15) others.push(await server.person({ role: Role.member, under: agent }))
    const thumbnail = await photo()
    s3.trouble('hang')
    let hasOneEnded = false
    const edits = others.map(async (other) => {
      const { refusal } = await other.ask('user/edit', { id: other.id, thumbnail })
      if (refusal === 'server.media_away') hasOneEnded = true
      return refusal
    })
    await pause(300)
    await agent.call('user/transaction', { id: member.id, amount: '1', remark: '', request_id: randomUUID() })
    // It would wait for one of them, if they held all connections.
    expect(hasOneEnded).toBe(false)
    const refusals = await Promise.all(edits)
    expect(new Set(refusals)).toEqual(new Set(['server.media_away', 'server.busy']))
  })

  test('what is deleted stays noted, and goes when S3 is back', async () => {
    const { member, room } = await server.family()
    const { content } = await sendPhoto(member, room)
    s3.trouble({ status: 503, code: 'SlowDown' })
    const id = content.slice('/media/'.length)
    await db().transact((tx) => server.services.media.remove(tx, id))
    await pause(800)
    expect(s3.objects.has(keyOf(content))).toBe(true)
    expect(await one(db(), sql`select file from media_deletions where file = ${id}`)).toEqual({ file: id })
    await expect(deleteAllNoted(db(), server.services.mediaStores.all)).rejects.toThrow(/SlowDown/)
    s3.trouble(undefined)
    await deleteAllNoted(db(), server.services.mediaStores.all)
    expect(s3.objects.has(keyOf(content))).toBe(false)
    expect(await many(db(), sql`select file from media_deletions`)).toEqual([])
  })

  test('the doctor says what is wrong and what to do', async () => {
    const found = async (env: Record<string, string> = {}) =>
      (await diagnose({ db: db(), settings: settings(env), isQuick: true })).filter(({ topic }) => topic === 'media')
    // Of the checks at the servers' starts, when a slow one met the trouble of an earlier test.
    const left = keysOf('doctor/')
    expect(await found()).toMatchObject([{ state: 'fine' }])
    expect(left).toEqual(expect.arrayContaining(keysOf('doctor/')))
    expect(await found({ S3_SECRET_KEY: 'another' })).toMatchObject([
      { state: 'wrong', found: expect.stringMatching(/SignatureDoesNotMatch: check S3_SECRET_KEY/) },
    ])
    s3.trouble('hang')
    expect(await found()).toMatchObject([{ state: 'wrong', found: expect.stringMatching(/no answer in/) }])
  })
})
