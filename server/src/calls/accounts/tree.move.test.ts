import { randomUUID } from 'node:crypto'
import { MessageType, Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { randomMoves } from '../../testing/ledger/random-moves.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

/** A top account with two agents; the first has customer service, a member, and an agent with a member of its own. */
const twoBranches = async () => {
  const { top, agent: from, cs, member, room } = await server.family()
  const to = await server.person({ role: Role.agent, under: top, points: '1000' })
  const toCs = await server.person({ role: Role.customerService, under: to })
  const sub = await server.person({ role: Role.agent, under: from, points: '500' })
  const deep = await server.person({ role: Role.member, under: sub })
  return { top, from, cs, member, room, to, toCs, sub, deep }
}
const today = () => new Date().toISOString().slice(0, 10)
const sr02 = async (who: Person) => {
  const { data, total } = await who.call('report/sr02', { start_date: today(), end_date: today() })
  return { total, rows: data.map(({ id, total_in, total_out }) => [id, total_in, total_out]) }
}
const give = (who: Person, to: Person, amount: string) =>
  who.call('user/transaction', { id: to.id, amount, remark: 'x', request_id: randomUUID() })
const move = (who: Person, what: Person, to: Person) => who.call('tree/move', { id: what.id, to_id: to.id })
const positionOf = (id: number) =>
  one<{ path: string; parent: number; group: number }>(
    server.services.db,
    sql`select path, parent_id as parent, group_id as "group" from accounts where id = ${id}`,
  )
const expectSound = async () =>
  expect((await checkLedger(server.services.db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])

describe('[TREE-03] moving a branch', () => {
  test('takes everyone below along: the new upline sees them, the old one does not', async () => {
    const { top, from, to, sub, deep } = await twoBranches()
    await move(top, sub, to)
    expect(await positionOf(sub.id)).toEqual({ path: `/${top.id}/${to.id}/${sub.id}/`, parent: to.id, group: sub.id })
    expect(await positionOf(deep.id)).toMatchObject({
      path: `/${top.id}/${to.id}/${sub.id}/${deep.id}/`,
      group: sub.id,
    })
    for (const { id } of [sub, deep]) {
      expect(await from.ask('user/view', { id })).toBeRefusal('account.not_found')
      expect(await to.call('user/view', { id })).toMatchObject({ id })
    }
    expect((await to.call('user/view', { id: sub.id })).balance).toBe('500.0000')
    await give(to, sub, '7')
    expect(await from.ask('user/transaction', { id: sub.id, amount: '1', remark: 'x' })).toBeRefusal(
      'account.not_found',
    )
    const { data } = await top.call('audit/list', { kind: 'account_moved' })
    expect(data.map(({ actor_id, target_id, facts }) => [actor_id, target_id, facts])).toEqual([
      [
        top.id,
        sub.id,
        [
          { field: 'accounts', before: null, after: '2' },
          { field: 'upline_id', before: from.username, after: to.username },
        ],
      ],
    ])
    await expectSound()
  })

  test('leaves SR02 as it was, for everyone; what comes later counts in the new place', async () => {
    const { top, from, to, sub, deep, member } = await twoBranches()
    await give(sub, deep, '30')
    await give(sub, deep, '-4')
    await give(from, member, '11')
    const people = [top, from, to, sub]
    const before = await Promise.all(people.map(sr02))
    await move(top, sub, to)
    expect(await Promise.all(people.map(sr02))).toEqual(before)
    await give(sub, deep, '5')
    expect((await sr02(from)).rows).toEqual(before[1]?.rows)
    expect((await sr02(to)).rows).toEqual([[sub.id, '5.0000', '0.0000']])
    expect((await sr02(top)).total.total_in).toBe('46.0000')
    // And back: each place keeps what was counted there.
    const between = await Promise.all(people.map(sr02))
    await move(top, sub, from)
    expect(await Promise.all(people.map(sr02))).toEqual(between)
    await give(sub, deep, '1')
    const row = (await sr02(from)).rows.find(([id]) => id === sub.id)
    expect(row).toEqual([sub.id, '31.0000', '4.0000'])
    expect((await sr02(to)).rows).toEqual([[sub.id, '5.0000', '0.0000']])
  })

  test('takes the abilities that the new upline does not have, and says so before', async () => {
    const { top, to, sub } = await twoBranches()
    await top.call('user/saveAbilities', { id: to.id, gift_red_envelope_button_visible: 0, masks_usernames: 1 })
    const preview = await top.call('tree/previewMove', { id: sub.id, to_id: to.id })
    expect(preview).toMatchObject({
      accounts: 2,
      members: 1,
      refused: null,
      lost: ['gift_red_envelope_button_visible'],
    })
    await move(top, sub, to)
    expect(await top.call('user/abilities', { id: sub.id })).toMatchObject({
      gift_red_envelope_button_visible: 0,
      masks_usernames: 1,
    })
  })

  test('leaves earlier remarks alone: the old group writes nothing more into the conversation of the new one', async () => {
    const { top, from, cs, member, room, to } = await twoBranches()
    const offer = {
      code: room,
      type: TransferKind.send,
      amount: '5',
      audit_amount: '0',
      remark: 'before',
      platform: WalletKind.main,
    } as const
    const { transaction_id } = await from.call('transaction/add', {
      member_id: member.id,
      ...offer,
      request_id: randomUUID(),
    })
    const edit = (who: Person, remark: string) => who.ask('transaction/edit', { transaction_id, remark })
    expect((await edit(cs, 'still here')).code).toBe(OK)
    await move(top, member, to)
    for (const who of [from, cs]) expect((await edit(who, 'after')).refusal).toBe('access.denied')
    expect((await edit(top, 'by the head')).code).toBe(OK)
  })

  test('is done once, when it is repeated', async () => {
    const { top, to, sub } = await twoBranches()
    const input = { id: sub.id, to_id: to.id, request_id: randomUUID() }
    expect([await top.call('tree/move', input), await top.call('tree/move', input)]).toEqual([null, null])
  })

  test('an account that is made below it meanwhile gets the new path', async () => {
    const { top, from, to, sub } = await twoBranches()
    for (let n = 0; n < 5; n++) {
      const [, ...made] = await Promise.all([
        move(top, sub, n % 2 === 0 ? to : from),
        ...Array.from({ length: 4 }, () => server.person({ role: Role.member, under: sub })),
      ])
      const { path = '' } = (await positionOf(sub.id)) ?? {}
      for (const { id } of made) expect((await positionOf(id))?.path).toBe(`${path}${id}/`)
    }
  })
})

describe('[TREE-03] moving a member', () => {
  test('takes the room with its messages and notes to the new group, at once and for good', async () => {
    const { top, from, cs, member, room: code, to, toCs } = await twoBranches()
    await member.call('sendMessage', { code, type: MessageType.text, content: 'where are my points' })
    await cs.call('desk/take', { code })
    await cs.call('desk/whisper', { code, content: 'a regular' })
    const { room_id } = (await cs.call('room/enter', { friend_id: member.id })).room
    await cs.call('note/add', { room_id, title: 'pays on Fridays' })
    await give(from, member, '20')
    const [old, own] = await Promise.all([cs.socket(), member.socket()])
    await old.emitWithAck('join', code)
    const gone = new Promise<string[]>((resolve) => old.once('gone', ({ codes }) => resolve(codes)))
    const closed = new Promise((resolve) => old.once('disconnect', resolve))
    const reconnected = new Promise((resolve) => own.io.once('reconnect', resolve))
    const preview = await top.call('tree/previewMove', { id: member.id, to_id: to.id })
    expect(preview).toMatchObject({ accounts: 1, members: 1, rooms: 1, refused: null, lost: [] })
    await move(top, member, to)
    expect(await gone).toEqual([code])
    await closed
    await reconnected
    for (const who of [from, cs]) {
      expect((await who.call('room/list', {})).data.map((each) => each.code)).not.toContain(code)
      expect(await who.ask('room/history', { code })).toBeRefusal('room.not_found')
      expect((await who.call('search/messages', { text: 'where are' })).data).toEqual([])
      expect(await who.ask('sendMessage', { code, type: MessageType.text, content: 'still here' })).toBeRefusal(
        'room.not_found',
      )
    }
    // A socket that connects again hears nothing of it either.
    expect(await (await cs.socket()).emitWithAck('join', code)).toEqual({ ok: false })
    for (const who of [to, toCs]) {
      const [listed] = (await who.call('room/list', {})).data.filter((each) => each.code === code)
      expect(listed).toMatchObject({ member_id: member.id, owner_id: null })
      expect((await who.call('room/history', { code })).messages.map(({ content }) => content)).toContain(
        'where are my points',
      )
      expect((await who.call('search/messages', { text: 'where are' })).data).toHaveLength(1)
    }
    expect((await toCs.call('note/list', { room_id })).data).toHaveLength(1)
    await toCs.call('sendMessage', { code, type: MessageType.text, content: 'hello from the new group' })
    expect((await member.call('room/list', {})).data.map((each) => each.code)).toEqual([code])
    expect((await member.call('user/view', {})).balance).toBe('20.0000')
    await give(to, member, '1')
    await expectSound()
  })

  test('is refused while something is open between it and its group, and says what', async () => {
    const { top, from, cs, member, to } = await twoBranches()
    await give(from, member, '20')
    await run(server.services.db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
    const offer = await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '2' })
    const ask = () => top.ask('tree/move', { id: member.id, to_id: to.id })
    expect(await top.call('tree/previewMove', { id: member.id, to_id: to.id })).toMatchObject({
      refused: 'tree.in_flight',
      across: { envelopes: 1, requests: 0, approvals: 0 },
    })
    expect(await ask()).toMatchObject({ refusal: 'tree.in_flight', data: { envelopes: 1 } })
    await member.call('envelope/answer', { transaction_id: offer.transaction_id, accept: true })
    await top.call('setting/save', { cash_requests: 1 })
    const cashRequest = await member.call('cash/ask', { direction: 'in', amount: '1' })
    expect(await ask()).toMatchObject({ refusal: 'tree.in_flight', data: { requests: 1 } })
    await member.call('cash/withdraw', { id: cashRequest.id })
    expect((await ask()).code).toBe(OK)
    await expectSound()
  })

  test('an envelope inside of a branch moves with it, and is answered in the new place', async () => {
    const { top, to, sub, deep } = await twoBranches()
    await run(server.services.db, sql`update accounts set withdraw_confirm = 1 where id = ${deep.id}`)
    const offer = await sub.call('transaction/add', { member_id: deep.id, type: TransferKind.send, amount: '2' })
    expect(await top.call('tree/previewMove', { id: sub.id, to_id: to.id })).toMatchObject({
      refused: null,
      along: { envelopes: 1, requests: 0, approvals: 0 },
    })
    await move(top, sub, to)
    await deep.call('envelope/answer', { transaction_id: offer.transaction_id, accept: true })
    expect((await sr02(to)).rows).toEqual([[sub.id, '2.0000', '0.0000']])
    await expectSound()
  })
})

test('[TREE-03] what cannot be moved, or not there, says why and moves nothing', async () => {
  const { top, from, cs, member, to, sub, deep } = await twoBranches()
  const stranger = await server.family()
  const all = () => many(server.services.db, sql`select id, path, parent_id, group_id from accounts order by id`)
  const before = await all()
  const refusal = async (who: Person, what: Person, where: Person) =>
    (await who.ask('tree/move', { id: what.id, to_id: where.id })).refusal
  expect(await refusal(top, from, sub)).toBe('tree.under_itself')
  expect(await refusal(top, from, from)).toBe('tree.under_itself')
  expect(await refusal(top, sub, member)).toBe('account.wrong_place')
  expect(await refusal(top, member, cs)).toBe('account.wrong_place')
  expect(await refusal(top, cs, to)).toBe('tree.stays_with_group')
  expect(await refusal(top, sub, from)).toBe('tree.same_place')
  expect(await refusal(from, from, to)).toBe('account.not_found')
  expect(await refusal(from, from, sub)).toBe('account.not_yourself')
  // Only somebody above both: neither upline alone, nobody of another tree.
  for (const who of [from, to, stranger.top]) expect(await refusal(who, sub, to)).toBe('account.not_found')
  expect(await refusal(top, sub, stranger.agent)).toBe('account.not_found')
  expect(await refusal(cs, member, to)).toBe('access.denied')
  await top.call('user/delete', { id: to.id })
  expect(await refusal(top, deep, to)).toBe('tree.upline_frozen')
  expect(await all()).toEqual(before)
})

test('[TREE-03] 25 random moves while points move leave the ledger sound and SR02 of the day before as it was', async () => {
  await randomMoves(server, { moves: 25, seed: 7 })
})
