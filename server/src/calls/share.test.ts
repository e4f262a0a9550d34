import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { type TestHouse, testHouse } from '../testing/app.ts'

let house: TestHouse
beforeAll(async () => {
  house = await testHouse()
})

test('[SET-07] the picture of the QR code: made anew to its size, only for those who have the page, and never an address', async () => {
  const { top, agent, member } = await house.family()
  const drawn = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#aa3311' } })
    .png()
    .toBuffer()
  const picture = `data:image/png;base64,${drawn.toString('base64')}`
  expect((await agent.ask('share/savePicture', { picture })).code).toBe(1403)
  expect((await member.ask('share/savePicture', { picture })).code).toBe(1403)
  await top.call('user/saveAbilities', { id: agent.id, customized_has_qrcode_show: 1 })
  await agent.call('share/savePicture', { picture })
  const { customized_cs_qrcode_pic_url: address } = await agent.call('user/view', {})
  expect(address).toMatch(/^\/media\/[0-9a-f]{32}$/)
  const answer = await fetch(`${house.address}${address}`, { headers: { authorization: `Bearer ${agent.token}` } })
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([answer.status, width, height, format]).toEqual([200, 1200, 1289, 'webp'])
  for (const bad of ['https://evil.example/a.png', 'http://169.254.169.254/', '/media/x', 'data:image/png;base64,AAAA'])
    expect((await agent.ask('share/savePicture', { picture: bad })).code).toBe(1400)
  expect((await agent.call('user/view', {})).customized_cs_qrcode_pic_url).toBe(address)
  await agent.call('share/savePicture', { picture: '' })
  expect((await agent.call('user/view', {})).customized_cs_qrcode_pic_url).toBe('')
})
