import { isOperator } from '@tallyroom/contract/codes'
import { type Actor, visibleAccounts } from './actor.ts'
import { type Db, many, type Sql, sql } from '../data/sql.ts'

/** So many accounts are compared by their ids; of more each is looked up. */
const BY_ID = 2000

/**
 * `visible(actor)` for statements over millions of rows: everything of its top account, the accounts with these ids, or
 * too many to name.
 */
export type VisibleIds = 'all' | 'many' | number[]

/** `among`: a condition on the accounts `a` that are looked for. */
export const findVisibleIds = async (db: Db, actor: Actor, among = sql`true`): Promise<VisibleIds> => {
  if (isOperator(actor.role) && actor.id === actor.topId) return 'all'
  const found = await many<{ id: number }>(
    db,
    sql`select a.id from accounts a where ${visibleAccounts(actor)} and ${among} limit ${BY_ID + 1}`,
  )
  return found.length > BY_ID ? 'many' : found.map(({ id }) => id)
}

/** Whether an account of the actor's own top account is in sight. (In the first case that is all there is to ask.) */
export const isVisible = (actor: Actor, sight: VisibleIds, account: Sql): Sql => {
  if (sight === 'all') return sql`true`
  if (sight !== 'many') return sql`${account} = any(${sight}::int[])`
  return sql`(select true from accounts a where a.id = ${account} and ${visibleAccounts(actor)})`
}
