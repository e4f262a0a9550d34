import { expect, test } from 'vitest'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { AccountStatus, Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { errors, OK } from '@tallyroom/contract'
import { isTaking } from '@tallyroom/contract/transfer-kinds'
import { run, sql } from '../../../data/sql.ts'
import { type Person, startTestServer } from '../../../testing/app.ts'

const server = await startTestServer()
const { db } = server.services

const offersOf = async (by: Person, member: Person) => (await by.call('member/view', { member_id: member.id })).offers
const kinds = async (by: Person, member: Person) => (await offersOf(by, member)).map(({ type }) => type)
const offer = async (by: Person, member: Person, type: number) =>
  (await offersOf(by, member)).find((one) => one.type === type)

test('[ENV-01] offers the kinds that the flags allow, and no other is accepted', async () => {
  const { top, agent, cs, member } = await server.family()
  const set = (id: number, flags: object) => top.call('user/saveAbilities', { id, ...flags })
  const allowed = async (by: Person) => {
    const found: number[] = []
    for (const type of [
      TransferKind.send,
      TransferKind.receive,
      TransferKind.gift,
      TransferKind.makeUp,
      TransferKind.gameSend,
      TransferKind.gameDeduct,
    ] as const) {
      const input = { member_id: member.id, type, amount: '99999999', remark: 'x' }
      const { refusal } = await by.ask('transaction/add', input)
      if (refusal !== 'access.denied') found.push(type)
    }
    expect(await kinds(by, member)).toEqual(found)
    return found
  }
  expect(await allowed(agent)).toEqual([1, 2, 3])
  expect(await allowed(cs)).toEqual([1, 2, 3, 4])
  await set(cs.id, { gift_red_envelope_button_visible: 0, receive_red_envelope_button_visible: 0 })
  expect(await allowed(cs)).toEqual([1, 4])
  await set(member.id, { is_multiple_wallet: 1 })
  expect(await allowed(cs)).toEqual([1, 4, 5])
  await set(agent.id, { deduct_point_button_visible: 1 })
  await set(cs.id, { deduct_point_button_visible: 1 })
  expect(await allowed(cs)).toEqual([1, 4, 5, 6])
  await set(cs.id, { red_envelope_button_visible: 0 })
  expect(await allowed(cs)).toEqual([])
})

/** What is foreseen for each kind now; the ledger then says the same to the smallest amount of it. */
const told = async (by: Person, member: Person) => {
  const foreseen = await offersOf(by, member)
  for (const { type } of foreseen) {
    // An earlier kind may just have changed what is possible.
    const refused = (await offer(by, member, type))?.refused ?? undefined
    const input = { member_id: member.id, type, amount: '0.0001', remark: 'x' }
    const reply = (await by.ask('transaction/add', input)) as { refusal?: string }
    expect([type, reply.refusal]).toEqual([type, refused])
  }
  return Object.fromEntries(foreseen.map(({ type, refused }) => [type, refused]))
}

test('[CONV-14] what the ledger would refuse is answered with the member, before there is an amount', async () => {
  const { top, agent, cs, member } = await server.family()
  expect(await told(cs, member)).toMatchObject({ 1: null, 2: 'transfer.member_not_enough', 3: null, 4: null })

  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '10' })
  expect(await told(cs, member)).toMatchObject({ 1: null, 2: 'transfer.flow_limit_open' })
  await server.meetTurnover(member)
  expect(await offer(cs, member, TransferKind.receive)).toMatchObject({ refused: null })

  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '1' })
  expect(await offer(cs, member, TransferKind.receive)).toMatchObject({ refused: 'transfer.one_open_at_a_time' })
  await run(db, sql`update accounts set withdraw_confirm = 0 where id = ${member.id}`)

  await top.call('user/saveAbilities', { id: member.id, event_mode: 1 })
  expect(await told(cs, member)).toMatchObject({ 1: 'transfer.event_mode', 2: 'transfer.event_mode' })
  await top.call('user/saveAbilities', { id: member.id, event_mode: 0 })

  await top.call('user/edit', { id: member.id, status: AccountStatus.frozen })
  expect(await told(cs, member)).toMatchObject({ 1: 'transfer.frozen', 4: 'transfer.frozen' })
  await top.call('user/edit', { id: member.id, status: AccountStatus.active })

  const left = await cs.call('member/view', { member_id: member.id })
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: left.payer.available })
  expect(await told(cs, member)).toMatchObject({ 1: 'transfer.not_enough', 3: 'transfer.not_enough' })
})

test('[CONV-14] says the most that can be moved: it goes through, and a ten-thousandth more does not', async () => {
  const { cs, member } = await server.family()
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '10.5' })
  await server.meetTurnover(member)
  for (const type of [TransferKind.receive, TransferKind.send] as const) {
    const most = (await offer(cs, member, type))?.most ?? ''
    const more = `${BigInt(parsePoints(most) ?? 0n) + 1n}`.replace(/(\d{4})$/, '.$1')
    const input = { member_id: member.id, type } as const
    expect((await cs.ask('transaction/add', { ...input, amount: more })).code).toBe(errors['transfer.not_enough'])
    await cs.call('transaction/add', { ...input, amount: most })
  }
})

test('[CONV-14] says the amount of last time for each kind', async () => {
  const { top, cs, member } = await server.family()
  expect((await offersOf(cs, member)).map(({ last }) => last)).toEqual([null, null, null, null])
  for (const amount of ['1', '20.25'])
    await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount })
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '7' })
  expect((await offersOf(cs, member)).map(({ last }) => last)).toEqual(['20.2500', null, '7.0000', null])
  expect(await offer(top, member, TransferKind.send)).toMatchObject({ last: '20.2500', most: null })
})

test('[CONV-14] the turnover that is due is only for those who may see it; that it stops taking is for all', async () => {
  const { top, cs, member } = await server.family()
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '10' })
  for (const [flag, due] of [
    [0, null],
    [1, '10.0000'],
  ] as const) {
    await top.call('user/saveAbilities', { id: cs.id, cs_flow_limit_button_visible: flag })
    expect(await cs.call('member/view', { member_id: member.id })).toMatchObject({ turnover_due: due })
    expect(await offer(cs, member, TransferKind.receive)).toMatchObject({ refused: 'transfer.flow_limit_open' })
  }
})

/** What is foreseen from a list; the ledger says the same to the most of the main wallet, and to a ten-thousandth more. */
const fromList = async (by: Person, { id }: Person) => {
  const { offers, ...view } = await by.call('member/view', { member_id: id, from: 'list' })
  for (const { type, most, refused } of offers) {
    if (most === null || refused || type > TransferKind.receive) continue
    const points = isTaking(type) ? -(parsePoints(most) ?? 0n) : (parsePoints(most) ?? 0n)
    const more = points < 0n ? points - 1n : points + 1n
    const move = (amount: bigint) => by.ask('user/transaction', { id, amount: formatPoints(amount), remark: 'x' })
    expect((await move(more)).refusal).toMatch(/not_enough|over_credit/)
    expect((await move(points)).code).toBe(OK)
    expect((await move(-points)).code).toBe(OK)
  }
  return { ...view, offers: Object.fromEntries(offers.map(({ type, refused }) => [type, refused])) }
}

test('[TRF-02] [CONV-14] from a list it says for every role what may be moved, and the most of it', async () => {
  const { top, agent, cs, member } = await server.family()
  const { refusal } = await top.ask('member/view', { member_id: agent.id })
  expect(refusal).toBe('account.not_found')
  expect(await fromList(top, agent)).toMatchObject({ role_id: Role.agent, offers: { 1: null, 2: null } })
  expect((await agent.call('member/view', { member_id: agent.id, from: 'list' })).offers).toEqual([])
  await top.call('user/saveAbilities', { id: member.id, event_mode: 1, is_multiple_wallet: 1 })
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await agent.call('user/transaction', { id: member.id, amount: '10', remark: 'x' })
  // Consent and event mode are of rooms.
  expect(await fromList(cs, member)).toMatchObject({
    event_mode: 0,
    consent_needed: 0,
    offers: { 1: null, 2: null, 5: null },
  })
  await top.call('user/saveAbilities', { id: agent.id, deduct_point_button_visible: 1 })
  await agent.call('user/transaction', { id: member.id, amount: '3', remark: 'x', type: WalletKind.game })
  expect((await fromList(agent, member)).offers).toEqual({ 1: null, 2: null, 5: null, 6: null })
  await top.call('user/edit', { id: member.id, status: AccountStatus.frozen })
  expect((await fromList(agent, member)).offers).toMatchObject({ 1: 'transfer.frozen', 2: 'transfer.frozen' })
})

test('[TRF-01] [RIGHT-01] with the right to deposit alone it only gives', async () => {
  const { agent, cs, member } = await server.family()
  await agent.call('right/save', { id: cs.id, rights: [{ name: 'user.transaction', given: false, hours: null }] })
  const { offers } = await cs.call('member/view', { member_id: member.id, from: 'list' })
  expect(offers.map(({ type }) => type)).toEqual([TransferKind.send])
})
