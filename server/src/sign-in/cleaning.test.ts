import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { run, sql } from '../db.ts'
import { testHouse } from '../testing/app.ts'
import { clearAway } from './cleaning.ts'

test('[R1] the outcome of a request is kept for 30 days, and is not for ever', async () => {
  const house = await testHouse()
  const { agent, member } = await house.family()
  const { db } = house.house
  const giveOn = async (day: number) => {
    const given = { id: member.id, amount: '1', request_id: randomUUID() }
    const { transaction_id } = await agent.call('user/transaction', given)
    await run(
      db,
      sql`update requests set created_at = now() - make_interval(days => ${day}) where request_id = ${given.request_id}`,
    )
    return { given, transaction_id }
  }
  const [late, tooLate] = [await giveOn(29), await giveOn(31)]
  await clearAway(db)
  expect((await agent.call('user/transaction', late.given)).transaction_id).toBe(late.transaction_id)
  expect((await agent.call('user/transaction', tooLate.given)).transaction_id).not.toBe(tooLate.transaction_id)
})
