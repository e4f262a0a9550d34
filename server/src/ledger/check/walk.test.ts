import { beforeAll, expect, test, vi } from 'vitest'
import { run, type Sql, sql } from '../../data/sql.ts'
import { chainPending, checkLinks } from '../../identity/audit-chain.ts'
import { erasePerson } from '../../retention/person.ts'
import { startTestServer, type TestServer } from '../../testing/app.ts'
import { linkAll } from '../../testing/audit.ts'
import { asSuperuser, whenDone } from '../../testing/postgres.ts'
import { sealAll } from '../seal/sealer.ts'
import { checkBlocks } from '../seal/verify.ts'
import { startWalking } from './walk.ts'

let server: TestServer
let family: Awaited<ReturnType<TestServer['family']>>
const broken: Record<string, number> = {}
const lines: string[] = []
beforeAll(async () => {
  server = await startTestServer()
  const { db } = server.services
  for (let block = 0; block < 3; block++) {
    family = await server.family()
    await family.agent.call('user/transaction', { id: family.member.id, amount: '5' })
    await family.top.call('user/edit', { id: family.member.id, nickname: `Member ${block}` })
    await sealAll(db)
  }
  while ((await chainPending(db)) > 0);
  whenDone(
    startWalking({
      db,
      log: { error: (fields: object) => void lines.push(JSON.stringify(fields)) } as never,
      measures: { broken: (of, count) => (broken[of] = count) },
      sealsLedger: true,
      everyMs: 20,
    }),
  )
})

const becomes = (of: string, count: number) => vi.waitFor(() => expect(broken[of]).toBe(count), { timeout: 20_000 })
const wallet = () => sql`(select id from wallets where account_id = ${family.member.id} and kind = 1)`
/** Changes something past the program, and back. */
const plant = async (of: string, statement: Sql, back: Sql, words: RegExp) => {
  await becomes(of, 0)
  await asSuperuser((tx) => run(tx, statement))
  await becomes(of, 1)
  expect(lines.join()).toMatch(words)
  await asSuperuser((tx) => run(tx, back))
  await becomes(of, 0)
}

test('[RUN-04] a posting that is not as it was sealed is found and named, until it is as before', async () => {
  await plant(
    'seal',
    sql`update postings set amount = amount + 1 where wallet_id = ${wallet()}`,
    sql`update postings set amount = amount - 1 where wallet_id = ${wallet()}`,
    /posting \d+\/1/,
  )
})

test('[RUN-04] an entry of the audit log that is not as it was linked is found, until it is as before', async () => {
  const newest = sql`(select max(audit_id) from audit_chain)`
  await plant(
    'audit',
    sql`update audit_log set address = address || 'x' where id = ${newest}`,
    sql`update audit_log set address = left(address, -1) where id = ${newest}`,
    /row \d+ was edited/,
  )
})

test('[RUN-04] a wallet that does not hold what its last posting says is found, though all sums are right', async () => {
  const moved = (amount: number) =>
    sql`update wallets set balance = balance + case id when ${wallet()} then ${amount}::int else ${-amount}::int end
      where id = ${wallet()} or account_id = ${family.agent.id} and kind = 1`
  await becomes('wallets', 0)
  await asSuperuser((tx) => run(tx, moved(7)))
  await becomes('wallets', 2)
  await asSuperuser((tx) => run(tx, moved(-7)))
  await becomes('wallets', 0)
})

test('[RUN-04] an erased person is no breach, and any stretch begins in the middle', async () => {
  const { db } = server.services
  for (const after of [0n, 1n, 2n]) expect(await checkBlocks(db, after)).toEqual({ last: 3n, breaches: [] })
  expect(await checkBlocks(db, 3n)).toEqual({ last: undefined, breaches: [] })
  expect((await checkLinks(db, 1n)).breaches).toEqual([])
  const { top, member, agent } = await server.family()
  await agent.call('user/edit', { id: member.id, nickname: 'To be erased' })
  await linkAll(db)
  await db.transact((tx) => erasePerson(tx, {}, { id: member.id, topId: top.id, name: 'someone' }, 'UTC'))
  expect((await checkLinks(db, 0n)).breaches).toEqual([])
})
