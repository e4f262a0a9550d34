import { randomUUID } from 'node:crypto'
import type { RoomChange } from '@tallyroom/contract/events'
import { MessageType, Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { cashFamily, passTime, walletsOf } from '../../testing/cash.ts'

const server = await startTestServer()
const { db } = server.services
const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
const refusal = async (answer: Promise<{ refusal?: string | undefined }>) => (await answer).refusal
const row = async (viewer: Person, id: number) => (await viewer.call('cash/list', { id })).data[0]
const cards = async (viewer: Person, code: string) =>
  (await viewer.call('room/enter', { code })).messages.filter(({ type }) => type === MessageType.cash)

/** What the history and the record of envelopes call the newest transfer that a request holds. */
const namesOfNewest = async (viewer: Person) => {
  const [start, end] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
  const today = { start_time: `${start} 00:00:00`, end_time: `${end} 23:59:59` }
  const lists = [await viewer.call('transaction/list', today), await viewer.call('redEnvelope/record', today)]
  return lists.map(({ data }) => data[0]?.request)
}

/** A PNG of one point. */
const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('[CASH-01] without the setting nobody asks, and the menu has no queue', async () => {
  const { agent, member } = await server.family()
  expect((await member.call('cash/view', {})).enabled).toBe(0)
  expect(await refusal(member.ask('cash/ask', { direction: 'in', amount: '5' }))).toBe('cash.off')
  expect((await agent.call('userMenu/list', {})).map(({ url }) => url)).not.toContain('/cash')
  await agent.call('setting/save', { cash_requests: 1 })
  expect((await agent.call('userMenu/list', {})).map(({ url }) => url)).toContain('/cash')
})

test('[CASH-01] points out are held at once, shown with a masked account and the slip, and given back on withdrawal', async () => {
  const { member, cs, room, account } = await cashFamily(server)
  expect(account).toMatchObject({ bank: 'North', account_no: '****5678', account_name: 'Ann Lee' })
  const asked = await member.call('cash/ask', { direction: 'out', amount: '30', account_id: account.id, slip: PHOTO })
  expect(asked).toMatchObject({ state: 'asked', balance: '70.0000' })
  expect(await walletsOf(server, member)).toEqual([70, 30])
  const [card] = await cards(cs, room)
  expect(card).toMatchObject({
    amount: '30.0000',
    is_self: false,
    cash: { state: 'asked', direction: 'out', account_no: '****5678' },
  })
  expect(card?.cash?.slip).toMatch(/^\/media\//)
  expect((await member.call('cash/view', {})).last).toEqual({ direction: 'out', account_id: account.id })
  expect((await member.call('cash/view', {})).open).toEqual({
    id: asked.id,
    state: 'asked',
    direction: 'out',
    amount: '30.0000',
    asked_at: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  // Both lists say that it is the member's own request: nobody has to answer it.
  expect(await namesOfNewest(member)).toEqual(['asked', 'asked'])
  expect(await namesOfNewest(cs)).toEqual(['asked', 'asked'])
  await isSound()
  expect(await member.call('cash/withdraw', { id: asked.id })).toEqual({ id: asked.id, state: 'withdrawn' })
  expect(await walletsOf(server, member)).toEqual([100, 0])
  expect(await namesOfNewest(member)).toEqual(['withdrawn', 'withdrawn'])
  expect((await member.call('cash/view', {})).open).toBeNull()
  await isSound()
})

test('[CASH-01] asking is refused with turnover due, in event mode, frozen, above the balance, twice, without an account', async () => {
  const { top, agent, member, out } = await cashFamily(server)
  const ask = (amount = '30') => refusal(member.ask('cash/ask', out(amount)))
  expect(await ask('100.0001')).toBe('transfer.not_enough')
  expect(await ask('0')).toBe('transfer.amount_invalid')
  expect(await refusal(member.ask('cash/ask', { direction: 'out', amount: '1' }))).toBe('cash.account_missing')
  expect(await refusal(member.ask('cash/ask', { ...out('1'), account_id: 999_999 }))).toBe('cash.account_missing')
  await agent.call('user/transaction', { id: member.id, amount: '1', remark: 'x' })
  expect(await ask()).toBe('transfer.flow_limit_open')
  await server.meetTurnover(member)
  await run(db, sql`update accounts set event_mode = 1 where id = ${agent.id}`)
  expect(await ask()).toBe('transfer.event_mode')
  await run(db, sql`update accounts set event_mode = 0 where id = ${agent.id}`)
  await top.call('user/delete', { id: agent.id })
  expect(await ask()).toBe('transfer.frozen')
  await run(db, sql`update accounts set status = 1 where id = ${agent.id}`)
  await run(db, sql`update accounts set event_mode = 1 where id = ${member.id}`)
  expect(await ask()).toBe('transfer.event_mode')
  await run(db, sql`update accounts set event_mode = 0 where id = ${member.id}`)
  const both = await Promise.all([member.ask('cash/ask', out('30')), member.ask('cash/ask', out('20'))])
  expect(both.map(({ refusal }) => refusal ?? 'ok').toSorted()).toEqual(['cash.one_at_a_time', 'ok'])
  await isSound()
})

test('[CASH-01] a repeated request is one request with one card', async () => {
  const { member, out, room } = await cashFamily(server)
  const again = { ...out('30'), request_id: randomUUID() }
  const answers = await Promise.all([1, 2, 3].map(() => member.call('cash/ask', again)))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(await cards(member, room)).toHaveLength(1)
  expect(await walletsOf(server, member)).toEqual([70, 30])
})

test('[CASH-03] each change reaches both sides once and in order; the member does not learn who handles it', async () => {
  const { member, cs, agent, asked, out, room } = await cashFamily(server)
  const seen: Record<string, string[]> = { group: [], member: [] }
  const listen = async (who: Person, name: string) => {
    const socket = await who.socket()
    socket.on('room', (change: RoomChange) => {
      for (const { cash } of change.messages)
        if (cash) seen[name]?.push(`${cash.state}${cash.taken_name ? ` ${cash.taken_name}` : ''}`)
    })
  }
  await listen(agent, 'group')
  await listen(member, 'member')
  const id = await asked()
  await cs.call('cash/take', { id })
  await cs.call('cash/giveBack', { id })
  await cs.call('cash/take', { id })
  await cs.call('cash/refuse', { id, reason: 'The slip shows another name' })
  await expect.poll(() => seen.group?.length).toBe(5)
  await expect.poll(() => seen.member?.length).toBe(5)
  const name = `Nick ${cs.username}`
  expect(seen.group).toEqual(['asked', `taken ${name}`, 'asked', `taken ${name}`, 'refused'])
  expect(seen.member).toEqual(['asked', 'taken', 'asked', 'taken', 'refused'])
  expect((await cards(member, room))[0]?.cash?.reason).toBe('The slip shows another name')
  expect(await walletsOf(server, member)).toEqual([100, 0])
  expect(await refusal(member.ask('cash/withdraw', { id }))).toBe('cash.ended')
  await member.call('cash/ask', out('1'))
})

test('[CASH-03] a usual reason is a code, which each reader sees in their own language, with words or without', async () => {
  const { top, agent, cs, member, room, asked } = await cashFamily(server)
  const refuse = async (why: { reason_code?: 'no_payment' | 'slip_used'; reason?: string }) => {
    const id = await asked()
    await cs.call('cash/take', { id })
    return { id, answer: await cs.ask('cash/refuse', { id, ...why }) }
  }
  const { id, answer } = await refuse({ reason: ' ' })
  expect(answer).toBeRefusal('request.invalid')
  await cs.call('cash/refuse', { id, reason_code: 'no_payment' })
  expect((await cards(member, room)).at(-1)?.cash).toMatchObject({ reason_code: 'no_payment', reason: '' })
  await refuse({ reason_code: 'slip_used', reason: 'See request 3' })
  const why = { reason_code: 'slip_used', reason: 'See request 3' }
  expect((await cards(member, room)).at(-1)?.cash).toMatchObject(why)
  expect((await agent.call('cash/list', { states: ['refused'] })).data[0]).toMatchObject(why)
  const { csv } = await agent.call('cash/export', { states: ['refused'] })
  expect(csv).toContain('No payment has arrived.')
  expect(csv).toContain('This slip was used before. See request 3')
  const { data } = await top.call('audit/list', { kind: 'cash_refused' })
  expect(data.map(({ facts }) => facts.filter(({ field }) => field.startsWith('reason')))).toEqual([
    [
      { field: 'reason', before: null, after: 'See request 3' },
      { field: 'reason_code', before: null, after: 'slip_used' },
    ],
    [{ field: 'reason_code', before: null, after: 'no_payment' }],
  ])
})

test('[CASH-03] [CASH-05] of 100 takers at once exactly one has it', async () => {
  const { agent, asked } = await cashFamily(server)
  const id = await asked()
  const colleagues = await Promise.all(
    Array.from({ length: 100 }, () => server.person({ role: Role.customerService, under: agent })),
  )
  const answers = await Promise.all(colleagues.map((one) => one.ask('cash/take', { id })))
  expect(answers.filter(({ code }) => code === OK)).toHaveLength(1)
  expect(answers.filter(({ refusal }) => refusal === 'cash.taken')).toHaveLength(99)
})

test('[CASH-03] a lease renews while it is looked at and returns the request when it is over', async () => {
  const { agent, cs, member, taken } = await cashFamily(server)
  const id = await taken(cs)
  expect((await row(cs, id))?.lease).toBeGreaterThan(50)
  expect(await cs.call('cash/renew', { id })).toEqual({ lease: 60 })
  expect(await refusal(agent.ask('cash/renew', { id }))).toBe('cash.lease_over')
  expect(await refusal(member.ask('cash/withdraw', { id }))).toBe('cash.taken')
  await passTime(id, 'lease')
  // In the middle of the dialog: it says so, and nothing moves. The server's own sweep may have returned it by now.
  expect(await refusal(cs.ask('cash/pay', { id, amount: '30' }))).toMatch(/^cash\.(lease_over|not_taken)$/)
  expect(await refusal(cs.ask('cash/renew', { id }))).toBe('cash.lease_over')
  await server.services.ledger.expireDue()
  expect(await row(agent, id)).toMatchObject({ state: 'asked', taken_by: null })
  await agent.call('cash/take', { id })
  expect(await refusal(cs.ask('cash/pay', { id, amount: '30' }))).toBe('cash.taken')
  expect(await walletsOf(server, member)).toEqual([70, 30])
})

test('[CASH-03] at its deadline a request expires and gives the points back, but not under the hands of a colleague', async () => {
  const { cs, member, taken } = await cashFamily(server)
  const id = await taken(cs)
  await passTime(id, 'deadline')
  await server.services.ledger.expireDue()
  expect(await row(cs, id)).toMatchObject({ state: 'taken' })
  await passTime(id, 'lease')
  await server.services.ledger.expireDue()
  expect(await row(cs, id)).toMatchObject({ state: 'expired' })
  expect(await walletsOf(server, member)).toEqual([100, 0])
  await isSound()
})

test('[CASH-04] points out: the transfer, the held points and the card end together, once', async () => {
  const { cs, agent, member, taken, room } = await cashFamily(server)
  const before = (await agent.call('user/view', {})).balance
  const id = await taken(cs)
  expect(await refusal(agent.ask('cash/pay', { id, amount: '30' }))).toBe('cash.taken')
  expect(await refusal(cs.ask('cash/pay', { id, amount: '31' }))).toBe('transfer.amount_invalid')
  const pay = { id, amount: '30', remark: 'by bank', request_id: randomUUID() }
  const answers = await Promise.all([1, 2, 3].map(() => cs.call('cash/pay', pay)))
  const [paid] = answers
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(paid).toMatchObject({ state: 'paid', status: TransferStatus.success, target_balance: '70.0000' })
  expect(await walletsOf(server, member)).toEqual([70, 0])
  expect(Number((await agent.call('user/view', {})).balance)).toBe(Number(before) + 30)
  const [card] = await cards(member, room)
  expect(card).toMatchObject({
    transaction_id: paid?.transaction_id,
    transaction_status: TransferStatus.success,
    cash: { state: 'paid' },
  })
  expect(await refusal(cs.ask('cash/pay', { id, amount: '30' }))).toBe('cash.ended')
  // The member's history has it as one row.
  const { day } = await agent.call('cash/day', {})
  const today = { start_time: `${day} 00:00:00`, end_time: `${day} 23:59:59` }
  const { data } = await member.call('transaction/list', today)
  expect(data.filter(({ type }) => type === TransferKind.receive)).toMatchObject([
    { amount: '30.0000', status: TransferStatus.success, balance: '70.0000', remark: 'by bank' },
  ])
  expect(
    await refusal(member.ask('envelope/answer', { transaction_id: paid?.transaction_id ?? '', accept: false })),
  ).toBe('envelope.not_found')
  await isSound()
})

test('[CASH-04] points in: the member gets them without being asked again, and a correction reaches the card', async () => {
  const { top, cs, member, room } = await cashFamily(server)
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const { id } = await member.call('cash/ask', { direction: 'in', amount: '12.5' })
  await cs.call('cash/take', { id })
  const paid = await cs.call('cash/pay', { id, amount: '12.5' })
  expect(paid).toMatchObject({ state: 'paid', status: TransferStatus.success, target_balance: '112.5000' })
  expect(await cards(member, room)).toMatchObject([
    { transaction_status: TransferStatus.success, cash: { state: 'paid' } },
  ])
  // One card, no message of its own for the transfer.
  expect((await member.call('room/enter', { code: room })).messages).toHaveLength(1)
  await top.call('transaction/correct', { transaction_id: paid.transaction_id, remark: 'wrong' })
  expect((await cards(member, room))[0]?.transaction_corrected).toBe(true)
  await isSound()
})

test('[CASH-04] paying is refused when turnover is due again, in event mode, frozen, or without the account; refusing still works', async () => {
  const { top, agent, cs, member, account, taken } = await cashFamily(server)
  const id = await taken(cs)
  const pay = (more = {}) => refusal(cs.ask('cash/pay', { id, amount: '30', ...more }))
  await agent.call('user/transaction', { id: member.id, amount: '1', remark: 'x' })
  expect(await pay()).toBe('transfer.flow_limit_open')
  expect(await pay({ override_flow_limit: 1 })).toBe('transfer.flow_limit_open')
  await server.meetTurnover(member)
  await run(db, sql`update accounts set event_mode = 1 where id = ${member.id}`)
  expect(await pay()).toBe('transfer.event_mode')
  await run(db, sql`update accounts set event_mode = 0, status = 0 where id = ${member.id}`)
  expect(await pay()).toBe('transfer.frozen')
  await run(db, sql`update accounts set status = 1 where id = ${member.id}`)
  await run(db, sql`update accounts set receive_red_envelope_button_visible = 0 where id = ${cs.id}`)
  expect(await pay()).toBe('access.denied')
  await run(db, sql`update accounts set receive_red_envelope_button_visible = 1 where id = ${cs.id}`)
  await top.call('members/bank-card/delete', { member_id: member.id, id: account.id })
  expect((await row(cs, id))?.warnings).toContain('account_gone')
  expect(await pay()).toBe('cash.account_gone')
  await cs.call('cash/refuse', { id, reason: 'no account' })
  expect(await walletsOf(server, member)).toEqual([101, 0])
  await isSound()
})

test('[CASH-04] who may lift the turnover limit pays all the same, and that is audited', async () => {
  const { top, agent, cs, member, taken } = await cashFamily(server)
  const id = await taken(cs)
  await agent.call('user/transaction', { id: member.id, amount: '1', remark: 'x' })
  await run(db, sql`update accounts set flow_limit_modify_permission = 1 where id = ${cs.id}`)
  await cs.call('cash/pay', { id, amount: '30', override_flow_limit: 1 })
  const { data } = await top.call('audit/list', {})
  expect(data.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['flow_limit_overridden', 'cash_paid']))
})

test('[CASH-03] a request is paid with a remark also when its transfer already has one', async () => {
  const { cs, member, taken } = await cashFamily(server)
  const id = await taken(cs)
  const found = await one<{ transaction_id: string }>(
    db,
    sql`select t.transaction_id from cash_requests c join transfers t on t.id = c.transfer_id where c.id = ${id}`,
  )
  const transaction_id = found?.transaction_id ?? ''
  await cs.call('transaction/edit', { transaction_id, remark: 'looked at' })
  expect(await cs.call('cash/pay', { id, amount: '30', remark: 'by bank' })).toMatchObject({ state: 'paid' })
  expect(await walletsOf(server, member)).toEqual([70, 0])
  await cs.call('transaction/edit', { transaction_id, remark: 'by bank, 9:40' })
  const edits = await many(
    db,
    sql`select seq, old_remark, remark from remark_edits where actor_id = ${cs.id} order by seq`,
  )
  expect(edits).toEqual([
    { seq: 1, old_remark: '', remark: 'looked at' },
    { seq: 2, old_remark: 'looked at', remark: 'by bank' },
    { seq: 3, old_remark: 'by bank', remark: 'by bank, 9:40' },
  ])
})

test('[DESK-11] who starts a request owns the conversation, and giving the request back leaves it so', async () => {
  const { agent, cs, member, room, asked } = await cashFamily(server)
  const ownerOf = async () => (await agent.call('room/list', {})).data.find(({ code }) => code === room)?.owner_id
  const id = await asked()
  expect(await ownerOf()).toBe(null)
  const socket = await agent.socket()
  const event = new Promise<RoomChange>((resolve) => socket.once('room', resolve))
  await cs.call('cash/take', { id })
  expect(await event).toMatchObject({ code: room, room: { owner_id: cs.id } })
  await cs.call('cash/giveBack', { id })
  await agent.call('cash/take', { id })
  expect(await ownerOf()).toBe(cs.id)
  await agent.call('desk/release', { code: room })
  await agent.call('cash/refuse', { id, reason: 'not today' })
  expect(await ownerOf()).toBe(agent.id)
  await agent.call('desk/release', { code: room })
  await member.call('cash/ask', { direction: 'in', amount: '5' })
  expect(await ownerOf()).toBe(null)
})
