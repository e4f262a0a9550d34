import { MessageType } from '@tallyroom/contract/codes'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { startTestServer, type Person } from '../../testing/app.ts'
import { makePdf, uploadFile } from '../../testing/files.ts'

const server = await startTestServer({ FILES_PER_DAY_MB: '1' })

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
  const upload = await uploadFile(server, who, code, makePdf({ content: randomBytes(bytes) }))
  return (await who.ask('message/sendFile', { code, upload, request_id: randomUUID() })).refusal
}
const stored = () => {
  const folder = join(server.services.settings.dataDir, 'media')
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}

test('[S18] photos and files of one account end at what a day allows, and a day later it may go on', async () => {
  const { agent, member, room } = await server.family()
  const other = await server.person({ role: 4, under: agent })
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

  await run(
    server.services.db,
    sql`update file_quotas set since = since - interval '1 day' where account_id = ${member.id}`,
  )
  expect(await sendPdf(member, room, 800_000)).toBeUndefined()
  expect(await sendPdf(member, room, 300_000)).toBe('message.too_many_files')
})
