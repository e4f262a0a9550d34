import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../server/src/data/sql.ts'
import { TransferKind } from '@tallyroom/contract/codes'
import { dice } from '../server/src/testing/ledger/dice.ts'
import { outcome, world } from '../server/src/testing/ledger/world.ts'

// R10, R11, S24 in full; the regular tests cover smaller ones. `npx vitest run --config proofs/vitest.config.ts ledger`
const PROCESSES = 3
const HALF_SECOND = 0.5 / 3600

const w = await world({ processes: PROCESSES })
const quick = await world({ processes: PROCESSES, envelopeHours: HALF_SECOND })

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const tell = (line: string) => process.stdout.write(`${line}\n`)
const count = (words: string[]) => {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

test('[S24] 10,000 interleavings of accept, reject and expiry: no double settlement', {
  timeout: 1_200_000,
}, async () => {
  const { agent, member } = await quick.family(1_000_000_000n)
  await run(quick.db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const random = dice(24)
  const all: string[] = []
  for (let round = 0; round < 40; round++) {
    const offers = await Promise.all(
      Array.from({ length: 250 }, () => quick.ledger.move(quick.order(agent, member.id, 10_000n, quick.inRoom()))),
    )
    // Each at its own time before, at or after the deadline, with the sweepers of three processes running.
    const races = offers.map(async ({ transaction_id: id }) => {
      const answers = Array.from({ length: 3 }, async () => {
        await pause(random() * 700)
        const ledger = quick.ledgers[Math.floor(random() * PROCESSES)] ?? quick.ledger
        return outcome(ledger.answer(quick.reply(member, id, random() < 0.5)))
      })
      const words = await Promise.all(answers)
      expect(words.filter((word) => word === 'success' || word === 'rejected').length).toBeLessThanOrEqual(1)
      return words
    })
    const sweeps = Array.from({ length: 12 }, async (_, at) => {
      await pause(at * 60)
      await quick.ledgers[at % PROCESSES]?.expireDue()
    })
    all.push(...(await Promise.all(races)).flat())
    await Promise.all(sweeps)
  }
  await pause(600)
  await quick.ledger.expireDue()
  tell(JSON.stringify(count(all)))
  const [kept] = await many<{ n: number; open: number; twice: number }>(
    quick.db,
    sql`select count(*)::int as n, count(*) filter (where status = 4)::int as open,
      (select count(*)::int from (select transfer_id from postings where leg = 1 group by 1 having count(*) > 2) p) as twice
      from envelopes`,
  )
  expect(kept).toEqual({ n: 10_000, open: 0, twice: 0 })
  expect(await quick.balance(agent, 3)).toBe(0n)
  await quick.isSound()
})

test('[R11] 5,000 request ids, each 2 to 10 times at once in three processes: one effect, equal answers', {
  timeout: 1_200_000,
}, async () => {
  const { agent, member } = await w.family(1_000_000_000n)
  const random = dice(11)
  for (let done = 0; done < 5000; done += 250) {
    const ids = Array.from({ length: 250 }, () => ({ id: randomUUID(), times: 2 + Math.floor(random() * 9) }))
    const answers = await Promise.all(
      ids.map(({ id, times }) =>
        Promise.all(
          Array.from({ length: times }, (_, at) =>
            (w.ledgers[at % PROCESSES] ?? w.ledger).move(w.order(agent, member.id, 10_000n, { id })),
          ),
        ),
      ),
    )
    for (const same of answers) expect(same).toEqual(same.map(() => same[0]))
  }
  expect(await w.balance(member)).toBe(50_000_000n)
  await w.isSound()
})

test('[R10] 64 clients on five hot accounts for 30 seconds: every reading sums to zero', {
  timeout: 300_000,
}, async () => {
  const top = await w.someone(1, { unlimited: true })
  const agents = await Promise.all([1, 2, 3, 4, 5].map(() => w.someone(2, { under: top, points: 1_000_000n })))
  const random = dice(10)
  const end = performance.now() + 30_000
  const sums = new Set<string>()
  const reading = (async () => {
    while (performance.now() < end) {
      const row = await one<{ sum: string }>(w.db, sql`select sum(balance)::text as sum from wallets`)
      sums.add(row?.sum ?? '')
    }
  })()
  const words: string[] = []
  const client = async () => {
    while (performance.now() < end) {
      const agent = agents[Math.floor(random() * 5)] ?? top
      const terms = { transferKind: random() < 0.5 ? TransferKind.send : TransferKind.receive }
      const ledger = w.ledgers[Math.floor(random() * PROCESSES)] ?? w.ledger
      words.push(await outcome(ledger.move(w.order(top, agent.id, BigInt(1 + Math.floor(random() * 400_000)), terms))))
    }
  }
  await Promise.all([reading, ...Array.from({ length: 64 }, client)])
  tell(JSON.stringify(count(words)))
  expect([...sums]).toEqual(['0'])
  expect(Object.keys(count(words)).toSorted()).toEqual(['success', 'transfer.member_not_enough'])
  await w.isSound()
})
