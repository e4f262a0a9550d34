import { MessageType, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../ledger/check/check.ts'
import { verifyAudit } from '../../identity/audit-chain.ts'
import { startTestServer, type TestServer } from '../../testing/app.ts'
import { freshDatabase, ownerOf, superuserOf, type TestConnection, testDatabase } from '../../testing/postgres.ts'
import { copyDatabase } from './copy-database.ts'
import { many, type Row, run, sql, withConnection } from '../sql.ts'

let server: TestServer
let copy: TestConnection
beforeAll(async () => {
  server = await startTestServer()
  const { member, cs, room } = await server.family()
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '12.5' })
  await member.call('sendMessage', { code: room, type: MessageType.text, content: 'வணக்கம் 👩‍👩‍👧' })
  copy = await freshDatabase()
  // Its tasks write beside the copying.
  await server.close()
})
const source = async () => superuserOf(await testDatabase())

/** Each row of each table as PostgreSQL writes it. */
const rowsOf = (config: TestConnection) =>
  withConnection({ ...config, max: 1 }, async (db) => {
    const tables = await many<Row & { name: string }>(
      db,
      sql`select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p') and not relispartition order by 1`,
    )
    const all: Record<string, string[]> = {}
    for (const { name } of tables) {
      const text = `select t::text as row from ${name} t order by 1`
      all[name] = (await db.query<Row & { row: string }>(text, [])).map(({ row }) => row)
    }
    return all
  })

test('[RUN-01] a copy has every row, keeps the rules of ledger and audit log, and goes on from there', async () => {
  const { rows } = await copyDatabase(await source(), ownerOf(copy), () => undefined)
  const mine = await rowsOf(await source())
  expect(await rowsOf(superuserOf(copy))).toEqual(mine)
  expect(rows).toBe(
    Object.entries(mine).reduce((sum, [name, of]) => sum + (name === 'schema_migrations' ? 0 : of.length), 0),
  )
  await withConnection({ ...copy, max: 2 }, async (db) => {
    expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length > 0)).toEqual([])
    expect((await verifyAudit(db)).breaches).toEqual([])
  })
  // Triggers and foreign keys are there again, and numbers go on.
  await withConnection({ ...superuserOf(copy), max: 1 }, async (db) => {
    await expect(run(db, sql`update transfers set amount = 1`)).rejects.toThrow('append-only')
    await expect(run(db, sql`update rooms set group_id = 99999999`)).rejects.toThrow('foreign key')
    const wrong = await many(db, sql`select conname from pg_constraint where contype = 'f' and not convalidated`)
    expect(wrong).toEqual([])
  })
  const again = await startTestServer({}, undefined, copy)
  const { member } = await again.family()
  expect(await again.here(member).call('user/view', {})).toMatchObject({ id: member.id })
})

test('[RUN-01] a database that has accounts, or other migrations, takes nothing', async () => {
  await expect(copyDatabase(await source(), ownerOf(copy), () => undefined)).rejects.toThrow('has accounts already')
  const other = await freshDatabase()
  await withConnection({ ...superuserOf(other), max: 1 }, (db) =>
    run(db, sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`),
  )
  await expect(copyDatabase(await source(), ownerOf(other), () => undefined)).rejects.toThrow('the same migrations')
})
