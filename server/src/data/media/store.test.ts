import { createHash, randomBytes } from 'node:crypto'
import dns from 'node:dns'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { settingsFrom } from '../../config/settings.ts'
import { unmeasured } from '../../lib/measures.ts'
import { type FakeS3, startFakeS3 } from '../../testing/fakes/s3.ts'
import { directoryStore } from './directory.ts'
import { layeredStore } from './layered.ts'
import { s3Store } from './s3.ts'
import { MediaAway, type MediaStore, type OpenedMedia } from './store.ts'

type Looked = (error: null, found: { address: string; family: number }[]) => void

let s3: FakeS3
const stores: Record<string, MediaStore> = {}
const told: [string, string][] = []
const openS3 = (more: Record<string, string> = {}) => {
  const found = settingsFrom({ ...s3.env, ...more }).media.s3
  if (!found) throw new Error('no S3')
  return s3Store(found, { s3: (request, outcome) => void told.push([request, outcome]) })
}
beforeAll(async () => {
  s3 = await startFakeS3()
  stores.directory = directoryStore(mkdtempSync(join(tmpdir(), 'tallyroom-store-')))
  stores.S3 = await openS3()
  stores['S3 with a folder'] = await openS3({ S3_PREFIX: 'shops/one' })
  const near = directoryStore(mkdtempSync(join(tmpdir(), 'tallyroom-store-')))
  const far = await openS3({ S3_PREFIX: 'layers' })
  stores.both = layeredStore(near, far, far)
})

const bytesOf = async (stream: Readable) => Buffer.concat(await stream.toArray())
const opened = async (found: OpenedMedia | undefined) => {
  if (found?.kind !== 'bytes') throw new Error(`opened ${found?.kind}`)
  return { ...found, body: await bytesOf(found.stream) }
}
const newKey = () => `media/ab/${randomBytes(16).toString('hex')}`
const keysOf = async (store: MediaStore, prefix: string) => {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.sort()
}

describe.each(['directory', 'S3', 'S3 with a folder', 'both'])('[RUN-14] images and files in %s', (name) => {
  const store = () => stores[name] as MediaStore

  test('are read as they were stored, however often they are', async () => {
    const [key, body] = [newKey(), randomBytes(300_000)]
    for (let n = 0; n < 2; n++) await store().put(key, body)
    expect((await store().read(key))?.equals(body)).toBe(true)
    expect(await store().size(key)).toBe(300_000)
    const whole = await opened(await store().open(key))
    expect([whole.size, whole.from, whole.to, whole.body.equals(body)]).toEqual([300_000, 0, 299_999, true])
  })

  test('are read in parts, as players ask for them', async () => {
    const [key, body] = [newKey(), randomBytes(1000)]
    await store().put(key, body)
    const cases = [
      [{ from: 10, to: 19 }, 10, 19],
      [{ from: 990 }, 990, 999],
      [{ from: 990, to: 5000 }, 990, 999],
      [{ last: 5 }, 995, 999],
      [{ last: 5000 }, 0, 999],
      [{ from: 0 }, 0, 999],
    ] as const
    for (const [range, from, to] of cases) {
      const part = await opened(await store().open(key, range))
      expect([range, part.from, part.to, part.size]).toEqual([range, from, to, 1000])
      expect(part.body.equals(body.subarray(from, to + 1))).toBe(true)
    }
    for (const range of [{ from: 1000 }, { last: 0 }])
      expect(await store().open(key, range)).toEqual({ kind: 'none', size: 1000 })
  })

  test('are gone when they were removed, and removing them again is no error', async () => {
    const key = newKey()
    await store().put(key, Buffer.from('x'))
    for (let n = 0; n < 2; n++) await store().remove(key)
    expect([await store().read(key), await store().open(key), await store().size(key)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(await store().open(key, { last: 0 })).toBeUndefined()
  })

  test('are listed by what their keys begin with, on however many pages', async () => {
    const folder = `uploads/${randomBytes(8).toString('hex')}/`
    const keys = [0, 1, 2, 3, 4, 5, 6].map((n) => `${folder}${n}-1`)
    for (const key of keys) await store().put(key, Buffer.from('x'))
    expect(await keysOf(store(), folder)).toEqual(keys)
    expect(await keysOf(store(), 'uploads/none/')).toEqual([])
    for await (const { size, at } of store().list(folder))
      expect([size, Date.now() - at.getTime() < 60_000]).toEqual([1, true])
  })
})

describe('[RUN-14] S3', () => {
  test('in both kinds of addresses is signed as the server demands; another key is not', async () => {
    const key = newKey()
    vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: Looked) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])) as never)
    const inHost = await openS3({
      S3_ADDRESSING: 'host',
      S3_ALLOW_HTTP: '1',
      S3_URL: s3.url.replace('127.0.0.1', 's3.example'),
    })
    await inHost.put(key, Buffer.from('x'))
    vi.mocked(dns.lookup).mockRestore()
    expect(s3.objects.has(key)).toBe(true)
    const refused = async (env: Record<string, string>) =>
      (await openS3(env)).put(key, Buffer.from('y')).catch((error: Error) => error.message)
    expect(await refused({ S3_SECRET_KEY: 'wrong' })).toBe(
      'S3 (put): answered 403 SignatureDoesNotMatch: check S3_SECRET_KEY',
    )
    expect(await refused({ S3_ACCESS_KEY: 'other' })).toMatch(/InvalidAccessKeyId: check S3_ACCESS_KEY/)
    expect(await refused({ S3_REGION: 'mars-1' })).toMatch(/check S3_REGION/)
    expect(await refused({ S3_BUCKET: 'other-bucket' })).toMatch(/404 NoSuchBucket: make the bucket/)
    const other = await openS3({ S3_BUCKET: 'other-bucket' })
    for (const work of [() => other.read(key), () => other.remove(key), () => keysOf(other, 'media/')])
      await expect(work()).rejects.toThrow(MediaAway)
  })

  test('that fails for a moment is asked again; nothing is stored twice or by half', async () => {
    const store = await openS3({ S3_SECONDS: '4' })
    const [key, body] = [newKey(), randomBytes(100_000)]
    for (const kind of ['reset', { status: 503, code: 'SlowDown' }, { status: 500, code: 'InternalError' }] as const) {
      s3.trouble(kind, 2)
      await store.put(key, body)
      s3.trouble(kind, 2)
      expect((await store.read(key))?.equals(body)).toBe(true)
      s3.trouble(kind, 2)
      expect(await store.size(key)).toBe(100_000)
    }
    s3.trouble({ status: 403, code: 'AccessDenied' }, 1)
    await expect(store.put(key, body)).rejects.toThrow(/AccessDenied: give the key/)
    expect(s3.objects.get(key)?.body.equals(body)).toBe(true)
  })

  test('that breaks off in the middle of an answer is asked for the rest', async () => {
    const store = await openS3()
    const [key, body] = [newKey(), randomBytes(2_000_000)]
    await store.put(key, body)
    for (const kind of ['cut', 'stall'] as const) {
      s3.trouble(kind, 2)
      expect((await store.read(key))?.equals(body)).toBe(true)
      s3.trouble(kind, 1)
      const part = await opened(await store.open(key, { from: 1000, to: 1_500_000 }))
      expect(part.body.equals(body.subarray(1000, 1_500_001))).toBe(true)
    }
    s3.trouble('cut')
    await expect(store.read(key)).rejects.toThrow(/broke off 3 times/)
    s3.trouble(undefined)
  })

  test('that ignores ranges never passes the whole off as the part', async () => {
    const store = await openS3()
    const [key, body] = [newKey(), randomBytes(2_000_000)]
    await store.put(key, body)
    s3.trouble('whole', 1)
    await expect(store.open(key, { from: 10, to: 19 })).rejects.toThrow(/does not say which bytes/)
    s3.trouble('cut', 1)
    const cut = await store.open(key)
    s3.trouble('whole', 1)
    await expect(opened(cut)).rejects.toThrow(/does not say which bytes/)
  })

  test('that hangs or is gone is given up in time', async () => {
    const store = await openS3()
    told.length = 0
    for (const kind of ['hang', 'reset'] as const) {
      s3.trouble(kind)
      const began = performance.now()
      const works = [store.put('media/x', Buffer.from('x')), store.read('media/x'), store.remove('media/x')]
      for (const result of await Promise.allSettled(works))
        expect(result).toMatchObject({ reason: { name: 'MediaAway' } })
      expect(performance.now() - began).toBeLessThan(1500)
    }
    s3.trouble(undefined)
    expect(told).toHaveLength(6)
    expect(told.every(([, outcome]) => outcome === 'failed')).toBe(true)
  })

  test('is left alone by a reader who goes away', async () => {
    const store = await openS3({ S3_SECONDS: '60' })
    const key = newKey()
    await store.put(key, randomBytes(2_000_000))
    s3.trouble('stall', 1)
    const found = await store.open(key)
    if (found?.kind !== 'bytes') throw new Error('not there')
    found.stream.resume()
    await pause(200)
    const before = s3.aborted()
    found.stream.destroy()
    await expect.poll(s3.aborted).toBe(before + 1)
  })

  test('keeps its connections: a hundred small requests need few', async () => {
    const store = await s3Store(settingsFrom(s3.env).media.s3 as never, unmeasured)
    const [key, body] = [newKey(), randomBytes(5000)]
    const sum = createHash('sha256').update(body).digest('hex')
    const before = s3.connections()
    for (let n = 0; n < 30; n++) {
      await store.put(key, body)
      expect(
        createHash('sha256')
          .update((await store.read(key)) ?? '')
          .digest('hex'),
      ).toBe(sum)
      await store.size(key)
    }
    expect(s3.connections() - before).toBeLessThan(5)
  })
})
