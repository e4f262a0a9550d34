import { TransferKind } from '@tallyroom/contract/codes'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { dice } from '../../testing/ledger/dice.ts'
import { outcome, type Someone, world } from '../../testing/ledger/world.ts'

const w = await world({ processes: 3 })

test('[TRF-12] [R10] the same orders sent to three processes at once leave a sound ledger', {
  timeout: 120_000,
}, async () => {
  const random = dice(7)
  const top = await w.someone(1, { unlimited: true })
  const agents = await Promise.all([1, 2, 3].map(() => w.someone(2, { under: top, points: 100_000n, credit: 5_000n })))
  const staff = await Promise.all(agents.map((agent) => w.someone(3, { under: agent })))
  const members = await Promise.all([...agents, ...agents].map((agent) => w.someone(4, { under: agent })))
  for (const { id } of members.slice(3)) await run(w.db, sql`update accounts set withdraw_confirm = 1 where id = ${id}`)
  const open: { target: Someone; id: string }[] = []
  const words = new Set<string>()
  const client = async (at: number) => {
    const ledger = w.ledgers[at % 3] ?? w.ledger
    for (let i = 0; i < 60; i++) {
      const offer = random() < 0.4 ? open.splice(Math.floor(random() * open.length), 1)[0] : undefined
      if (offer) {
        words.add(await outcome(ledger.answer(w.reply(offer.target, offer.id, random() < 0.7))))
        continue
      }
      const at = Math.floor(random() * 6)
      const target = members[at] as Someone
      const actor = random() < 0.1 ? top : ((random() < 0.5 ? agents : staff)[at % 3] as Someone)
      const kind = random() < 0.4 ? TransferKind.receive : TransferKind.send
      const terms = { transferKind: kind, id: randomUUID() }
      const order = w.order(
        actor,
        target.id,
        BigInt(1 + Math.floor(random() * 3000)),
        random() < 0.6 ? w.inRoom(terms) : terms,
      )
      const tries = [ledger, w.ledgers[(at + 1) % 3] ?? ledger].map(async (one) => {
        const moved = one.move(order)
        const word = await outcome(moved)
        words.add(word)
        return word === 'pending' ? (await moved).transaction_id : undefined
      })
      const [id, same] = await Promise.all(tries)
      expect(same).toBe(id)
      if (id) open.push({ target, id })
    }
  }
  await Promise.all(Array.from({ length: 24 }, (_, at) => client(at)))
  for (const word of ['success', 'pending', 'rejected']) expect([...words]).toContain(word)
  await w.isSound()
})
