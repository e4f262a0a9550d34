import { TransferKind } from '@tallyroom/contract/codes'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { sees } from '../rules/rules.ts'
import { outcome, world } from '../../testing/ledger/world.ts'

const w = await world({ processes: 3 })

/** Three processes on one database, in turn. */
const processAt = (at: number) => w.ledgers[at % 3] ?? w.ledger

const count = <T extends string>(words: T[]) => {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
const asksConsent = (id: number) => run(w.db, sql`update accounts set withdraw_confirm = 1 where id = ${id}`)

test('[TRF-10] [R11] one request ten times at once, in three processes: one effect, equal answers', async () => {
  const { agent, member } = await w.family()
  const copies = Array.from({ length: 60 }, (_, at) => ({ id: randomUUID(), times: 2 + (at % 9) }))
  const answers = await Promise.all(
    copies.map(({ id, times }) =>
      Promise.all(
        Array.from({ length: times }, (_, at) => processAt(at).move(w.order(agent, member.id, 10_000n, { id }))),
      ),
    ),
  )
  for (const same of answers) expect(same).toEqual(same.map(() => same[0]))
  expect(new Set(answers.map(([first]) => first?.transaction_id)).size).toBe(60)
  expect(await w.balance(member)).toBe(600_000n)
  await w.isSound()
})

test('[TRF-10] a refused request stays refused, and its id cannot be used for another', async () => {
  const { top, agent, member } = await w.family(10_000n)
  const id = randomUUID()
  expect(await outcome(w.ledger.move(w.order(agent, member.id, 20_000n, { id })))).toBe('transfer.not_enough')
  await w.ledger.move(w.order(top, agent.id, 20_000n))
  expect(await outcome(w.ledger.move(w.order(agent, member.id, 20_000n, { id })))).toBe('transfer.not_enough')
  const reused = await outcome(w.ledger.move(w.order(agent, member.id, 10_000n, { id, body: 'other' })))
  expect(reused).toBe('request.id_reused')
  const other = randomUUID()
  const order = (body: string) => w.order(agent, member.id, 10_000n, { id: other, body })
  const both = ['1', '2'].map((body) => outcome(w.ledger.move(order(body))))
  expect(await Promise.all(both)).toEqual(['success', 'request.id_reused'])
  await w.isSound()
})

test('[TRF-11] [R12] of 200 parallel transfers of 10 from 1,000 exactly 100 succeed', async () => {
  const { agent, member } = await w.family(10_000_000n)
  const tries = Array.from({ length: 200 }, (_, at) => outcome(processAt(at).move(w.order(agent, member.id, 100_000n))))
  expect(count(await Promise.all(tries))).toEqual({ success: 100, 'transfer.not_enough': 100 })
  expect(await w.balance(agent)).toBe(0n)
  await w.isSound()
})

test('[TRF-12] [R10] while five hot accounts give to each other and back, every reading sums to zero', async () => {
  const top = await w.someone(1, { unlimited: true })
  const agents = await Promise.all([1, 2, 3, 4, 5].map(() => w.someone(2, { under: top, points: 1_000_000n })))
  let isOver = false
  const sums: string[] = []
  const reading = (async () => {
    while (!isOver) {
      const row = await one<{ sum: string }>(w.db, sql`select sum(balance)::text as sum from wallets`)
      sums.push(row?.sum ?? '')
    }
  })()
  const client = async (at: number) => {
    for (let i = 0; i < 25; i++) {
      const agent = agents[(at * 7 + i * 3) % 5] ?? top
      const transferKind = (at + i) % 2 ? TransferKind.send : TransferKind.receive
      const ledger = processAt(at)
      const amount = BigInt(1 + ((at * i) % 400_000))
      const word = await outcome(ledger.move(w.order(top, agent.id, amount, { transferKind })))
      expect(['success', 'transfer.member_not_enough']).toContain(word)
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, at) => client(at)))
  isOver = true
  await reading
  expect(new Set(sums)).toEqual(new Set(['0']))
  await w.isSound()
})

test('[TRF-12] the database itself refuses to change transfers, or to settle twice', async () => {
  const { agent, member } = await w.family()
  await asksConsent(member.id)
  const sent = await w.ledger.move(w.order(agent, member.id, 10_000n, w.inRoom()))
  await w.ledger.answer(w.reply(member, sent.transaction_id, false))
  const forbidden = [
    sql`update transfers set amount = 1`,
    sql`delete from transfers`,
    sql`truncate transfers cascade`,
    sql`update postings set amount = 1`,
    sql`delete from postings`,
    sql`truncate postings`,
    sql`update envelopes set status = 1`,
    sql`delete from envelopes`,
    sql`update wallets set balance = floor - 1 where floor is not null`,
    sql`delete from accounts where id = ${member.id}`,
  ]
  for (const statement of forbidden) await expect(run(w.db, statement), statement.text).rejects.toThrow()
  await w.isSound()
})

test('[TRF-12] an order that cannot be written does not fail the others', async () => {
  const { agent, member } = await w.family()
  const orders = Array.from({ length: 9 }, (_, at) =>
    w.order(agent, member.id, 10_000n, { remark: at === 4 ? 'a\u0000b' : '' }),
  )
  const settled = await Promise.allSettled(orders.map((order) => w.ledger.move(order)))
  expect(settled.map(({ status }) => status)).toEqual(orders.map((_, at) => (at === 4 ? 'rejected' : 'fulfilled')))
  expect(await w.balance(member)).toBe(80_000n)
  await w.isSound()
})

test('[ACC-12] the rules see the same accounts as every query', async () => {
  const families = [await w.family(), await w.family()]
  const people = families.flatMap(({ top, agent, cs, member }) => [top, agent, cs, member])
  const { agent } = families[0] ?? (await w.family())
  const sub = await w.someone(2, { under: agent })
  people.push(sub, await w.someone(3, { under: sub }), await w.someone(4, { under: sub }))
  for (const actor of people) {
    const rows = await many<{ id: number }>(
      w.db,
      sql`select a.id from accounts a where ${visibleAccounts(actor as Actor)}`,
    )
    const seen = new Set(rows.map(({ id }) => id))
    for (const other of people) expect(sees(actor, other), `${actor.path} ${other.path}`).toBe(seen.has(other.id))
  }
})
