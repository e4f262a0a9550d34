import { randomUUID } from 'node:crypto'
import { MessageType, Role } from '@tallyroom/contract/codes'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type Person, startTestServer } from '../../testing/app.ts'
import { cashFamily } from '../../testing/cash.ts'
import { getMedia } from '../../testing/files.ts'
import { emptyPng, scanBomb } from '../../testing/images.ts'

const server = await startTestServer()

const asUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
const screenshot = async (width: number, height: number) =>
  asUrl(
    await sharp({ create: { width, height, channels: 3, background: '#336699' } })
      .png()
      .toBuffer(),
  )
const sizeOf = async (who: Person, path: string) => {
  const { width, height } = await sharp(Buffer.from(await (await getMedia(server, who, path)).arrayBuffer())).metadata()
  return [width, height]
}

test.each([
  [1080, 6000, 1080, 6000],
  [1080, 14_400, 600, 8000],
  [2400, 1800, 1200, 900],
])('[ROOM-07] [CASH-01] a photo of %i x %i is stored as %i x %i on every road', async (width, height, w, h) => {
  const { agent, cs, member, out } = await cashFamily(server)
  const photo = await screenshot(width, height)
  const room = (await member.call('room/list', {})).data[0]?.code ?? ''
  const sent = await member.call('sendMessage', {
    code: room,
    type: MessageType.image,
    content: photo,
    request_id: randomUUID(),
  })
  expect([sent.width, sent.height]).toEqual([w, h])
  expect(await sizeOf(agent, sent.content)).toEqual([w, h])

  await member.call('cash/ask', { ...out('30'), slip: photo })
  const slip = (await agent.call('cash/list', {})).data[0]?.slip ?? ''
  expect(await sizeOf(agent, slip)).toEqual([w, h])

  await cs.call('message-template/create', { title: 'rules', content: 'See', memo: '', image: photo })
  const [reply] = (await cs.call('message-template/list', {})).data
  expect([reply?.image_width, reply?.image_height]).toEqual([w, h])
})

test('[ROOM-07] a photo that a camera turned is limited as it is seen', async () => {
  const { member, room } = await server.family()
  const image = sharp({ create: { width: 6000, height: 1080, channels: 3, background: '#336699' } })
  const content = asUrl(await image.withMetadata({ orientation: 6 }).jpeg().toBuffer())
  const sent = await member.call('sendMessage', { code: room, type: MessageType.image, content })
  expect([sent.width, sent.height]).toEqual([1080, 6000])
})

test('[ROOM-07] a photo of more than 25 million pixels says so on every road', async () => {
  const { top, agent, cs, member, out } = await cashFamily(server)
  await top.call('user/saveAbilities', { id: agent.id, customized_has_qrcode_show: 1 })
  const photo = asUrl(emptyPng(5001, 5000))
  const room = (await member.call('room/list', {})).data[0]?.code ?? ''
  const answers = [
    await member.ask('sendMessage', { code: room, type: MessageType.image, content: photo }),
    await member.ask('cash/ask', { ...out('30'), slip: photo }),
    await cs.ask('message-template/create', { title: 'rules', content: 'See', memo: '', image: photo }),
    await member.ask('user/edit', { id: member.id, thumbnail: photo }),
    await agent.ask('setting/save', { background_image: photo }),
    await agent.ask('share/savePicture', { picture: photo }),
  ]
  for (const { refusal, message } of answers)
    expect([refusal, message]).toEqual([
      'message.image_too_large',
      'This photo is too large to send. Choose a smaller one.',
    ])
})

test('[S18] who sends a photo that is made to take long waits, and nobody else does', async () => {
  const { agent, member, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const code = (await other.call('room/list', {})).data[0]?.code ?? ''
  const send = (bytes: Buffer) =>
    member.ask('sendMessage', { code: room, type: MessageType.image, content: asUrl(bytes) })
  const bombs = [send(scanBomb(1)), send(scanBomb(3))]
  const sent = await other.call('sendMessage', { code, type: MessageType.image, content: await screenshot(1080, 2400) })
  expect(sent).toMatchObject({ width: 1080, height: 2400 })
  const [first, second] = await Promise.all(bombs)
  expect([first?.refusal, second?.refusal]).toEqual(['message.image_too_large', 'request.too_often'])
  expect((await send(emptyPng(10, 10))).refusal).toBe('request.too_often')
})
