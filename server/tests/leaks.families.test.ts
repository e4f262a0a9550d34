import { randomUUID } from 'node:crypto'
import { type CallName, callNames, declared } from '@tallyroom/contract'
import { MessageType, RoomStatus, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, run, sql } from '../src/data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../src/testing/app.ts'
import { type Belongings, sensitiveChangeOf } from '../src/testing/rights/matrix.ts'
import { limit, waitingFor } from '../src/testing/approvals.ts'
import { inputOf } from '../src/testing/rights/rights.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

/** Unique words, by who may read them. */
const canary = (who: 'talk' | 'group' | 'own') => `${who}Zq${randomUUID().replaceAll('-', '').slice(0, 12)}`
type Planted = {
  family: Awaited<ReturnType<TestServer['family']>>
  its: Belongings
  talk: string[]
  group: string[]
  own: string[]
  /** Sent and taken back: readable for the head of the group by its audited call only. */
  gone: string
}

/** A family that has written something everywhere: in the conversation, in notes, and in drafts. */
const plant = async (): Promise<Planted> => {
  const family = await server.family()
  const { top, agent, cs, member, room: code } = family
  const planted: Planted = { family, its: {} as Belongings, talk: [], group: [], own: [], gone: canary('talk') }
  const word = (who: 'talk' | 'group' | 'own') => {
    const made = canary(who)
    planted[who].push(made)
    return made
  }
  const { room } = await agent.call('room/enter', { code })
  await cs.call('user/edit', { id: cs.id, nickname: 'Carl of the desk' })
  const { message_id } = await member.call('sendMessage', { code, type: MessageType.text, content: word('talk') })
  await agent.call('sendMessage', { code, type: MessageType.text, content: word('talk') })
  await run(server.services.db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const taken = await member.call('sendMessage', { code, type: MessageType.text, content: planted.gone })
  await member.call('message/takeBack', { code, message_id: taken.message_id })
  const offer = await agent.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '1',
    remark: word('talk'),
  })
  await run(server.services.db, sql`update accounts set withdraw_confirm = 0 where id = ${member.id}`)
  const given = await agent.call('user/transaction', { id: member.id, amount: '5', remark: word('talk') })

  await agent.call('desk/whisper', { code, content: word('group') })
  await cs.call('desk/take', { code, from: agent.id })
  await cs.call('desk/whisper', { code, content: word('group') })
  await agent.call('friend/edit', { member_id: member.id, nickname: word('group').slice(0, 30) })
  const { note_id } = await agent.call('note/add', { room_id: room.room_id, title: word('group') })
  const { content_id } = await cs.call('note_content/add', { note_id, content: word('group') })
  const reply = { title: word('group'), content: word('group'), memo: word('group') }
  const { id: template_id } = await agent.call('message-template/create', reply)

  await top.call('setting/save', { cash_requests: 1 })
  const { id: cash_id } = await member.call('cash/ask', { direction: 'in', amount: '1' })
  await limit(top, agent, 3, { transfer: '1' })
  const aboveLimit = {
    member_id: member.id,
    type: TransferKind.gift,
    amount: '2',
    remark: word('talk'),
    reason: word('group'),
  } as const
  await agent.call('transaction/add', aboveLimit)
  const approval_id = (await waitingFor(agent)).id
  const change_id = await sensitiveChangeOf(server.services.db, agent, member.id, { remark: word('group') })
  for (const who of [agent, cs, member]) await who.call('draft/save', { code, content: word('own') })
  for (const who of [agent, cs]) await who.call('draft/save', { code, inside: true, content: word('own') })
  const view = { list: 'user', name: word('group'), filters: { nickname: word('group') }, shared: 1 } as const
  const { id: view_id } = await agent.call('listView/save', view)
  for (const who of [agent, cs]) await who.call('listView/save', { ...view, name: word('own'), shared: 0 })
  planted.its = {
    code,
    head: agent.id,
    message_id,
    taken_back_id: taken.message_id,
    transaction_id: given.transaction_id,
    envelope: offer.transaction_id,
    room_id: room.room_id,
    note_id,
    content_id,
    template_id,
    view_id,
    bank_account_id: 1,
    cash_id,
    approval_id,
    change_id,
  }
  await top.call('setting/save', { name: word('talk').slice(0, 30) })
  return planted
}

/** Everything that a person gets from every call about an account, including writes that must be refused. */
const askAll = async (who: Person, { family: { member, room }, its, talk, group, own }: Planted, reading: boolean) => {
  const answers: [CallName, unknown][] = []
  const ask = async (name: CallName, input: object) => answers.push([name, await who.ask(name, input as never)])
  const session = String(
    (await one<{ id: bigint }>(server.services.db, sql`select id from sessions where account_id = ${member.id}`))?.id ??
      0,
  )
  const time = { start_time: '2020-01-01 00:00:00', end_time: '2099-01-01 00:00:00' }
  for (const name of callNames) {
    if (reading && declared(name).effect === 'write') continue
    if (name === 'user/paymentPassword' || name.startsWith('factor/') || name === 'logout') continue
    const input = inputOf(name, member.id, { ...its, session, passkey_id: 1 })
    if (input) await ask(name, input)
  }
  await ask('room/enter', { code: room })
  await ask('room/enter', { room_id: its.room_id })
  for (const around of [1, 2]) await ask('room/history', { code: room, around })
  await ask('transaction/list', time)
  for (const text of [...talk, ...group, ...own]) {
    await ask('search/messages', { text })
    await ask('search/notes', { text })
    await ask('friend/list', { username: text.slice(0, 30), fuzzy: 1 })
  }
  for (const status of [RoomStatus.shown, RoomStatus.hidden, RoomStatus.ai] as const) await ask('room/list', { status })
  await ask('room/list', { status: RoomStatus.shown, since: '1' })
  return answers
}
const leaksIn = (answers: [CallName, unknown][], words: readonly string[]) =>
  answers.flatMap(([name, answer]) => {
    const said = JSON.stringify(answer)
    return words.filter((word) => said.includes(word)).map((word) => `${name}: ${word}`)
  })

describe('[S1] [S15] nothing reaches an account that may not see it', () => {
  test('one family gets nothing of another: by no call, whatever id, and by no event', async () => {
    const [ours, theirs] = [await plant(), await plant()]
    const all = [
      ...ours.talk,
      ...ours.group,
      ...ours.own,
      ours.gone,
      ours.family.member.username,
      ours.family.cs.username,
    ]
    const { top, agent, cs, member } = theirs.family
    const received: [CallName, unknown][] = []
    for (const who of [top, agent, cs, member]) {
      const socket = await who.socket()
      socket.onAny((name: CallName, payload: unknown) => received.push([name, payload]))
      expect(await socket.emitWithAck('join', ours.family.room)).toEqual({ ok: false })
    }
    for (const who of [top, agent, cs, member]) expect(leaksIn(await askAll(who, ours, false), all)).toEqual([])
    const { code } = ours.its
    await ours.family.agent.call('desk/whisper', { code, content: ours.group[0] ?? '' })
    await ours.family.member.call('sendMessage', { code, type: MessageType.text, content: ours.talk[0] ?? '' })
    await ours.family.cs.call('draft/save', { code, content: ours.own[0] ?? '' })
    await agent.call('desk/whisper', { code: theirs.its.code, content: 'the last' })
    expect(leaksIn(received, all)).toEqual([])
    // Each does find its own.
    expect(leaksIn(await askAll(agent, theirs, true), [...theirs.talk, ...theirs.group]).length).toBeGreaterThan(9)
  })

  test('the group’s own data never reaches its member, and a draft reaches only its writer', async () => {
    const planted = await plant()
    const { agent, cs, member, room } = planted.family
    const received = new Map<Person, [CallName, unknown][]>()
    for (const who of [agent, cs, member]) {
      const socket = await who.socket()
      const own: [CallName, unknown][] = []
      received.set(who, own)
      socket.onAny((name: CallName, payload: unknown) => own.push([name, payload]))
      await socket.emitWithAck('join', room)
    }
    const [own = '', ofCs = '', ofMember = ''] = planted.own
    await agent.call('desk/whisper', { code: room, content: planted.group[0] ?? '' })
    await agent.call('draft/save', { code: room, inside: true, content: planted.own[3] ?? '' })
    await cs.call('draft/save', { code: room, content: ofCs })
    await cs.call('desk/markUnread', { code: room })
    await cs.call('desk/settle', { code: room })
    await cs.call('desk/release', { code: room })
    await member.call('sendMessage', { code: room, type: MessageType.text, content: 'the last' })
    const staff = [cs.username, 'Carl of the desk']
    const others = planted.own.filter((word) => word !== ofMember)
    const toMember = [...(await askAll(member, planted, true)), ...(received.get(member) ?? [])]
    expect(leaksIn(toMember, [...planted.group, ...others, ...staff, planted.gone])).toEqual([])
    for (const [name, answer] of toMember)
      expect([
        name,
        JSON.stringify(answer).match(/"(waiting_since|owner_id)":(?!null)|"owner_name":"[^"]|"aside_seq":[1-9]/),
      ]).toEqual([name, null])
    const toCs = [...(await askAll(cs, planted, true)), ...(received.get(cs) ?? [])]
    expect(leaksIn(toCs, [own, ofMember, planted.own[3] ?? '', planted.gone])).toEqual([])
    // The head gets it by the one audited call.
    expect(leaksIn(await askAll(agent, planted, true), [planted.gone])).toEqual([`message/original: ${planted.gone}`])
    expect(leaksIn(received.get(agent) ?? [], [ofCs, ofMember])).toEqual([])
  })
})
