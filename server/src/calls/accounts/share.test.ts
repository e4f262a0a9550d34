import { errors } from '@tallyroom/contract'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

test('[SET-07] the picture of the QR code is re-encoded to its size, needs the page, and is never an address', async () => {
  const { top, agent, member } = await server.family()
  const drawn = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#aa3311' } })
    .png()
    .toBuffer()
  const picture = `data:image/png;base64,${drawn.toString('base64')}`
  expect(await agent.ask('share/savePicture', { picture })).toBeRefusal('access.denied')
  expect(await member.ask('share/savePicture', { picture })).toBeRefusal('access.denied')
  await top.call('user/saveAbilities', { id: agent.id, customized_has_qrcode_show: 1 })
  await agent.call('share/savePicture', { picture })
  const { customized_cs_qrcode_pic_url: address } = await agent.call('user/view', {})
  expect(address).toMatch(/^\/media\/[0-9a-f]{32}$/)
  const load = (path: string) =>
    fetch(`${server.address}${path}`, { headers: { authorization: `Bearer ${agent.token}` } })
  const statusOf = async (path: string) => (await load(path)).status
  const answer = await load(address)
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect([answer.status, width, height, format]).toEqual([200, 1200, 1289, 'webp'])
  for (const bad of ['https://evil.example/a.png', 'http://169.254.169.254/', '/media/x', 'data:image/png;base64,AAAA'])
    expect((await agent.ask('share/savePicture', { picture: bad })).code).toBe(errors['request.invalid'])
  expect((await agent.call('user/view', {})).customized_cs_qrcode_pic_url).toBe(address)
  await agent.call('share/savePicture', { picture })
  const { customized_cs_qrcode_pic_url: second } = await agent.call('user/view', {})
  // What was replaced is not kept.
  expect(await statusOf(address)).toBe(404)
  await agent.call('share/savePicture', { picture: '' })
  expect(await statusOf(second)).toBe(404)
  expect((await agent.call('user/view', {})).customized_cs_qrcode_pic_url).toBe('')
})

test('[SHELL-03] agents and admins set their share domain; their customer service shows it too', async () => {
  const { top, agent, cs: help, member } = await server.family()
  const domainOf = async (who: typeof agent) => (await who.call('user/view', {})).domain
  expect(await domainOf(agent)).toBe('')
  for (const [typed, domain] of [
    ['https://join.example', 'https://join.example'],
    [' https://Join.example/vip/ ', 'https://join.example/vip'],
    ['http://join.example?a=', 'http://join.example/?a='],
    ['https://join.example/land?a=', 'https://join.example/land?a='],
  ] as const) {
    expect(await agent.call('share/saveDomain', { domain: typed })).toEqual({ domain })
    expect(await domainOf(agent)).toBe(domain)
  }
  expect(await domainOf(help)).toBe('https://join.example/land?a=')
  expect(await help.ask('share/saveDomain', { domain: '' })).toBeRefusal('access.denied')
  expect(await member.ask('share/saveDomain', { domain: '' })).toBeRefusal('access.denied')
  expect(await domainOf(member), 'a member has no share link').toBe('')
  expect(await domainOf(top), 'an agent’s domain does not change its upline’s').toBe('')
  for (const bad of [
    'join.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'https://you:secret@join.example',
    'https://join.example/#x',
    'https://join.example/?b=1',
    'https://join.example/?',
    'https://join.example/?b=1?a=',
    'https://join.example/?a=1&b=2',
    'https://join.example/?a=x&code=',
    'https://join.example/?a=to/',
    'https://join.example/?b=1&a=',
    'https://join.ex ample',
    'https:\\\\join.example',
    'https://join.example/\u202Egro.live',
  ])
    expect(await agent.ask('share/saveDomain', { domain: bad }), bad).toMatchObject({ refusal: 'share.domain_invalid' })
  expect(await agent.ask('share/saveDomain', { domain: `https://join.example/${'a'.repeat(200)}` })).toBeRefusal(
    'request.invalid',
  )
  expect(await domainOf(agent)).toBe('https://join.example/land?a=')
  await agent.call('share/saveDomain', { domain: '' })
  expect([await domainOf(agent), await domainOf(help)]).toEqual(['', ''])
  const { data } = await top.call('audit/list', { kind: 'account_edited' })
  const saved = data.filter(({ facts }) => facts.some(({ field }) => field === 'share_domain'))
  expect(saved.length, 'setting the same value is no change').toBe(5)
})

test('[SHELL-03] the same request_id saves a share domain once', async () => {
  const { agent } = await server.family()
  const request_id = crypto.randomUUID()
  await agent.call('share/saveDomain', { request_id, domain: 'https://join.example' })
  await agent.call('share/saveDomain', { domain: '' })
  expect(await agent.call('share/saveDomain', { request_id, domain: 'https://join.example' })).toEqual({
    domain: 'https://join.example',
  })
  expect((await agent.call('user/view', {})).domain).toBe('')
})
