import { EnvelopeType, MessageType, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { outcome, world } from '../../testing/ledger/world.ts'

const w = await world({ processes: 3 })
const quick = await world({ processes: 3, envelopeHours: 0.15 / 3600 })

/** Three processes on one database, in turn. */
const processAt = (at: number) => w.ledgers[at % 3] ?? w.ledger

const count = <T extends string>(words: T[]) => {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const asksConsent = (id: number) => run(w.db, sql`update accounts set withdraw_confirm = 1 where id = ${id}`)

test('[ENV-06] [S24] accept, reject and expiry race for 200 envelopes: each ends once', async () => {
  const { agent, member } = await quick.family(100_000_000n)
  await run(quick.db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const ends: string[] = []
  for (let round = 0; round < 10; round++) {
    const offers = await Promise.all(
      Array.from({ length: 20 }, () => quick.ledger.move(quick.order(agent, member.id, 10_000n, quick.inRoom()))),
    )
    // Long before, close to, and surely after the deadline.
    await pause([0, 125, 200][round % 3] ?? 0)
    const races = offers.map(async ({ transaction_id: id }, at) => {
      const [a = quick.ledger, b = quick.ledger] = quick.ledgers
      const order = at % 2 ? [true, false] : [false, true]
      const words = await Promise.all([
        outcome(a.answer(quick.reply(member, id, order[0] ?? true))),
        outcome(b.answer(quick.reply(member, id, order[1] ?? true))),
        quick.ledgers[2]?.expireDue().then(() => ''),
      ])
      expect(words.filter((word) => word === 'success' || word === 'rejected').length).toBeLessThanOrEqual(1)
      ends.push(...words.filter((word): word is string => Boolean(word)))
    })
    await Promise.all(races)
  }
  await pause(200)
  await quick.ledger.expireDue()
  expect(await quick.balance(agent, 3)).toBe(0n)
  const kinds = count(ends)
  for (const word of ['success', 'rejected', 'envelope.already_settled', 'envelope.expired']) {
    expect(kinds[word] ?? 0, `${word} of ${JSON.stringify(kinds)}`).toBeGreaterThan(0)
  }
  await quick.isSound()
})

test('[ENV-06] an unanswered envelope returns at its deadline, by the database’s clock', async () => {
  const { agent, member } = await quick.family(10_000n)
  await run(quick.db, sql`update accounts set withdraw_confirm = 1 where id = ${agent.id}`)
  const { transaction_id } = await quick.ledger.move(quick.order(agent, member.id, 10_000n, quick.inRoom()))
  expect([await quick.balance(agent), await quick.balance(agent, 3)]).toEqual([0n, 10_000n])
  await pause(200)
  quick.changes.length = 0
  expect(await quick.ledger.expireDue()).toBe(1)
  expect(await quick.ledger.expireDue()).toBe(0)
  expect([await quick.balance(agent), await quick.balance(agent, 3)]).toEqual([10_000n, 0n])
  expect(quick.changes.flatMap((event) => event.messages)).toMatchObject([
    { transaction_id, transaction_status: TransferStatus.expired },
  ])
  expect(await outcome(quick.ledger.answer(quick.reply(member, transaction_id, true)))).toBe('envelope.expired')
})

test('[ENV-06] only one request for points is open at a time, and it fails when the member has too few', async () => {
  const { agent, cs, member } = await w.family()
  await asksConsent(member.id)
  await w.ledger.move(w.order(agent, member.id, 10_000n))
  await w.meetTurnover(member)
  const ask = (amount: bigint, at: number) =>
    processAt(at).move(w.order(cs, member.id, amount, w.inRoom({ transferKind: TransferKind.receive })))
  const asked = await Promise.all(Array.from({ length: 12 }, (_, at) => outcome(ask(10_001n, at))))
  expect(count(asked)).toEqual({ pending: 1, 'transfer.one_open_at_a_time': 11 })
  const open = await one<{ id: string }>(
    w.db,
    sql`select t.transaction_id as id from envelopes e join transfers t on t.id = e.transfer_id
      where e.target_id = ${member.id} and e.status = 4`,
  )
  const id = open?.id ?? ''
  expect(await outcome(w.ledger.answer(w.reply(agent as never, id, true)))).toBe('envelope.not_found')
  const same = randomUUID()
  expect(await outcome(w.ledger.answer(w.reply(member, id, true, same)))).toBe('envelope.member_not_enough')
  expect(await outcome(w.ledger.answer(w.reply(member, id, true, same)))).toBe('envelope.member_not_enough')
  expect(await outcome(w.ledger.answer(w.reply(member, id, true)))).toBe('envelope.already_settled')
  const second = await ask(4_000n, 0)
  expect(await w.ledger.answer(w.reply(member, second.transaction_id, true))).toMatchObject({
    status: TransferStatus.success,
    balance: '0.6000',
  })
  expect(await w.balance(member)).toBe(6_000n)
  await w.isSound()
})

test('[ENV-07] the envelope shows and changes in the room, with events after the commit', async () => {
  const { agent, cs, member } = await w.family()
  await asksConsent(member.id)
  const room = await one<{ id: number; code: string }>(
    w.db,
    sql`select id, code from rooms where partner_id = ${member.id}`,
  )
  w.changes.length = 0
  w.notified.length = 0
  const code = room?.code
  const sent = await w.ledger.move(
    w.order(cs, member.id, 12_500n, w.inRoom({ room: { code, auditAmount: undefined } })),
  )
  const shown = {
    message_id: sent.transaction_id,
    type: MessageType.envelope,
    content: '1.2500',
    transaction_status: TransferStatus.pending,
    transaction_type: EnvelopeType.give,
    is_self: false,
  }
  expect(w.changes).toMatchObject([{ code, messages: [shown] }])
  await w.ledger.answer(w.reply(member, sent.transaction_id, true))
  expect(w.changes[1]).toMatchObject({
    code,
    since: w.changes[0]?.version,
    messages: [{ ...shown, transaction_status: TransferStatus.success }],
  })
  expect(new Set(w.notified)).toEqual(new Set([agent.id, member.id]))
  const wrong = w.inRoom({ room: { code: 'elsewhere', auditAmount: undefined } })
  expect(await outcome(w.ledger.move(w.order(cs, member.id, 1n, wrong)))).toBe('room.not_found')
  await run(w.db, sql`update accounts set withdraw_confirm = 0 where id = ${member.id}`)
  await w.ledger.move(w.order(agent, member.id, 10_000n, w.inRoom()))
  await w.meetTurnover(member)
  await w.ledger.move(w.order(agent, member.id, 10_000n, w.inRoom({ transferKind: TransferKind.receive })))
  const types = await many<{ type: number; status: number }>(
    w.db,
    sql`select type from messages where room_id = ${room?.id} order by seq`,
  )
  expect(types.map(({ type }) => type)).toEqual([7, 3, 6])
  const fresh = await w.someone(4, { under: agent, withoutRoom: true })
  expect(await outcome(w.ledger.move(w.order(cs, fresh.id, 10_000n, w.inRoom())))).toBe('success')
  expect(await many(w.db, sql`select last_seq from rooms where partner_id = ${fresh.id}`)).toEqual([{ last_seq: 1 }])
  await w.isSound()
})

test('[ENV-05] [S23] event mode switched on during 500 envelopes: none after the switch', async () => {
  for (const of of ['member', 'group'] as const) {
    const { agent, cs, member } = await w.family()
    let announce = () => {}
    const switched = new Promise<void>((resolve) => {
      announce = resolve
    })
    const send = async (at: number) => {
      // On a busy machine the others may all be done before the switch: the last ten begin after it.
      await (at < 240 ? pause((at * 0.5) | 0) : switched)
      return outcome(processAt(at).move(w.order(cs, member.id, 1n, w.inRoom())))
    }
    const sends = Array.from({ length: 250 }, (_, at) => send(at))
    await pause(35)
    await run(w.db, sql`update accounts set event_mode = 1 where id = ${of === 'member' ? member.id : agent.id}`)
    const [atSwitch] = await many<{ n: number }>(
      w.db,
      sql`select count(*)::int as n from transfers where target_id = ${member.id}`,
    )
    announce()
    const counts = count(await Promise.all(sends))
    expect(counts.success ?? 0).toBe(atSwitch?.n)
    expect(counts['transfer.event_mode'] ?? 0).toBe(250 - (atSwitch?.n ?? 0))
    expect(counts['transfer.event_mode']).toBeGreaterThan(0)
  }
})

test('[ENV-06] freezing waits for running orders, stops later ones, and returns held points', async () => {
  const { agent, member } = await w.family()
  await asksConsent(member.id)
  const held = await w.ledger.move(w.order(agent, member.id, 10_000n, w.inRoom()))
  let announce = () => {}
  const frozen = new Promise<void>((resolve) => {
    announce = resolve
  })
  const sends = Array.from({ length: 90 }, async (_, at) => {
    // The last ones come after the freezing, however slow the machine is.
    await (at < 80 ? pause((at * 0.5) | 0) : frozen)
    return outcome(processAt(at).move(w.order(agent, member.id, 1n)))
  })
  await pause(20)
  await run(w.db, sql`update accounts set status = 0 where id = ${member.id}`)
  announce()
  const [atFreeze] = await many<{ n: number }>(
    w.db,
    sql`select count(*)::int as n from transfers where target_id = ${member.id}`,
  )
  const counts = count(await Promise.all(sends))
  expect((counts.success ?? 0) + 1).toBe(atFreeze?.n)
  expect(counts['transfer.frozen']).toBeGreaterThan(0)
  expect(await outcome(w.ledger.answer(w.reply(member, held.transaction_id, true)))).toBe('transfer.frozen')
  expect(await w.ledger.expireDue()).toBe(1)
  expect(await w.balance(agent, 3)).toBe(0n)
  await w.isSound()
})
