import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { audit } from '../server/src/identity/audit.ts'
import { chainPending, verifyAudit } from '../server/src/identity/audit-chain.ts'
import { connect, type Database } from '../server/src/data/sql.ts'
import { freshDatabase, superuserOf } from '../server/src/testing/postgres.ts'

// S28 in full. `npx vitest run --config proofs/vitest.config.ts audit-edits`; the regular test has 200 edits.
const EDITS = 1000

let db: Database
afterAll(() => db.end())

test('[S28] the chain finds 1,000 of 1,000 edits without the trigger, one at a time', async () => {
  const config = await freshDatabase()
  db = connect({ ...config, max: 2 })
  for (let n = 1; n <= EDITS; n++) {
    const facts = { nickname: ['old', `new ${n}`] as [string, string] }
    await audit(db, { actor: { id: n, topId: 1 } }, 'account_edited', { id: n + 1, topId: 1 }, facts)
  }
  while ((await chainPending(db)) > 0);
  const { head, rows, breaches } = await verifyAudit(db)
  expect({ rows, breaches }).toEqual({ rows: EDITS, breaches: [] })

  const edits = [
    (n: number) => `update audit_log set facts = '{"nickname":["old","mine"]}' where id = ${n}`,
    (n: number) => `update audit_log set at = at + interval '1 microsecond' where id = ${n}`,
    (n: number) => `update audit_log set actor_id = actor_id + 1 where id = ${n}`,
    (n: number) => `update audit_log set target_id = null where id = ${n}`,
    (n: number) => `update audit_log set kind = 'exported' where id = ${n}`,
    (n: number) => `update audit_log set top_id = 2 where id = ${n}`,
    (n: number) => `update audit_log set address = '192.0.2.1' where id = ${n}`,
    (n: number) => `delete from audit_log where id = ${n}`,
    (n: number) => `delete from audit_chain where seq = ${n}`,
    (n: number) =>
      `insert into audit_log (id, top_id, kind) overriding system value values (${EDITS + n}, 1, 'signed_in')`,
  ]
  const client = new pg.Client(superuserOf(config))
  await client.connect()
  await client.query('create table log_copy as select * from audit_log')
  await client.query('create table chain_copy as select * from audit_chain')
  /** Rebuilds the log after each check, so that no edit is found by traces of another. */
  const restore = (n: number) => [
    `delete from audit_log where id in (${n}, ${EDITS + n})`,
    `insert into audit_log overriding system value select * from log_copy where id = ${n}`,
    `delete from audit_chain where seq = ${n}`,
    `insert into audit_chain select * from chain_copy where seq = ${n}`,
  ]
  const pastTheTrigger = async (statements: string[]) => {
    await client.query(`begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`)
  }
  const unseen: number[] = []
  for (let n = 1; n <= EDITS; n++) {
    await pastTheTrigger([edits[n % edits.length]?.(n) ?? ''])
    if ((await verifyAudit(db, head)).breaches.length === 0) unseen.push(n)
    await pastTheTrigger(restore(n))
  }
  expect((await verifyAudit(db, head)).breaches).toEqual([])
  await client.end()
  expect(unseen).toEqual([])
}, 600_000)
