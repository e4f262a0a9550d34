import { type Database, one, run, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'

/**
 * Finds the game account of a top account, the other side of bets and wins; the first bet makes it. It is an account only
 * because wallets belong to accounts: role 0, frozen, no password, a random share code, and a path outside the tree, so
 * that no query through `visibleAccounts(actor)` finds it.
 */
export const gameAccountFinder = (db: Database) => {
  // The promise, so that bets which come together look once and go on in their order.
  const known = new Map<number, Promise<number>>()
  return (topId: number): Promise<number> => {
    const before = known.get(topId)
    if (before) return before
    const id = findOrMake(db, topId)
    known.set(topId, id)
    id.catch(() => known.delete(topId))
    return id
  }
}

const findOrMake = async (db: Database, topId: number) => (await find(db, topId)) ?? make(db, topId)

const find = async (db: Pick<Database, 'query'>, topId: number) =>
  (await one<{ id: number }>(db, sql`select id from accounts where top_id = ${topId} and role_id = ${is.gameAccount}`))
    ?.id

const make = async (db: Database, topId: number): Promise<number> => {
  await db.transact(async (tx) => {
    const made = await one<{ id: number }>(
      tx,
      sql`with made as (select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id)
        insert into accounts (id, top_id, group_id, path, role_id, username, password_hash, share_code, status, is_funded)
        select id, ${topId}::int, id, 'house/' || id || '/', 0, ${`house:${topId}`}, '', gen_random_uuid()::text, 0, false
        from made on conflict do nothing returning id`,
    )
    // Two processes may make it at the same time; the second finds the first one's.
    if (!made) return
    await run(tx, sql`insert into wallets (top_id, account_id, kind, floor) values (${topId}, ${made.id}, 1, null)`)
  })
  const id = await find(db, topId)
  if (id === undefined) throw new Error(`top account ${topId} has no game account`)
  return id
}
