import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { settingsFrom } from '../../config/settings.ts'
import { deleteAllNoted } from '../../data/media/deletions.ts'
import { openMediaStores } from '../../data/media/stores.ts'
import { run, sql } from '../../data/sql.ts'
import { diagnose } from '../../doctor/doctor.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/app.ts'
import { type FakeS3, startFakeS3 } from '../../testing/fakes/s3.ts'
import { getMedia, sendPart } from '../../testing/files.ts'
import { given } from '../../testing/given.ts'
import { media } from './media.ts'
import { person } from './person.ts'

let s3: FakeS3
let server: TestServer
beforeAll(async () => {
  s3 = await startFakeS3()
  server = await startTestServer(s3.env)
})
beforeEach(() => s3.trouble(undefined))

const db = () => server.services.db
let drawn = 0
const photo = async () => {
  const image = sharp({ create: { width: 300, height: 200, channels: 3, background: { r: drawn++, g: 2, b: 3 } } })
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`
}
const sendPhoto = async (who: Person, code: string) =>
  who.call('sendMessage', { code, type: 2, content: await photo(), request_id: randomUUID() })
const bodyOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
const keysOf = (folder: string) => [...s3.objects.keys()].filter((key) => key.startsWith(folder))
const keyOf = (content: string) => `media/${content.slice(7, 9)}/${content.slice(7)}`
const filesOf = (of: TestServer) =>
  readdirSync(join(of.services.settings.dataDir, 'media'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.length > 2,
  )
const settings = (env: Record<string, string> = {}) =>
  settingsFrom({
    ...s3.env,
    DATA_DIR: server.services.settings.dataDir,
    TALLYROOM_KEY: '5e'.repeat(32),
    ...env,
  })
const commands = { media, person }
const said = async (name: keyof typeof commands, words: string[], env: Record<string, string> = {}) => {
  const printed: string[] = []
  const code = await commands[name](given(name, ...words), {
    db: db(),
    settings: settings(env),
    print: (line) => void printed.push(line),
    readSecret: () => Promise.resolve(''),
  })
  return `${code}: ${printed.join('\n')}`
}

test('[RUN-14] [RUN-06] erasing a person leaves no object of it, also when S3 was away meanwhile', async () => {
  const { member, room } = await server.family()
  const objects = s3.objects.size
  for (let n = 0; n < 3; n++) await sendPhoto(member, room)
  const { upload } = await member.call('upload/begin', { code: room, name: 'a.pdf', size: 2000 })
  await sendPart(server, member, upload, 0, Buffer.alloc(1000))
  await sendPart(server, member, upload, 1000, Buffer.alloc(500))
  expect(s3.objects.size).toBe(objects + 5)
  s3.trouble({ status: 503, code: 'SlowDown' })
  const name = member.username
  expect(await said('person', ['erase', name, '--again', name])).toMatch(
    /files will be deleted.*tries again each hour/s,
  )
  expect(s3.objects.size).toBe(objects + 5)
  s3.trouble(undefined)
  await deleteAllNoted(db(), server.services.mediaStores.all)
  expect(s3.objects.size).toBe(objects)
})

describe('[RUN-14] npm run media', () => {
  test('moves to S3 and back while the server serves, goes on after a break, and loses nothing', async () => {
    // Until now in the directory; the settings for S3 are new.
    const { dataDir } = server.services.settings
    const before = await startTestServer({ DATA_DIR: dataDir })
    const { cs, member, room } = await before.family()
    const sent: string[] = []
    for (let n = 0; n < 6; n++) sent.push((await sendPhoto(member, room)).content)
    const bodies = await Promise.all(sent.map(async (content) => bodyOf(await getMedia(before, cs, content))))
    const allAreServed = async () => {
      for (const [at, content] of sent.entries())
        expect((await bodyOf(await getMedia(server, cs, content))).equals(bodies[at] as Buffer)).toBe(true)
    }
    await allAreServed()
    expect(await said('media', ['check'])).toMatch(/In DATA_DIR\/media: 6\. In S3: \d+\. In both: 0\./)
    const doctor = async () =>
      (await diagnose({ db: db(), settings: settings(), isQuick: true })).filter(({ topic }) => topic === 'media')
    expect(await doctor()).toMatchObject([{ state: 'warning', advice: 'Move them: npm run media -- move.' }])
    // S3 goes away in the middle.
    s3.trouble({ status: 403, code: 'AccessDenied' }, 2)
    await expect(said('media', ['move'])).rejects.toThrow(/AccessDenied.*Run it again: it goes on where it ended/)
    await pause(300)
    await allAreServed()
    s3.trouble(undefined)
    expect(await said('media', ['move'])).toMatch(/Moved to S3: [1-6]\./)
    await allAreServed()
    expect(filesOf(server)).toEqual([])
    expect(await doctor()).toMatchObject([{ state: 'fine' }])
    // And back.
    const directory = { MEDIA_STORE: 'directory' }
    expect(await said('media', ['move'], directory)).toMatch(/Moved to DATA_DIR\/media: \d+\. Already there: 0\./)
    expect(keysOf('media/')).toEqual([])
    await allAreServed()
    expect(await said('media', ['move'])).toMatch(/^[01]: Moved to S3: \d+\./)
  })

  test('names what is lost, and keeps the file when what was stored is read as something else', async () => {
    const { member, room } = await server.family()
    const { content } = await sendPhoto(member, room)
    const id = content.slice('/media/'.length)
    const { directory } = await openMediaStores(settings())
    await directory.put(keyOf(content), Buffer.from('other'))
    s3.objects.delete(keyOf(content))
    const kept = s3.objects.set.bind(s3.objects)
    s3.objects.set = (key, { at }) => kept(key, { body: Buffer.from('altered'), at })
    await expect(said('media', ['move'])).rejects.toThrow(/is read as something else. Nothing was deleted/)
    s3.objects.set = kept
    expect((await directory.read(keyOf(content)))?.toString()).toBe('other')
    await directory.remove(keyOf(content))
    s3.objects.delete(keyOf(content))
    for (const command of ['check', 'move']) expect(await said('media', [command])).toMatch(new RegExp(`^1: [^]*${id}`))
    await run(db(), sql`delete from media where id = ${id}`)
  })
})
