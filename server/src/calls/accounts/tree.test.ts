import { randomBytes, randomUUID } from 'node:crypto'
import { type Answer, errors } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

type Row = Answer<'tree/view'>['row']
const idsOf = (rows: Row[]) => rows.map(({ id }) => id)
const team = (who: Person, parent: Person, more: object = {}) =>
  who.call('tree/list', { parent_id: parent.id, part: 'team', ...more })
const fresh = <const T extends object>(more: T) => ({
  username: `a${randomBytes(4).toString('hex')}`,
  nickname: 'New',
  password: 'secret1',
  password_confirmation: 'secret1',
  ...more,
})

describe('[TREE-01] the tree', () => {
  test('shows levels, balances, credit and counts, customer service before agents and members apart', async () => {
    const { top, agent, cs, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent, points: '50', limit: '20' })
    const deep = await server.person({ role: Role.member, under: sub })
    const admin = await server.person({ role: Role.admin, under: top })
    const own = await top.call('tree/view', {})
    expect(own).toMatchObject({ levels: 4, row: { id: top.id, unlimited: true, team: 2, members: 0, below: 6 } })
    expect(idsOf((await team(top, top)).data)).toEqual([agent.id, admin.id])
    const { data, total } = await team(top, agent)
    expect([idsOf(data), total]).toEqual([[cs.id, sub.id], 2])
    expect(data).toMatchObject([
      { role_id: Role.customerService, shares_wallet: true, team: 0, members: 0, below: 0 },
      {
        role_id: Role.agent,
        balance: '50.0000',
        limit_of_credit: '20.0000',
        team: 0,
        members: 1,
        below: 1,
        unlimited: false,
      },
    ])
    const members = await top.call('tree/list', { parent_id: agent.id, part: 'members' })
    expect([idsOf(members.data), members.total]).toEqual([[member.id], 1])
    expect((await agent.call('tree/view', {})).levels).toBe(3)
    expect(idsOf((await top.call('tree/list', { parent_id: sub.id, part: 'members' })).data)).toEqual([deep.id])
  })

  test('is read in pages, and a path names the place of each account in the lists that lead to it', async () => {
    const { top, agent } = await server.family()
    const subs: Person[] = []
    for (let n = 0; n < 5; n++) subs.push(await server.person({ role: Role.agent, under: agent }))
    const deep = await server.person({ role: Role.member, under: subs[3] as Person })
    const last = await server.person({ role: Role.member, under: subs[3] as Person })
    expect(idsOf((await team(top, agent, { from: 2, count: 2 })).data)).toEqual([subs[1]?.id, subs[2]?.id])
    const { path } = await top.call('tree/path', { id: last.id })
    expect(path.map(({ row, part, at }) => [row.id, part, at])).toEqual([
      [top.id, 'team', 0],
      [agent.id, 'team', 0],
      // The agent's customer service comes first.
      [subs[3]?.id, 'team', 4],
      [last.id, 'members', 1],
    ])
    expect((await agent.call('tree/path', { id: deep.id })).path.map(({ row }) => row.id)).toEqual([
      agent.id,
      subs[3]?.id,
      deep.id,
    ])
    for (const { row, part, at } of path.slice(1)) {
      const parent_id = path[path.findIndex((step) => step.row.id === row.id) - 1]?.row.id ?? 0
      const { data } = await top.call('tree/list', { parent_id, part, from: at, count: 1 })
      expect(data).toEqual([row])
    }
  })

  test('finds a name anywhere below, with the name of the account above', async () => {
    const { top, agent, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const cs = await server.person({ role: Role.customerService, under: sub })
    const stranger = await server.family()
    const find = async (who: Person, text: string) => (await who.call('tree/find', { text })).data
    expect(await find(top, cs.username.slice(2))).toMatchObject([
      { id: cs.id, role_id: Role.customerService, upline: `Nick ${sub.username}` },
    ])
    expect((await find(agent, agent.username)).map(({ id, upline }) => [id, upline])).toEqual([[agent.id, '']])
    expect(await find(sub, member.username)).toEqual([])
    expect(await find(top, stranger.member.username)).toEqual([])
    expect(await find(top, '%')).toEqual([])
  })

  test('opens with 10,000 accounts, and reads any page of them', async () => {
    const { top, agent } = await server.family()
    await run(
      server.services.db,
      sql`with made as (select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id, n from generate_series(1, 10000) n)
        insert into accounts (id, top_id, parent_id, group_id, path, role_id, username, password_hash, share_code, is_funded)
        select made.id, a.top_id, a.id, a.group_id, a.path || made.id || '/', 4, 'm' || a.id || '-' || n, '!', 'm' || made.id, false
        from made, accounts a where a.id = ${agent.id}`,
    )
    await run(
      server.services.db,
      sql`insert into wallets (top_id, account_id, kind, floor)
        select top_id, id, 1, 0 from accounts a where role_id = 4 and not exists (select from wallets where account_id = a.id)`,
    )
    expect((await top.call('tree/view', {})).row.below).toBe(10_003)
    const page = await top.call('tree/list', { parent_id: agent.id, part: 'members', from: 9_900, count: 200 })
    expect([page.total, page.data.length]).toEqual([10_001, 101])
    const wanted = `m${agent.id}-7777`
    const [found] = (await top.call('tree/find', { text: wanted })).data
    const { path } = await top.call('tree/path', { id: found?.id ?? 0 })
    expect(path.at(-1)).toMatchObject({ part: 'members', at: 7777, row: { username: wanted } })
  })
})

describe('[TREE-02] adding in the tree', () => {
  test('agents and customer service below oneself or an agent below, admins below admins, with an audit entry', async () => {
    const { top, agent } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const made: number[] = []
    for (const role_id of [Role.agent, Role.customerService] as const)
      made.push((await agent.call('tree/add', fresh({ parent_id: sub.id, role_id }))).id)
    expect(idsOf((await team(sub, sub)).data)).toEqual([made[1], made[0]])
    const { id: admin } = await top.call('tree/add', fresh({ parent_id: top.id, role_id: Role.admin }))
    expect(await top.call('user/view', { id: admin })).toMatchObject({
      role_id: Role.admin,
      unlimited: false,
      balance: '0.0000',
    })
    const own = (await top.call('audit/list', { kind: 'account_added' })).data
    expect(own.map(({ actor_id, target_id }) => [actor_id, target_id])).toEqual([
      [top.id, admin],
      [agent.id, made[1]],
      [agent.id, made[0]],
    ])
    const groups = await one<{ cs: number; agent: number }>(
      server.services.db,
      sql`select (select group_id from accounts where id = ${made[1] ?? 0}) as cs, (select group_id from accounts where id = ${made[0] ?? 0}) as agent`,
    )
    expect(groups).toEqual({ cs: sub.id, agent: made[0] })
  })

  test('nobody adds above or beside oneself, below a member or customer service, or more than it is', async () => {
    const { top, agent, cs, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const stranger = await server.family()
    for (const { id: parent_id } of [top, stranger.agent, cs, member])
      expect(await agent.ask('tree/add', fresh({ parent_id, role_id: Role.agent }))).toBeRefusal('account.not_found')
    for (const who of [cs, member])
      expect(await who.ask('tree/add', fresh({ parent_id: agent.id, role_id: Role.customerService }))).toBeRefusal(
        'access.denied',
      )
    // An agent's admin would see more than the agent.
    for (const who of [agent, top])
      expect(await who.ask('tree/add', fresh({ parent_id: agent.id, role_id: Role.admin }))).toMatchObject({
        code: errors['account.wrong_place'],
        refusal: 'account.wrong_place',
      })
    expect(await agent.ask('tree/add', fresh({ parent_id: sub.id, role_id: Role.member }) as never)).toBeRefusal(
      'request.invalid',
    )
    await agent.call('user/delete', { id: sub.id })
    expect(await agent.ask('tree/add', fresh({ parent_id: sub.id, role_id: Role.agent }))).toBeRefusal(
      'account.not_found',
    )
  })

  test('gives no ability that the maker lacks, even below an account that has it', async () => {
    const { top } = await server.family()
    const { db } = server.services
    const admin = await server.person({ role: Role.admin, under: top })
    const other = await server.person({ role: Role.admin, under: admin })
    await run(
      db,
      sql`update accounts set gift_red_envelope_button_visible = 0, masks_usernames = 1 where id = ${admin.id}`,
    )
    const { id: sub } = await admin.call('tree/add', fresh({ parent_id: other.id, role_id: Role.admin }))
    const { id: agent } = await admin.call('tree/add', fresh({ parent_id: other.id, role_id: Role.agent }))
    const { id: cs } = await admin.call('tree/add', fresh({ parent_id: other.id, role_id: Role.customerService }))
    for (const id of [sub, agent, cs])
      expect(
        await one(
          db,
          sql`select gift_red_envelope_button_visible as gift, masks_usernames as masks from accounts where id = ${id}`,
        ),
      ).toEqual({ gift: 0, masks: 1 })
  })

  test('once, when it is repeated; the new account chooses its own password', async () => {
    const { agent } = await server.family()
    const input = { ...fresh({ parent_id: agent.id, role_id: Role.agent }), request_id: randomUUID() } as const
    const ask = () => agent.call('tree/add', input)
    expect(await ask()).toEqual(await ask())
    expect((await team(agent, agent)).total).toBe(2)
    const choosing = await one<{ must: boolean }>(
      server.services.db,
      sql`select must_choose_password as must from accounts where username = ${input.username}`,
    )
    expect(choosing?.must).toBe(true)
    expect(
      await agent.ask('tree/add', fresh({ parent_id: agent.id, role_id: Role.agent, username: input.username })),
    ).toBeRefusal('account.username_taken')
  })
})
