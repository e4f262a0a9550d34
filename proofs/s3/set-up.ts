import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import type { Message } from '@tallyroom/contract/events'
import { startPostgres } from '@tallyroom/postgres'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import sharp from 'sharp'
import { type Made, makePeople, topAccount } from '../../bench/lib/people.ts'
import { clearAwayAtExit } from '../../bench/lib/server.ts'
import { makeClient } from '../../e2e/support/client.ts'
import { freePort, type ServerProcess, startServer } from '../../e2e/support/server.ts'
import { buildServer } from '../../scripts/build.mjs'
import { settingsFrom } from '../../server/src/config/settings.ts'
import { openMediaStores } from '../../server/src/data/media/stores.ts'
import { connect } from '../../server/src/data/sql.ts'
import { makePdf } from '../../server/src/testing/files.ts'
import { addressOf } from '../../server/src/testing/template.ts'
import { startCeph } from './ceph.ts'

// The installation of proofs/s3/s3.ts: Ceph, a database, and two copies with a disk each.

await buildServer()
const base = mkdtempSync(join(tmpdir(), 'tallyroom-s3-'))
clearAwayAtExit(join(base, 'database'))
export const ceph = await startCeph(join(base, 'ceph'))
export const postgres = await startPostgres({ dataDir: join(base, 'database') })
const ports = [await freePort(), await freePort()]
export const dirs = ['one', 'two'].map((name) => join(base, name))
dirs.forEach((dir) => mkdirSync(dir))
export const common = { DATABASE_URL: addressOf(postgres.superuser), TALLYROOM_KEY: 'b0'.repeat(32) }
export const startCopy = (at: number, env: Record<string, string> = ceph.env): Promise<ServerProcess> =>
  startServer({ dataDir: dirs[at] as string, port: ports[at] as number, env: { ...common, ...env } })
export const copies: ServerProcess[] = [await startCopy(0), await startCopy(1)]
export const urlOf = (at: number) => copies[at % 2]?.url ?? ''
export const db = connect({ ...postgres.superuser, max: 2 })
const opened = await openMediaStores(settingsFrom({ ...ceph.env, DATA_DIR: dirs[0] }))
if (!opened.s3) throw new Error('there is no S3')
export const s3 = opened.s3
export const keysIn = async (prefix: string) => {
  const keys: string[] = []
  for await (const { key } of s3.list(prefix)) keys.push(key)
  return keys
}

const [made] = await makePeople(db, { role: Role.agent, under: [await topAccount(db)], each: 1, prefix: 'desk' })
if (!made) throw new Error('there is no agent')
const agent = made
export const members = await makePeople(db, { role: Role.member, under: [agent], each: 6, prefix: 'guest' })
export const first = members[0] as Made

/** A photo of some 400 KB, which compresses as badly as real ones. */
const photo = async () => {
  const noise = { type: 'gaussian', mean: 120, sigma: 20 } as const
  const image = sharp({ create: { width: 1200, height: 900, channels: 3, background: '#000', noise } })
  return `data:image/jpeg;base64,${(await image.jpeg({ quality: 80 }).toBuffer()).toString('base64')}`
}
export const get = (at: number, who: Made, content: string, headers: Record<string, string> = {}) =>
  fetch(`${urlOf(at)}${content}`, { headers: { authorization: `Bearer ${who.token}`, ...headers } })
export const bodyOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

/** As the browser does it: until it succeeds, with the same id, at the other copy the next time. Counts refusals. */
export const refusals = new Map<string, number>()
const untilSaid = async <T>(work: (at: number) => Promise<{ code: number; refusal?: string; data: unknown }>) => {
  for (let at = 0; ; at++) {
    const answer = await work(at).catch(() => undefined)
    if (answer?.code === OK) return answer.data as T
    const why = answer?.refusal ?? 'no answer'
    refusals.set(why, (refusals.get(why) ?? 0) + 1)
    await pause(300)
  }
}
export const sendPhoto = async (who: Made) => {
  const message = { code: who.room, type: MessageType.image, content: await photo(), request_id: randomUUID() } as const
  return untilSaid<Message>((at) => makeClient(urlOf(at), who.token).ask('sendMessage', message))
}
/** `cutsEach`: every so many parts the line is cut while one is sent. Parts go to the copies in turns. */
export const sendFile = async (who: Made, bytes: Buffer, cutsEach = Infinity) => {
  const begin = { code: who.room, name: 'file.pdf', size: bytes.length, request_id: randomUUID() }
  const { upload } = await untilSaid<{ upload: string }>((at) =>
    makeClient(urlOf(at), who.token).ask('upload/begin', begin),
  )
  for (let received = 0, n = 0; received < bytes.length; n++) {
    const body = new Uint8Array(bytes.subarray(received, received + UPLOAD_PART_BYTES))
    const put = (to: number, signal?: AbortSignal) =>
      fetch(`${urlOf(to)}/upload/${upload}?offset=${received}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' },
        body,
        ...(signal && { signal }),
      })
    if (n % cutsEach === cutsEach - 1) await put(n, AbortSignal.timeout(n % 7)).catch(() => undefined)
    const answer = await untilSaid<{ received: number }>(
      async (at) => (await put(n + at)).json() as Promise<{ code: number; data: unknown }>,
    )
    ;({ received } = answer)
  }
  const message = { code: who.room, upload, waveform: [], request_id: randomUUID() }
  return untilSaid<Message>((at) => makeClient(urlOf(at), who.token).ask('message/sendFile', message))
}

const program = (name: string) => fileURLToPath(new URL(`../../server/dist/${name}.js`, import.meta.url))
export const command = (name: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<string>((resolve) => {
    const all = { ...process.env, ...common, ...ceph.env, DATA_DIR: dirs[0], ...env }
    execFile(process.execPath, [program(name), ...args], { env: all }, (error, out, err) =>
      resolve(`${typeof error?.code === 'number' ? error.code : 0}: ${out}${err}`.trim()),
    )
  })

/** The agent, in the room of the first member. */
export const desk: Made = { ...agent, room: first.room }
/** A PDF of random bytes. */
export const filler = (bytes: number) =>
  makePdf({ content: Buffer.concat([Buffer.from('% '), Buffer.from(randomBytes(bytes / 2).toString('hex'))]) })

/** Whether a photo can be drawn to its last row. */
export const isWhole = (body: Buffer) =>
  sharp(body, { failOn: 'error' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    )
