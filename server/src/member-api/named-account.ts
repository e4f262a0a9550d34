import { Role } from '@tallyroom/contract/codes'
import { keyList } from '../data/key-list.ts'
import { type Db, many, one, type Sql, sql } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import { batcher } from '../lib/batcher.ts'
import { ensure, refuse } from '../lib/refusal.ts'
import { invalidFields } from './invalid-fields.ts'

type Scope = { db: Db; topId: number }

export type ApiAccount = {
  id: number
  topId: number
  role: Role
  username: string
  path: string
  groupId: number
  status: 0 | 1
}

/** The platform names an account by exactly one of the two. */
export type AccountName = { username?: string | undefined; third_party_id?: string | undefined }
const checkName = ({ username, third_party_id }: AccountName) => {
  if ((username === undefined) === (third_party_id === undefined))
    throw invalidFields([{ path: ['username'], reason: 'Give exactly one of username and third_party_id' }])
}
const accountIs = (who: AccountName): Sql => {
  checkName(who)
  const { username, third_party_id } = who
  return username === undefined
    ? sql`a.third_party_id = ${third_party_id}`
    : sql`lower(a.username) = lower(${username})`
}

/**
 * An account below the key's top account. Accounts elsewhere, missing ones, those of keys and the game account (role 0) get
 * the same refusal.
 */
export const below = async ({ db, topId }: Scope, who: AccountName, orTop = false): Promise<ApiAccount> =>
  ensure(
    await one<ApiAccount>(
      db,
      sql`select a.id, a.top_id as "topId", a.role_id as role, a.username, a.path, a.group_id as "groupId", a.status from accounts a
        where ${accountIs(who)} and a.top_id = ${topId} and a.role_id <> ${is.gameAccount} and not a.is_key and (${orTop} or a.id <> ${topId})`,
    ),
    'account.not_found',
  )

export const memberBelow = async (ctx: Scope, who: AccountName) => {
  const found = await below(ctx, who)
  return found.role === Role.member ? found : refuse('account.not_found')
}

/** @throws Refused account.not_found, or request.invalid for a name that is not exactly one of the two */
export type FindMember = (topId: number, who: AccountName) => Promise<{ id: number }>

/** Like `memberBelow`, many calls in one query: bets and wins come in hundreds a second. */
export const memberFinder = (db: Db): FindMember => {
  const find = batcher<AccountName & { topId: number }, { id: number } | undefined>(async (wanted) => {
    const tops = wanted.map(({ topId }) => topId)
    const usernames = wanted.map(({ username }) => username ?? null)
    const thirds = wanted.map(({ third_party_id }) => third_party_id ?? null)
    const rows = await many<{ id: number; at: number }>(
      db,
      sql`select a.id, k.at::int from unnest(${keyList('int', tops)}, ${keyList('text', usernames)},
            ${keyList('text', thirds)}) with ordinality k (top_id, username, third, at)
          cross join lateral (select * from accounts a where lower(a.username) = lower(k.username)
            union all select * from accounts a where a.top_id = k.top_id and a.third_party_id = k.third) a
        where a.top_id = k.top_id and a.role_id = ${Role.member}`,
    )
    const found = new Map(rows.map(({ at, id }) => [at, { id }]))
    return wanted.map((_, at) => found.get(at + 1))
  })
  return async (topId, who) => {
    checkName(who)
    return ensure(await find({ topId, ...who }), 'account.not_found')
  }
}
