import { type Answer, type CallName, type Input, OK } from '@tallyroom/contract'
import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { bankRules } from '../../testing/bank.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

type Wanted = Input<'right/save'>['rights'][number]
const save = (who: Person, whom: Person, ...rights: Wanted[]) => who.ask('right/save', { id: whom.id, rights })
const give = (who: Person, whom: Person, name: string, hours?: { from: string; until: string }) =>
  save(who, whom, { name, given: true, ...(hours ? { hours } : {}) })
const take = (who: Person, whom: Person, name: string) => save(who, whom, { name, given: false })
const codeOf = async <N extends CallName>(who: Person, name: N, input: Input<N>) =>
  outcomeOf(await who.ask(name, input))
const rightIn = ({ rights }: Answer<'right/view'>, name: string) => rights.find((right) => right.name === name)
const pagesOf = async (who: Person) => (await who.call('userMenu/list', {})).map(({ name }) => name)
const actionsOn = async (who: Person, page: string) =>
  (await who.call('userMenu/list', {})).find(({ name }) => name === page)?.action.split(',') ?? []

/** Hours of the platform's day that hold this moment (`isOpen`) or not, an hour away from both ends. */
const hoursAround = async (isOpen: boolean) => {
  const { timeZone } = server.services.settings
  const hour = (offset: number) =>
    sql`to_char(now() at time zone ${timeZone} + make_interval(hours => ${offset}), 'HH24:MI')`
  const [from, until] = isOpen ? [-1, 1] : [1, 2]
  const found = await one<{ from: string; until: string }>(
    server.services.db,
    sql`select ${hour(from ?? 0)} as "from", ${hour(until ?? 0)} as until`,
  )
  if (!found) throw new Error('no time')
  return found
}

describe('[RIGHT-01] menu and actions are data of each account', () => {
  test('without a decision an account has what its role begins with', async () => {
    const { top, agent, cs, member } = await server.family()
    expect((await pagesOf(agent)).includes('sr02')).toBe(true)
    expect(await actionsOn(cs, 'user')).toEqual(['transaction', 'deposit'])
    const seen = await agent.call('right/view', { id: cs.id })
    expect(rightIn(seen, 'chat')).toMatchObject({ has: true, why: 'role', decided: null, may_take: true })
    expect(rightIn(seen, 'user.edit')).toMatchObject({ has: false, why: 'not_given', may_give: true })
    expect(await codeOf(cs, 'user/edit', { id: member.id, nickname: 'Ann' })).toBe('access.denied')
    expect((await top.call('right/view', {})).rights.every(({ may_take }) => !may_take)).toBe(true)
  })

  test('a page that is taken is gone at the next call, from the menu, the server and the guard', async () => {
    const { agent, cs } = await server.family()
    const day = { start_time: '2026-01-01 00:00:00', end_time: '2026-01-02 00:00:00' }
    expect(await codeOf(cs, 'transaction/list', day)).toBe('done')
    await take(agent, cs, 'transaction_log')
    expect(await codeOf(cs, 'transaction/list', day)).toBe('access.denied')
    expect(await pagesOf(cs)).not.toContain('transaction_log')
    expect(await cs.call('userMenu/auth', { url: '/transaction/list' })).toEqual({ allowed: false })
    await give(agent, cs, 'transaction_log')
    expect(await codeOf(cs, 'transaction/list', day)).toBe('done')
    expect(await cs.call('userMenu/auth', { url: '/transaction/list' })).toEqual({ allowed: true })
  })

  test('bank accounts are read with conversations or requests only, and changed with conversations', async () => {
    const { top, agent, cs, member } = await server.family()
    await top.call('bank_setting/save', bankRules)
    const member_id = member.id
    const codes = async () => [
      await codeOf(cs, 'members/bank-card', { member_id }),
      await codeOf(cs, 'members/bank-account', { member_id }),
      await codeOf(cs, 'members/bank-card/create', { member_id, accounts: [] }),
      await codeOf(cs, 'members/bank-card/delete', { member_id, id: 1 }),
    ]
    expect(await codes()).not.toContain('access.denied')
    await take(agent, cs, 'chat')
    expect(await codes()).toEqual(['done', 'done', 'access.denied', 'access.denied'])
    await take(agent, cs, 'requests')
    expect(await codes()).toEqual(['access.denied', 'access.denied', 'access.denied', 'access.denied'])
  })

  test('an agent without the account tree makes no agents', async () => {
    const { top, agent } = await server.family()
    await take(top, agent, 'tree')
    const own = { username: 'subagent', password: 'secret1', password_confirmation: 'secret1' }
    expect(await codeOf(agent, 'user/addAgent', own)).toBe('access.denied')
    expect(await codeOf(top, 'user/addAgent', own)).toBe('done')
  })

  test('customer service that answers members may be kept from moving points', async () => {
    const { agent, cs, member, room } = await server.family()
    const give5 = { member_id: member.id, type: TransferKind.send, amount: '5', code: room } as const
    expect((await cs.call('member/view', { member_id: member.id })).offers.length).toBeGreaterThan(0)
    await save(agent, cs, { name: 'chat.transaction', given: false }, { name: 'user.transaction', given: false })
    expect(await codeOf(cs, 'transaction/add', give5)).toBe('access.denied')
    expect((await cs.call('member/view', { member_id: member.id })).offers).toEqual([])
    expect(await codeOf(cs, 'user/transaction', { id: member.id, amount: '-1' })).toBe('access.denied')
    // Depositing is an action of its own.
    expect(await codeOf(cs, 'user/transaction', { id: member.id, amount: '5' })).toBe('done')
    await take(agent, cs, 'user.deposit')
    expect(await codeOf(cs, 'user/transaction', { id: member.id, amount: '5' })).toBe('access.denied')
    expect(await codeOf(cs, 'sendMessage', { code: room, type: MessageType.text, content: 'Hello' })).toBe('done')
  })

  test('customer service can be given what its role does not begin with', async () => {
    const { agent, cs, member } = await server.family()
    await give(agent, cs, 'user.edit')
    expect(await codeOf(cs, 'user/edit', { id: member.id, nickname: 'Ann' })).toBe('done')
    expect(await codeOf(cs, 'user/delete', { id: member.id })).toBe('access.denied')
    await give(agent, cs, 'user.delete')
    expect(await actionsOn(cs, 'user')).toEqual(['transaction', 'deposit', 'edit', 'delete'])
    // Freezing is an action of its own.
    await take(agent, cs, 'user.edit')
    expect(await codeOf(cs, 'user/delete', { id: member.id })).toBe('done')
  })

  test('what an agent loses is gone from all below it, and comes back with it', async () => {
    const { top, agent, cs } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const subCs = await server.person({ role: Role.customerService, under: sub })
    const below = [agent, cs, sub, subCs]
    await give(sub, subCs, 'quick_replies')
    await take(top, agent, 'quick_replies')
    const make = { title: 'Hello', content: 'Hello' }
    for (const who of below) expect(await codeOf(who, 'message-template/create', make)).toBe('access.denied')
    expect(rightIn(await sub.call('right/view', { id: subCs.id }), 'quick_replies')).toMatchObject({
      has: false,
      why: 'above',
      above: `Nick ${agent.username}`,
      is_given: true,
      may_give: false,
    })
    await give(top, agent, 'quick_replies')
    for (const who of below) expect(await codeOf(who, 'message-template/create', make)).toBe('done')
  })

  test('a conversation is not handed over to a colleague who has none', async () => {
    const { agent, cs, room } = await server.family()
    await agent.call('desk/take', { code: room })
    await take(agent, cs, 'chat')
    expect((await agent.call('desk/colleagues', {})).data.map(({ id }) => id)).toEqual([agent.id])
    expect((await agent.ask('desk/handOver', { code: room, to: cs.id })).refusal).toBe('room.not_a_colleague')
  })

  test('an action without its page is of no use', async () => {
    const { agent, cs, member } = await server.family()
    await take(agent, cs, 'user')
    expect(await codeOf(cs, 'user/transaction', { id: member.id, amount: '5' })).toBe('access.denied')
    expect(await codeOf(cs, 'user/list', { menu_id: 13 })).toBe('access.denied')
    expect(rightIn(await cs.call('right/view', {}), 'user.deposit')).toMatchObject({ has: false, why: 'page' })
  })

  test('a right holds within its hours only, also past midnight', async () => {
    const { agent, cs, room } = await server.family()
    const say = () => codeOf(cs, 'sendMessage', { code: room, type: MessageType.text, content: 'Hello' })
    const [inside, outside] = [await hoursAround(true), await hoursAround(false)]
    await give(agent, cs, 'chat', inside)
    expect(await say()).toBe('done')
    await give(agent, cs, 'chat', outside)
    expect(await say()).toBe('access.denied')
    expect(rightIn(await agent.call('right/view', { id: cs.id }), 'chat')).toMatchObject({
      why: 'hours',
      hours: outside,
    })
    // The other hours of the day: one of the two ranges goes past midnight.
    await give(agent, cs, 'chat', { from: outside.until, until: outside.from })
    expect(await say()).toBe('done')
    await give(agent, cs, 'chat', { from: inside.until, until: inside.from })
    expect(await say()).toBe('access.denied')
  })

  test('each change is in the audit log once, with before and after', async () => {
    const { top, agent, cs } = await server.family()
    await take(agent, cs, 'user.deposit')
    await take(agent, cs, 'user.deposit')
    await give(agent, cs, 'user.deposit', { from: '08:00', until: '20:00' })
    const { data } = await top.call('audit/list', { kind: 'rights_changed', target: cs.username })
    expect(data.map(({ facts }) => facts)).toEqual([
      [{ field: 'right_user.deposit', before: 'taken', after: 'given 08:00–20:00' }],
      [{ field: 'right_user.deposit', before: 'role', after: 'taken' }],
    ])
  })
})

describe('[RIGHT-01] nobody gives more than they have', () => {
  test('refused: to oneself, upward, sideways, in a circle, to members, unknown rights and wrong hours', async () => {
    const { top, agent, cs, member } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const other = await server.family()
    const refusalOf = async (answer: ReturnType<typeof give>) => (await answer).refusal
    expect(await refusalOf(give(agent, agent, 'sr02'))).toBe('account.not_yourself')
    expect(await refusalOf(give(agent, top, 'sr02'))).toBe('account.not_found')
    // The agent gives to its sub-agent; giving it back upward would be a circle.
    expect((await give(agent, sub, 'sr02', { from: '00:00', until: '23:59' })).code).toBe(OK)
    expect(await refusalOf(give(sub, agent, 'sr02'))).toBe('account.not_found')
    expect(await refusalOf(give(agent, other.cs, 'chat'))).toBe('account.not_found')
    expect(await refusalOf(give(cs, member, 'chat'))).toBe('access.denied')
    expect(await refusalOf(give(agent, member, 'chat'))).toBe('access.denied')
    expect(await refusalOf(give(agent, cs, 'everything'))).toBe('right.unknown')
    expect(await refusalOf(give(agent, cs, 'audit'))).toBe('right.unknown')
    expect(await refusalOf(take(agent, cs, 'home'))).toBe('right.unknown')
    expect(await refusalOf(give(agent, cs, 'chat', { from: '08:00', until: '08:00' }))).toBe('right.hours_same')
    for (const hours of [
      { from: '24:00', until: '08:00' },
      { from: '8', until: '20:00' },
      { from: '', until: '' },
    ])
      expect(await refusalOf(give(agent, cs, 'chat', hours))).toBe('request.invalid')
  })

  test('a right that the giver has lost cannot be given, nor one that an account between has lost', async () => {
    const { top, agent } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    const subCs = await server.person({ role: Role.customerService, under: sub })
    await take(agent, subCs, 'approvals')
    await take(top, agent, 'approvals')
    expect((await give(agent, subCs, 'approvals')).refusal).toBe('right.not_yours')
    expect((await give(top, subCs, 'approvals')).refusal).toBe('right.upline_has_not')
  })

  test('what somebody further up has decided is theirs to change', async () => {
    const { top, agent, cs } = await server.family()
    await take(top, cs, 'user.deposit')
    expect((await give(agent, cs, 'user.deposit')).refusal).toBe('right.decided_above')
    expect(rightIn(await agent.call('right/view', { id: cs.id }), 'user.deposit')).toMatchObject({
      why: 'taken',
      may_give: false,
      may_take: false,
    })
    expect((await give(top, cs, 'user.deposit')).code).toBe(OK)
  })

  test('without the action that edits accounts nobody changes rights', async () => {
    const { top, agent, cs } = await server.family()
    await take(top, agent, 'customer_service.edit')
    expect(await codeOf(agent, 'right/save', { id: cs.id, rights: [{ name: 'chat', given: false }] })).toBe(
      'access.denied',
    )
    expect((await agent.call('right/view', { id: cs.id })).rights.some(({ may_take }) => may_take)).toBe(false)
  })
})

describe('[RIGHT-01] a right that is taken is dead on open sockets', () => {
  type Socket = Awaited<ReturnType<Person['socket']>>
  const closed = (socket: Socket) => new Promise((resolve) => socket.once('disconnect', resolve))
  const nextEvent = (socket: Socket) => new Promise((resolve) => socket.once('account', resolve))

  test('conversations: the socket closes, and the next one gets no message and joins no room', async () => {
    const { top, agent, cs, member, room } = await server.family()
    const [agentSocket, csSocket] = await Promise.all([agent.socket(), cs.socket()])
    const gone = Promise.all([closed(agentSocket), closed(csSocket)])
    // The top account takes it from the agent: its customer service loses it too.
    await take(top, agent, 'chat')
    await gone
    agentSocket.disconnect()
    csSocket.disconnect()
    const [late, other] = [await cs.socket(), await member.socket()]
    const received: unknown[] = []
    late.on('room', (event) => received.push(event))
    expect(await late.emitWithAck('join', room)).toEqual({ ok: false })
    const arrived = new Promise((resolve) => other.once('room', resolve))
    await member.call('sendMessage', { code: room, type: MessageType.text, content: 'Is anybody there?' })
    await arrived
    // What was sent to this socket before this answer would have arrived.
    await new Promise<void>((resolve) => late.emit('alive', resolve))
    expect(received).toEqual([])
    expect(await cs.ask('room/list', {})).toBeRefusal('access.denied')
    // An agent keeps its own conversation with its upline, but not those of its group.
    expect((await agent.call('room/list', {})).data).toEqual([])
  })

  test('another right: the page gets an event and the socket stays', async () => {
    const { agent, cs } = await server.family()
    const socket = await cs.socket()
    const said = nextEvent(socket)
    await take(agent, cs, 'quick_replies')
    expect(await said).toEqual({ account_id: cs.id, rights: 1 })
    expect(socket.connected).toBe(true)
  })

  test('hours that end close the socket without anybody doing anything', async () => {
    const { agent, cs } = await server.family()
    await give(agent, cs, 'chat', await hoursAround(true))
    const socket = await cs.socket()
    const gone = closed(socket)
    const outside = await hoursAround(false)
    const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
    // As if the clock had moved on: no call announces it.
    await run(
      server.services.db,
      sql`update account_rights set from_minute = ${minutes(outside.from)}, until_minute = ${minutes(outside.until)}
        where account_id = ${cs.id}`,
    )
    await gone
  })
})
