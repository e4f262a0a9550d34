import { MessageType, Role } from '@tallyroom/contract/codes'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../../testing/app.ts'

const server = await startTestServer()

/** A few hundred bytes that take long to decode. */
let large = ''
beforeAll(async () => {
  const pixels = { width: 1200, height: 1200, channels: 3 as const, background: '#123' }
  const image = await sharp({ create: pixels }).webp({ lossless: true }).toBuffer()
  large = `data:image/webp;base64,${image.toString('base64')}`
})

test('[S18] many images of one account hold up others by one, and the eleventh that waits is refused', async () => {
  const { agent, member, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const code = (await other.call('room/list', {})).data[0]?.code ?? ''
  const ended: string[] = []
  const sent = Array.from({ length: 12 }, async () => {
    const { refusal } = await member.ask('sendMessage', { code: room, type: MessageType.image, content: large })
    ended.push(refusal ?? 'many')
  })
  await expect.poll(() => ended).toContain('server.busy')
  await other.call('sendMessage', { code, type: MessageType.image, content: large })
  ended.push('other')
  await Promise.all(sent)
  expect(ended.filter((end) => end === 'server.busy')).toHaveLength(2)
  expect(ended.slice(ended.indexOf('other')).filter((end) => end === 'many').length).toBeGreaterThan(4)
})

test('[S18] many writes of one account that wait for each other leave connections to the others', async () => {
  const { member } = await server.family()
  let used = 0
  let waiting = 0
  const watch = setInterval(() => {
    const now = server.services.db.connections()
    used = Math.max(used, now.used)
    waiting = Math.max(waiting, now.waiting)
  }, 1)
  const setPicture = () => member.call('user/edit', { id: member.id, thumbnail: large })
  await Promise.all(Array.from({ length: 15 }, setPicture)).finally(() => clearInterval(watch))
  // Several at once, but not all, which are more than the server has connections: somebody would wait for one then.
  expect(used).toBeGreaterThan(2)
  expect(waiting).toBe(0)
})
