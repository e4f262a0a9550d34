import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const frozen = { list: 'user', name: 'Frozen', filters: { status: '0' } } as const
const names = async (who: Person, list: 'user' | 'history' = 'user') =>
  (await who.call('listView/list', { list })).data.map(({ name }) => name)

describe('[FIND-02] views of a list', () => {
  test('one’s own: saved once, also when sent repeatedly, changed, deleted, and nobody else sees it', async () => {
    const { agent, cs, top } = await server.family()
    const request_id = randomUUID()
    const { id } = await cs.call('listView/save', { ...frozen, request_id })
    expect(await cs.call('listView/save', { ...frozen, request_id })).toEqual({ id })
    expect((await cs.call('listView/list', { list: 'user' })).data).toEqual([
      { id, name: 'Frozen', filters: { status: '0' }, shared: 0, own: 1 },
    ])
    for (const other of [agent, top]) {
      expect(await names(other)).toEqual([])
      expect(await other.ask('listView/save', { ...frozen, id })).toBeRefusal('view.not_found')
      expect(await other.ask('listView/delete', { id })).toBeRefusal('view.not_found')
    }
    expect(await names(cs, 'history')).toEqual([])
    await cs.call('listView/save', { ...frozen, id, name: ' Cold ' })
    expect(await names(cs)).toEqual(['Cold'])
    await cs.call('listView/delete', { id })
    expect(await names(cs)).toEqual([])
    expect((await top.call('audit/list', { kind: 'view_saved' })).data).toEqual([])
  })

  test('the group’s: made by its head, used by all of the group, changed by the head alone, and in the audit log', async () => {
    const { agent, cs, top } = await server.family()
    const { agent: stranger } = await server.family()
    const { id } = await agent.call('listView/save', { ...frozen, shared: 1 })
    await cs.call('listView/save', { ...frozen, name: 'Mine' })
    const { data } = await cs.call('listView/list', { list: 'user' })
    expect(data).toMatchObject([
      { id, name: 'Frozen', shared: 1, own: 0 },
      { name: 'Mine', shared: 0, own: 1 },
    ])
    expect(await cs.ask('listView/save', { ...frozen, shared: 1 })).toBeRefusal('access.denied')
    expect(await cs.ask('listView/save', { ...frozen, id, shared: 1 })).toBeRefusal('access.denied')
    expect(await cs.ask('listView/delete', { id })).toBeRefusal('access.denied')
    for (const other of [top, stranger]) {
      expect(await names(other)).toEqual([])
      expect(await other.ask('listView/delete', { id })).toBeRefusal('view.not_found')
    }
    await agent.call('listView/delete', { id })
    for (const [kind, after] of [
      ['view_saved', 'Frozen'],
      ['view_deleted', 'Frozen'],
    ] as const)
      expect((await top.call('audit/list', { kind })).data).toMatchObject([
        { actor_username: agent.username, facts: [{ field: 'view', after }] },
      ])
  })

  test('[ACC-06] a shared view with a name in it is not sent to a viewer of masked usernames', async () => {
    const { agent, cs, member } = await server.family()
    const { id } = await agent.call('listView/save', {
      ...frozen,
      name: 'Look at',
      filters: { username: member.username, status: '1' },
      shared: 1,
    })
    await agent.call('listView/save', { ...frozen, shared: 1 })
    expect(await names(cs)).toEqual(['Frozen', 'Look at'])
    await run(server.services.db, sql`update accounts set masks_usernames = 1 where id = ${cs.id}`)
    expect(await names(cs)).toEqual(['Frozen'])
    expect(await cs.ask('listView/delete', { id })).toBeRefusal('view.not_found')
  })

  test('not more than 30 for one list, each kind by itself', async () => {
    const { agent } = await server.family()
    for (let n = 0; n < 30; n++) await agent.call('listView/save', { ...frozen, name: `View ${n}` })
    expect(await agent.ask('listView/save', frozen)).toBeRefusal('view.too_many')
    await agent.call('listView/save', { ...frozen, shared: 1 })
    await agent.call('listView/save', { ...frozen, list: 'history' })
  })

  test.each([
    ['list', { list: 'rooms' }],
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(41) }],
    ['filters', { filters: { 'a b': '1' } }],
    ['filters', { filters: { status: 'x'.repeat(201) } }],
    ['filters', { filters: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k_${'a'.repeat(n)}`, '1'])) }],
  ])('[WIRE-06] a wrong %s is refused', async (_, wrong) => {
    const { agent } = await server.family()
    expect(await agent.ask('listView/save', { ...frozen, ...wrong } as typeof frozen)).toMatchObject({
      refusal: 'request.invalid',
    })
    expect(await names(agent)).toEqual([])
  })
})
