import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { Role, TemplateType } from '@tallyroom/contract/codes'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const reply = { title: 'greeting', content: 'Hello {nickname}, you have {balance}.', memo: 'mornings' }
const titles = async (who: Person) => (await who.call('message-template/list', {})).data.map(({ title }) => title)
const picture = async (width = 40, height = 30) => {
  const image = sharp({ create: { width, height, channels: 3, background: '#336699' } })
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`
}
const get = (who: Person, address: string) =>
  fetch(server.address + address, { headers: { authorization: `Bearer ${who.token}` } })

describe('message-template', () => {
  test('[TMPL-01] is made, changed and deleted once, even when sent repeatedly', async () => {
    const { top, agent, cs } = await server.family()
    const request_id = randomUUID()
    const { id } = await cs.call('message-template/create', { ...reply, type: TemplateType.general, request_id })
    expect(await cs.call('message-template/create', { ...reply, type: TemplateType.general, request_id })).toEqual({
      id,
    })
    const { data } = await cs.call('message-template/list', {})
    expect(data).toMatchObject([{ id, type: TemplateType.general, ...reply, username: cs.username, image: '' }])
    expect(data[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    await agent.call('message-template/update', {
      ...reply,
      title: 'farewell',
      type: TemplateType.general,
      targetID: id,
    })
    expect(await titles(cs)).toEqual(['farewell'])
    await agent.call('message-template/delete', { targetID: id })
    expect(await titles(cs)).toEqual([])
    expect(await cs.ask('message-template/delete', { targetID: id })).toBeRefusal('template.not_found')
    expect((await top.call('audit/list', { kind: 'template_deleted' })).data).toMatchObject([
      {
        actor_username: agent.username,
        target_username: cs.username,
        facts: [{ field: 'template', after: 'farewell' }],
      },
    ])
  })

  test.each([
    ['title', { title: 'x'.repeat(51) }],
    ['title', { title: ' ' }],
    ['memo', { memo: 'x'.repeat(51) }],
    ['content', { content: '\n' }],
    ['content', { content: 'x'.repeat(5001) }],
    ['type', { type: 44 }],
  ])('[TMPL-01] [WIRE-06] a wrong %s is refused', async (field, wrong) => {
    const { cs } = await server.family()
    const { id } = await cs.call('message-template/create', reply)
    const bent = { ...reply, ...wrong } as typeof reply
    expect(await cs.ask('message-template/create', bent)).toMatchObject({ refusal: 'request.invalid', data: { field } })
    expect(await cs.ask('message-template/update', { ...bent, targetID: id })).toMatchObject({
      refusal: 'request.invalid',
    })
    expect(await titles(cs)).toEqual([reply.title])
  })

  test('[TMPL-02] general replies are for the whole group, others for agents, customer service or the owner only', async () => {
    const { agent, cs, member } = await server.family()
    const colleague = await server.person({ role: Role.customerService, under: agent })
    const make = (who: Person, type: 1 | 2 | 3 | 9, title: string) =>
      who.call('message-template/create', { ...reply, type, title })
    await make(cs, TemplateType.general, 'general')
    await make(agent, TemplateType.agent, 'agent')
    await make(cs, TemplateType.customerService, 'service')
    const { id } = await make(cs, TemplateType.private, 'private')
    const { id: agents } = await make(agent, TemplateType.private, 'private of the agent')
    expect(await titles(agent)).toEqual(['private of the agent', 'agent', 'general'])
    expect(await titles(cs)).toEqual(['private', 'service', 'general'])
    expect(await titles(colleague)).toEqual(['service', 'general'])
    expect(await titles((await server.family()).cs)).toEqual([])
    expect(await member.ask('message-template/list', {})).toBeRefusal('access.denied')

    // An invisible reply does not exist for any action.
    for (const [who, targetID] of [
      [agent, id],
      [colleague, id],
      [cs, agents],
    ] as const) {
      expect(await who.ask('message-template/update', { ...reply, targetID })).toBeRefusal('template.not_found')
      expect(await who.ask('message-template/delete', { targetID })).toBeRefusal('template.not_found')
      expect(await who.ask('message-template/use', { targetID })).toBeRefusal('template.not_found')
    }
  })

  test('[TMPL-02] nobody makes a reply that they would not see, or makes another’s reply private', async () => {
    const { agent, cs, top } = await server.family()
    const refused = [
      [agent, 3],
      [cs, 2],
      [top, 2],
      [top, 3],
    ] as const
    for (const [who, type] of refused)
      expect(await who.ask('message-template/create', { ...reply, type })).toBeRefusal('access.denied')
    const { id } = await cs.call('message-template/create', reply)
    expect(
      await agent.ask('message-template/update', { ...reply, type: TemplateType.private, targetID: id }),
    ).toBeRefusal('access.denied')
    await cs.call('message-template/update', { ...reply, type: TemplateType.private, targetID: id })
    expect(await titles(agent)).toEqual([])
  })

  test('[ROOM-08] often and recently used replies come first, for each account separately', async () => {
    const { agent, cs } = await server.family()
    const ids: number[] = []
    for (const title of ['a', 'b', 'c']) ids.push((await cs.call('message-template/create', { ...reply, title })).id)
    const [a = 0, b = 0] = ids
    expect(await titles(cs)).toEqual(['c', 'b', 'a'])
    for (const targetID of [a, a, b]) await cs.call('message-template/use', { targetID })
    expect(await titles(cs)).toEqual(['a', 'b', 'c'])
    for (const targetID of [b, b]) await cs.call('message-template/use', { targetID })
    expect(await titles(cs)).toEqual(['b', 'a', 'c'])
    expect(await titles(agent)).toEqual(['c', 'b', 'a'])
    // Years later, one use counts more than a hundred old ones.
    await server.services.db.query('update template_uses set heat = heat - 4000 where template_id = $1', [b])
    await cs.call('message-template/use', { targetID: b })
    await cs.call('message-template/use', { targetID: a })
    expect(await titles(cs)).toEqual(['a', 'b', 'c'])
  })

  test('[ROOM-08] [S18] a photo is re-encoded, visible to the group only, and deleted with its quick reply', async () => {
    const { top, agent, cs, member } = await server.family()
    const stranger = await server.family()
    const { id } = await cs.call('message-template/create', { ...reply, image: await picture() })
    const [made] = (await agent.call('message-template/list', {})).data
    expect(made).toMatchObject({ image_width: 40, image_height: 30 })
    const image = made?.image ?? ''
    for (const who of [agent, cs]) expect((await get(who, image)).headers.get('content-type')).toBe('image/webp')
    for (const who of [member, top, stranger.cs, stranger.member]) expect((await get(who, image)).status).toBe(404)
    await cs.call('message-template/update', { ...reply, targetID: id })
    expect((await cs.call('message-template/list', {})).data[0]?.image).toBe(image)
    await cs.call('message-template/update', { ...reply, targetID: id, image: await picture(20, 20) })
    const [changed] = (await cs.call('message-template/list', {})).data
    expect(changed).toMatchObject({ image_width: 20 })
    expect((await get(cs, image)).status).toBe(404)
    await cs.call('message-template/delete', { targetID: id })
    expect((await get(cs, changed?.image ?? '')).status).toBe(404)
    const left = () => {
      const folder = join(server.services.settings.dataDir, 'media')
      return existsSync(folder)
        ? readdirSync(folder, { recursive: true }).filter((name) => String(name).length > 10)
        : []
    }
    await expect.poll(left).toEqual([])
    const text = `data:image/png;base64,${Buffer.from('just text').toString('base64')}`
    expect(await cs.ask('message-template/create', { ...reply, image: text })).toBeRefusal('message.not_an_image')
  })

  test('[LIM-02] [TEXT-02] a text is kept as it was typed, and the title is one that reads as it is stored', async () => {
    const { cs } = await server.family()
    const hostile = '<img src=x onerror=alert(1)>\u202E👩‍👩‍👧\u200B'
    await cs.call('message-template/create', { title: hostile, content: hostile, memo: hostile })
    const title = '<img src=x onerror=alert(1)>👩‍👩‍👧'
    expect((await cs.call('message-template/list', {})).data).toMatchObject([{ title, content: hostile, memo: title }])
  })
})
