import { MessageType, Role } from '@tallyroom/contract/codes'
import { UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/app.ts'
import { sendPart } from '../../testing/files.ts'

const env = {
  TRUSTED_PROXIES: '1',
  FILES_PER_DAY_MB: '1',
  FILES_PER_DAY_MB_OF_ADDRESS: '2',
  FILES_PER_DAY_MB_OF_SHARE_CODE: '3',
}
const [server, copy] = [await startTestServer(env), await startTestServer(env)]

/** Of about 290 KB, as it is stored. */
const photo = async () => {
  const raw = { width: 400, height: 400, channels: 3 as const }
  const image = await sharp(randomBytes(400 * 400 * 3), { raw })
    .jpeg({ quality: 100 })
    .toBuffer()
  return `data:image/jpeg;base64,${image.toString('base64')}`
}
const sendPhoto = async (who: Person, code: string) =>
  (await who.ask('sendMessage', { code, type: MessageType.image, content: await photo() })).refusal
const sendPdf = async (who: Person, code: string, bytes: number) => {
  const begun = await who.ask('upload/begin', { code, size: bytes, request_id: randomUUID() })
  if (begun.refusal) return begun.refusal
  const { upload } = begun.data as { upload: string }
  const file = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(bytes - 9)])
  for (let at = 0; at < bytes; at += UPLOAD_PART_BYTES)
    await sendPart(server, who, upload, at, file.subarray(at, at + UPLOAD_PART_BYTES))
  return (await who.ask('message/sendFile', { code, upload, request_id: randomUUID() })).refusal
}
const stored = () => {
  const folder = join(server.services.settings.dataDir, 'media')
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}

test('[S18] photos and files of one account end at what a day allows, and a day later it may go on', async () => {
  const { agent, member, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const code = (await other.call('room/list', {})).data[0]?.code ?? ''
  expect(await sendPdf(member, room, 800_000)).toBeUndefined()
  const before = stored()
  const tries = [await sendPdf(member, room, 300_000), await sendPhoto(member, room), await sendPhoto(member, room)]
  expect(tries).toContain('message.too_many_files')
  // What was refused is stored nowhere.
  expect(stored() - before).toBe(tries.filter((refusal) => refusal === undefined).length)
  // It is the account’s own measure, and words need none.
  expect(await sendPhoto(other, code)).toBeUndefined()
  await member.call('sendMessage', { code: room, type: MessageType.text, content: 'words' })

  await run(server.services.db, sql`update storage_budgets set since = since - interval '1 day'`)
  expect(await sendPdf(member, room, 800_000)).toBeUndefined()
  expect(await sendPdf(member, room, 300_000)).toBe('message.too_many_files')
})

let nextAddress = 0
const someAddress = () => `10.8.0.${(nextAddress += 1)}`
type Sender = { who: Person; code: string }
const begin = async ({ who, code }: Sender, size: number, from: string, at: TestServer = server) => {
  const sealed = at.wire.seal('upload/begin', { code, name: 'a.pdf', size, request_id: randomUUID() })
  const headers = { authorization: `Bearer ${who.token}`, 'x-forwarded-for': from }
  const { reply } = await at.post('upload/begin', sealed, headers)
  return reply.refusal ?? (reply.data as { upload: string })
}
const refusals = async (asked: ReturnType<typeof begin>[]) =>
  (await Promise.all(asked)).flatMap((answer) => (typeof answer === 'string' ? [answer] : []))
const memberOf = async (agent: Person): Promise<Sender> => {
  const who = await server.person({ role: Role.member, under: agent })
  return { who, code: (await who.call('room/list', {})).data[0]?.code ?? '' }
}
const memberOfNew = async () => memberOf((await server.family()).agent)

test('[S18] an upload counts when it begins, and gives its bytes back when it ends without a message', async () => {
  const member = await memberOfNew()
  const from = someAddress()
  const first = await begin(member, 600_000, from)
  expect(await begin(member, 600_000, from)).toBe('message.too_many_files')
  // Refused by its content, it is deleted.
  const { upload } = first as { upload: string }
  const junk = randomBytes(600_000).fill('no PDF', 0, 6)
  for (let at = 0; at < junk.length; at += UPLOAD_PART_BYTES)
    await sendPart(server, member.who, upload, at, junk.subarray(at, at + UPLOAD_PART_BYTES))
  const sent = await member.who.ask('message/sendFile', { code: member.code, upload, request_id: randomUUID() })
  expect(sent.refusal).toBe('message.file_unknown')
  expect(await refusals([begin(member, 500_000, from)])).toEqual([])
  expect(await refusals([begin(member, 500_000, from)])).toEqual([])
  // A third one drops the oldest.
  expect(await refusals([begin(member, 400_000, from)])).toEqual([])
  expect(await begin(member, 700_000, from)).toBe('message.too_many_files')
  // Expired.
  await run(
    server.services.db,
    sql`update uploads set created_at = now() - interval '25 hours' where account_id = ${member.who.id}`,
  )
  await run(server.services.db, sql`update storage_budgets set since = now() - interval '26 hours'`)
  await server.services.uploads.removeOld()
  expect(await refusals([begin(member, 1_000_000, from)])).toEqual([])
})

test('[S18] accounts at one address share a budget, across copies and at once, and so do those of one IPv6 network', async () => {
  for (const addressOf of [() => '10.9.0.1', (n: number) => `2001:db8:9:9::${n + 1}`]) {
    const members = await Promise.all(Array.from({ length: 6 }, memberOfNew))
    const answers = await Promise.all(
      members.map((member, n) => begin(member, 900_000, addressOf(n), n % 2 ? copy : server)),
    )
    const refused = members.filter((_, n) => answers[n] === 'message.too_many_files')
    expect(refused).toHaveLength(4)
    expect(await refusals(refused.map((member) => begin(member, 900_000, someAddress())))).toEqual([])
  }
})

test('[S18] members of one share code share a budget; their office has its own', async () => {
  const { agent, room } = await server.family()
  const members = await Promise.all(Array.from({ length: 5 }, () => memberOf(agent)))
  const crowd = members.map((member, n) => begin(member, 900_000, someAddress(), n % 2 ? copy : server))
  expect(await refusals(crowd)).toEqual(Array(2).fill('message.too_many_files'))
  expect(await refusals([begin({ who: agent, code: room }, 900_000, someAddress())])).toEqual([])
  expect(await refusals([begin(await memberOfNew(), 900_000, someAddress())])).toEqual([])
})

test('[S18] [R5] while the disk is nearly full, uploads and photos are refused and points go on', async () => {
  const { agent, member, room } = await server.family()
  const open = await begin({ who: member, code: room }, 100, someAddress())
  const isScarce = vi.spyOn(server.services.disk, 'isScarce').mockReturnValue(true)
  onTestFinished(() => isScarce.mockRestore())
  expect(await begin({ who: member, code: room }, 100, someAddress())).toBe('server.full')
  const part = await sendPart(server, member, (open as { upload: string }).upload, 0, randomBytes(100))
  expect(part.refusal).toBe('server.full')
  expect(await sendPhoto(member, room)).toBe('server.full')
  expect((await member.ask('user/edit', { id: member.id, thumbnail: await photo() })).refusal).toBe('server.full')
  await member.call('sendMessage', { code: room, type: MessageType.text, content: 'words' })
  await agent.call('user/transaction', { id: member.id, amount: '5', remark: 'goes on' })
})
