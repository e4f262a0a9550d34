import { isOperator } from '@tallyroom/contract/codes'
import { type Actor, visibleAccounts } from './actor.ts'
import { type Db, many, type Sql, sql } from '../data/sql.ts'

/** Up to this many accounts are compared by id; with more, each is looked up. */
const BY_ID = 2000

/**
 * `visibleAccounts(actor)` for statements over millions of rows: all accounts of its top account, the accounts with
 * these ids, or too many to list.
 */
export type VisibleIds = 'all' | 'many' | number[]

/** `among`: a condition on the candidate accounts `a`. */
export const findVisibleIds = async (db: Db, actor: Actor, among = sql`true`): Promise<VisibleIds> => {
  if (isOperator(actor.role) && actor.id === actor.topId) return 'all'
  const found = await many<{ id: number }>(
    db,
    sql`select a.id from accounts a where ${visibleAccounts(actor)} and ${among} limit ${BY_ID + 1}`,
  )
  return found.length > BY_ID ? 'many' : found.map(({ id }) => id)
}

/** Whether an account is visible. The caller has restricted rows to the actor's top account. */
export const isVisible = (actor: Actor, visibleIds: VisibleIds, account: Sql): Sql => {
  if (visibleIds === 'all') return sql`true`
  if (visibleIds !== 'many') return sql`${account} = any(${visibleIds}::int[])`
  return sql`(select true from accounts a where a.id = ${account} and ${visibleAccounts(actor)})`
}
