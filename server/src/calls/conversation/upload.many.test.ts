import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { startTestServer } from '../../testing/app.ts'
import { makePdf, sendPart, uploadFile } from '../../testing/files.ts'
import { outcomeOf } from '../../testing/outcome.ts'

const server = await startTestServer()

test('[CONV-12] an upload is one message however often it is sent at once, and its request has one answer', async () => {
  const { member, room } = await server.family()
  const send = async (ids: string[]) => {
    const upload = await uploadFile(server, member, room, makePdf())
    return Promise.all(ids.map((request_id) => member.ask('message/sendFile', { code: room, upload, request_id })))
  }
  const request_id = randomUUID()
  const same = await send(Array.from({ length: 5 }, () => request_id))
  expect(same.map(outcomeOf)).toEqual(['done', 'done', 'done', 'done', 'done'])
  expect(new Set(same.map(({ data }) => JSON.stringify(data))).size).toBe(1)
  const others = await send(Array.from({ length: 10 }, () => randomUUID()))
  expect(others.filter(({ code }) => code === OK)).toHaveLength(1)
  expect(new Set(others.flatMap(({ refusal }) => refusal ?? []))).toEqual(new Set(['upload.not_found']))
  expect((await member.call('room/enter', { code: room })).messages).toHaveLength(2)
})

test('[CONV-12] one file is inspected at a time; many of one account hold up others by one', async () => {
  const { agent, cs, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const code = (await other.call('room/list', {})).data[0]?.code ?? ''
  const { uploads, inspector } = server.services
  const plain = { uploads: { ...uploads }, inspector: { ...inspector } }
  const order: string[] = []
  let [inMemory, most, asked] = [0, 0, 0]
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  uploads.read = (db, of) => {
    order.push(of.accountId === other.id ? 'other' : 'many')
    most = Math.max(most, ++inMemory)
    return plain.uploads.read(db, of)
  }
  inspector.inspect = async (bytes, of) => {
    await released
    return plain.inspector.inspect(bytes, of).finally(() => inMemory--)
  }
  inspector.limitFiles = (of, work) => {
    asked++
    return plain.inspector.limitFiles(of, work)
  }
  try {
    const pdfs = Array.from({ length: 6 }, (_, at) => makePdf({ pages: at + 1 }))
    const many = await Promise.all(pdfs.map((pdf) => uploadFile(server, cs, room, pdf)))
    const one = await uploadFile(server, other, code, makePdf())
    const sending = many.map((upload) => cs.call('message/sendFile', { code: room, upload }))
    await expect.poll(() => asked).toBe(6)
    sending.push(other.call('message/sendFile', { code, upload: one }))
    await expect.poll(() => asked).toBe(7)
    release()
    await Promise.all(sending)
  } finally {
    release()
    Object.assign(uploads, plain.uploads)
    Object.assign(inspector, plain.inspector)
  }
  expect(order).toEqual(['many', 'other', 'many', 'many', 'many', 'many', 'many'])
  expect(most).toBe(1)
})

test('[CONV-12] an account has at most eight uploads, also when many begin at once', async () => {
  const { cs, room } = await server.family()
  const folder = join(server.services.settings.dataDir, 'uploads')
  const before = new Set(readdirSync(folder))
  await Promise.all(Array.from({ length: 40 }, () => uploadFile(server, cs, room, makePdf()).catch(() => {})))
  const left = () => readdirSync(folder).filter((file) => !before.has(file)).length
  await expect.poll(left, { timeout: 5000 }).toBeLessThanOrEqual(8)
})

test('[CONV-12] an upload that is dropped while a part of it arrives leaves no file', async () => {
  const { member, room } = await server.family()
  const begin = async () => (await member.call('upload/begin', { code: room, name: 'slip.pdf', size: 9 })).upload
  const id = await begin()
  const { uploads } = server.services
  const plain = { ...uploads }
  // The part has found its upload; then eight others begin.
  uploads.write = (db, part) => {
    let asked = 0
    const query: typeof db.query = async (...statement) => {
      const rows = await db.query(...statement)
      if (++asked === 1) for (let n = 0; n < 8; n++) await begin()
      return rows as never
    }
    return plain.write({ ...db, query }, part)
  }
  try {
    expect((await sendPart(server, member, id, 0, Buffer.from('%PDF-1.7\n'))).refusal).toBe('upload.not_found')
  } finally {
    Object.assign(uploads, plain)
  }
  expect(existsSync(join(server.services.settings.dataDir, 'uploads', id))).toBe(false)
})

test('[CONV-12] [S18] a file that was refused is not kept, to be inspected again', async () => {
  const { member, room } = await server.family()
  const upload = await uploadFile(server, member, room, Buffer.from('OggS of no sound'), '')
  const send = async () => (await member.ask('message/sendFile', { code: room, upload })).refusal
  expect([await send(), await send()]).toEqual(['message.voice_damaged', 'upload.not_found'])
})
