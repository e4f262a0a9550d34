import { randomUUID } from 'node:crypto'
import { MessageType, Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { startTestServer } from '../../testing/app.ts'
import { approve, balanceOf, limit, limitedFamily, passDeadline, waitingFor } from '../../testing/approvals.ts'

const server = await startTestServer()
const { db, ledger } = server.services
const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
const refusal = async (answer: Promise<{ refusal?: string | undefined }>) => (await answer).refusal
const daysFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
const send = { type: TransferKind.send, remark: 'x', reason: 'Won the draw' } as const

test('[CAPS-02] above the limit points are held, the member sees nothing of it, and approval gives them', async () => {
  const { agent, cs, member, room } = await limitedFamily(server)
  const below = await cs.call('transaction/add', { ...send, member_id: member.id, amount: '100', code: room })
  expect(below).toMatchObject({ status: TransferStatus.success, target_balance: '100.0000' })
  const above = await cs.call('transaction/add', { ...send, member_id: member.id, amount: '300', code: room })
  expect(above).toMatchObject({
    status: TransferStatus.pending,
    approval: 1,
    balance: '600.0000',
    target_balance: '100.0000',
  })
  expect([await balanceOf(server, agent), await balanceOf(server, agent, 3), await balanceOf(server, member)]).toEqual([
    600, 300, 100,
  ])
  await isSound()
  const entered = await cs.call('room/enter', { code: room })
  expect(entered.asides.at(-1)).toMatchObject({
    after_seq: entered.room.last_seq,
    card: {
      message_id: above.transaction_id,
      type: MessageType.pointsIn,
      amount: '300.0000',
      transaction_status: TransferStatus.pending,
      approval: 1,
    },
  })
  expect((await member.call('room/enter', { code: room })).messages.map(({ amount }) => amount)).toEqual(['100.0000'])
  const range = { start_time: daysFromNow(-2), end_time: daysFromNow(2) }
  expect((await cs.call('transaction/list', range)).data[0]).toMatchObject({
    status: TransferStatus.pending,
    approval: 1,
  })
  // The member cannot accept it, nor reject it.
  const answer = { transaction_id: above.transaction_id, accept: true }
  expect(await refusal(member.ask('envelope/answer', answer))).toBe('envelope.not_found')

  expect(await waitingFor(cs)).toMatchObject({ is_own: 1, may_decide: 0, funder: null, seen: '' })
  const shown = await waitingFor(agent)
  expect(shown).toMatchObject({
    maker_id: cs.id,
    member_id: member.id,
    amount: '300.0000',
    over: 'transfer',
    most: '100.0000',
    reason: 'Won the draw',
    may_decide: 1,
    funder: { before: '900.0000', after: '600.0000' },
    target: { before: '100.0000', after: '400.0000' },
    room: { code: room },
  })
  expect(await agent.call('approval/open', {})).toEqual({ open: 1 })
  expect(await agent.call('approval/approve', { id: shown.id, seen: shown.seen })).toEqual({
    id: shown.id,
    state: 'approved',
    transaction_id: above.transaction_id,
  })
  expect([await balanceOf(server, agent), await balanceOf(server, agent, 3), await balanceOf(server, member)]).toEqual([
    600, 0, 400,
  ])
  const card = (await member.call('room/enter', { code: room })).messages.at(-1)
  expect(card).toMatchObject({
    message_id: above.transaction_id,
    type: MessageType.pointsIn,
    transaction_status: TransferStatus.success,
  })
  expect(card).not.toHaveProperty('approval')
  expect(await refusal(agent.ask('approval/approve', { id: shown.id, seen: shown.seen }))).toBe('approval.ended')
  expect((await agent.call('approval/list', { ended: 1 })).data).toMatchObject([{ state: 'approved' }])
  await isSound()
})

test('[CAPS-03] the conversation has the length of a voice message and the name of a file', async () => {
  const { agent, cs, member, room } = await limitedFamily(server)
  const attachments = [
    [14, { ms: 61_000, waveform: [] }],
    [15, { name: 'slip.pdf', type: 'application/pdf', size: 10 }],
  ] as const
  for (const [type, attachment] of attachments) {
    const { message_id } = await member.call('sendMessage', {
      code: room,
      type: MessageType.text,
      content: 'placeholder',
    })
    await run(
      db,
      sql`update messages set type = ${type}, content = '/media/0', attachment = ${JSON.stringify(attachment)}::jsonb
        where message_id = ${message_id}`,
    )
  }
  await cs.call('transaction/add', { ...send, member_id: member.id, amount: '300', code: room })
  const { messages } = await waitingFor(agent)
  expect(messages.map(({ content }) => content)).toEqual(['61000', 'slip.pdf'])
})

test('[CAPS-02] points taken are held in the member’s escrow; refusing, taking back and the deadline free them', async () => {
  const { agent, cs, member, room } = await limitedFamily(server)
  await agent.call('user/transaction', { id: member.id, amount: '100', remark: 'x' })
  await server.meetTurnover(member)
  await limit(agent, cs, 2, { transfer: '10' })
  const take = () =>
    cs.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '40', code: room })
  const held = async () => [await balanceOf(server, member), await balanceOf(server, member, 3)]
  expect(await take()).toMatchObject({ status: TransferStatus.pending, approval: 1, target_balance: '60.0000' })
  expect(await held()).toEqual([60, 40])
  await isSound()
  const first = await waitingFor(agent)
  expect(first).toMatchObject({
    funder: { before: '900.0000', after: '940.0000' },
    target: { before: '100.0000', after: '60.0000' },
  })
  await agent.call('approval/refuse', { id: first.id, reason: 'Ask the member first' })
  expect(await held()).toEqual([100, 0])
  expect((await cs.call('approval/list', { id: first.id })).data[0]).toMatchObject({
    state: 'refused',
    answer: 'Ask the member first',
  })
  await take()
  await cs.call('approval/withdraw', { id: (await waitingFor(cs)).id })
  expect(await held()).toEqual([100, 0])
  await take()
  await passDeadline((await waitingFor(cs)).id)
  expect(await ledger.expireDue()).toBeGreaterThan(0)
  expect(await held()).toEqual([100, 0])
  expect((await cs.call('approval/list', { ended: 1 })).data.map(({ state }) => state)).toEqual([
    'expired',
    'withdrawn',
    'refused',
  ])
  await take()
  await approve(agent)
  expect(await held()).toEqual([60, 0])
  expect(await balanceOf(server, agent)).toBe(940)
  await isSound()
})

test('[CAPS-02] where the member must consent, approval comes first and consent after it', async () => {
  const { agent, cs, member, room } = await limitedFamily(server)
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const given = await cs.call('transaction/add', { ...send, member_id: member.id, amount: '300', code: room })
  const accept = () => member.ask('envelope/answer', { transaction_id: given.transaction_id, accept: true })
  expect(await refusal(accept())).toBe('envelope.not_found')
  await approve(agent)
  expect([await balanceOf(server, agent, 3), await balanceOf(server, member)]).toEqual([300, 0])
  expect((await member.call('room/enter', { code: room })).messages.at(-1)).toMatchObject({
    type: MessageType.envelope,
    transaction_status: TransferStatus.pending,
  })
  await isSound()
  expect((await accept()).code).toBe(OK)
  expect(await balanceOf(server, member)).toBe(300)

  await server.meetTurnover(member)
  await limit(agent, cs, 2, { transfer: '10' })
  const asked = await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.receive,
    amount: '40',
    code: room,
  })
  expect([await balanceOf(server, member), await balanceOf(server, member, 3)]).toEqual([300, 0])
  await isSound()
  await approve(agent)
  await member.call('envelope/answer', { transaction_id: asked.transaction_id, accept: true })
  expect(await balanceOf(server, member)).toBe(260)
  await isSound()
})

test('[CAPS-02] a transfer from a list waits too; a frozen maker or member ends it and gives the points back', async () => {
  const { top, agent, cs, member } = await limitedFamily(server)
  const give = () => cs.call('user/transaction', { id: member.id, amount: '200', remark: 'x' })
  expect(await give()).toMatchObject({ status: TransferStatus.pending, approval: 1 })
  const { id, seen } = await waitingFor(agent)
  await agent.call('user/delete', { id: cs.id })
  // The job that ends it runs every three seconds, and may be first.
  const refused = await refusal(agent.ask('approval/approve', { id, seen }))
  expect(['transfer.frozen', 'approval.ended']).toContain(refused)
  await ledger.expireDue()
  expect((await one<{ state: string }>(db, sql`select state from approvals where id = ${id}`))?.state).toBe('failed')
  expect([await balanceOf(server, agent), await balanceOf(server, agent, 3)]).toEqual([1000, 0])
  await run(db, sql`update accounts set status = 1 where id = ${cs.id}`)
  await limit(top, agent, 1, { transfer: '500' })
  // Above the agent's own limit too: then the agent cannot approve what its customer service made.
  const cs2 = await server.person({ role: Role.customerService, under: agent })
  await cs2.call('user/transaction', { id: member.id, amount: '600', remark: 'x' })
  expect((await agent.call('approval/list', {})).data).toEqual([])
  const above = await waitingFor(top)
  expect(above.holder_name).toBe(`Nick ${agent.username}`)
  const { id: other, seen: shown } = above
  expect(await refusal(agent.ask('approval/approve', { id: other, seen: shown }))).toBe('approval.not_found')
  await approve(top)
  expect(await balanceOf(server, member)).toBe(600)
  await isSound()
})

test('[CAPS-03] an approval is worth nothing once a wallet or the conversation has changed', async () => {
  const { agent, cs, member, room } = await limitedFamily(server)
  await cs.call('transaction/add', { ...send, member_id: member.id, amount: '300', code: room })
  const alterations = [
    () => agent.call('user/transaction', { id: member.id, amount: '1', remark: 'x' }),
    () => member.call('sendMessage', { code: room, type: MessageType.text, content: 'It was somebody else' }),
  ]
  let { id, seen } = await waitingFor(agent)
  for (const alteration of alterations) {
    await alteration()
    const now = await waitingFor(agent)
    expect(await refusal(agent.ask('approval/approve', { id, seen }))).toBe('approval.changed')
    ;({ id, seen } = now)
  }
  expect(await refusal(agent.ask('approval/approve', { id, seen: 'x' }))).toBe('approval.changed')
  const message_id = (await member.call('room/enter', { code: room })).messages.at(-1)?.message_id ?? ''
  await member.call('message/takeBack', { code: room, message_id })
  expect(await refusal(agent.ask('approval/approve', { id, seen }))).toBe('approval.changed')
  expect(await balanceOf(server, member)).toBe(1)
  await approve(agent)
  expect(await balanceOf(server, member)).toBe(301)
  await isSound()
})

test('[CAPS-02] who loses the right, or is not above the maker, cannot decide; a colleague with the right can', async () => {
  const { top, agent, cs, member } = await limitedFamily(server)
  const colleague = await server.person({ role: Role.customerService, under: agent })
  const other = await server.family()
  await cs.call('user/transaction', { id: member.id, amount: '200', remark: 'x' })
  const { id, seen } = await waitingFor(agent)
  const approving = (who: typeof agent) => refusal(who.ask('approval/approve', { id, seen }))
  for (const who of [cs, colleague, other.top, other.agent, other.cs]) {
    expect(await approving(who)).toBe('approval.not_found')
    expect(await refusal(who.ask('approval/refuse', { id, reason: 'x' }))).toBe('approval.not_found')
  }
  expect(await refusal(agent.ask('approval/withdraw', { id }))).toBe('approval.not_found')
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 0 })
  expect(await approving(agent)).toBe('approval.not_found')
  expect((await agent.call('approval/list', {})).data).toEqual([])
  await run(db, sql`update accounts set may_approve = 1 where id in (${colleague.id}, ${cs.id})`)
  // The maker has the right too, and still does not decide its own.
  expect(await approving(cs)).toBe('approval.not_found')
  await approve(colleague)
  expect(await balanceOf(server, member)).toBe(200)
})

test('[CAPS-02] a repeated transfer is held once, and a repeated approval carried out once', async () => {
  const { agent, cs, member } = await limitedFamily(server)
  const again = { id: member.id, amount: '200', remark: 'x', request_id: randomUUID() }
  const answers = await Promise.all([1, 2, 3].map(() => cs.call('user/transaction', again)))
  expect(new Set(answers.map(({ transaction_id }) => transaction_id)).size).toBe(1)
  const { id, seen } = await waitingFor(agent)
  const request_id = randomUUID()
  const both = await Promise.all([1, 2, 3].map(() => agent.call('approval/approve', { id, seen, request_id })))
  expect(both.map(({ state }) => state)).toEqual(['approved', 'approved', 'approved'])
  expect(await balanceOf(server, member)).toBe(200)
  await isSound()
})

test('[DESK-11] who asks for approval of points owns the conversation; who decides does not', async () => {
  const { agent, cs, member, room } = await limitedFamily(server)
  const ownerOf = async () => (await agent.call('room/list', {})).data.find(({ code }) => code === room)?.owner_id
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '150', reason: 'a refund' })
  expect(await ownerOf()).toBe(cs.id)
  await cs.call('desk/release', { code: room })
  await approve(agent)
  expect(await ownerOf()).toBe(null)
})
