import type { rightReasons } from '@tallyroom/contract/calls/accounts/right'
import type { Role } from '@tallyroom/contract/codes'
import { type Db, many, one, type Sql, sql } from '../data/sql.ts'
import { ensure } from '../lib/refusal.ts'
import { type Actor, idsOfPath, visibleAccounts } from './actor.ts'
import { type Named, shownText, shownUsername } from './masking.ts'
import { changeableRights, type RightName, roleRights } from './menu-pages.ts'
import { clock, minuteOfDay } from '../domain/day-hours.ts'
import { isOpenRow } from './rights.ts'

type Reason = (typeof rightReasons)[number]
type Person = Named & { nickname: string; path: string }
/** A decision about one right of one account of the chain. */
export type Decision = {
  accountId: number
  name: string
  isGiven: boolean
  isOpen: boolean
  from: string | null
  until: string | null
  at: string
  by: Person | null
}
export type ExplainedRight = {
  name: RightName
  reason: Reason
  /** The decision about the account itself. */
  own: Decision | undefined
  /** The highest account above that has lost it. */
  above: Person | undefined
}
export type RightHolder = Person & { topId: number; role: Role; parentId: number | null }
export type Explanation = { holder: RightHolder; rights: ExplainedRight[] }

const personJson = (alias: string) =>
  `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'nickname', ${alias}.nickname, 'isSub', ${alias}.is_sub,
    'path', ${alias}.path)`

/** RIGHT-02: every right that the account's role can have, with the reason. `lock` is added to the account's query. */
export const explainRights = async (
  db: Db,
  { actor, timeZone }: { actor: Actor; timeZone: string },
  id: number,
  lock: Sql = sql``,
): Promise<Explanation> => {
  const holder = ensure(
    await one<RightHolder>(
      db,
      sql`select a.id, a.top_id as "topId", a.parent_id as "parentId", a.role_id as role, a.username, a.nickname,
          a.is_sub as "isSub", a.path from accounts a where a.id = ${id} and not a.is_key and ${visibleAccounts(actor)} ${lock}`,
    ),
    'account.not_found',
  )
  const chain = idsOfPath(holder.path)
  const [people, decisions] = await Promise.all([
    many<Person>(
      db,
      sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.path from accounts a where a.id = any(${chain}::int[])`,
    ),
    db.query<Decision>(
      `select r.account_id as "accountId", r.name, r.is_given as "isGiven", ${isOpenRow(minuteOfDay('$2::text'))} as "isOpen",
          ${clock('r.from_minute')} as "from", ${clock('r.until_minute')} as until,
          to_char(r.at at time zone $2::text, 'YYYY-MM-DD HH24:MI:SS') as at,
          case when b.id is not null then ${personJson('b')} end as by
        from account_rights r left join accounts b on b.id = r.by_id where r.account_id = any($1::int[])`,
      [chain, timeZone],
    ),
  ])
  const rights = changeableRights(holder.role).reduce<ExplainedRight[]>((done, name) => {
    const about = decisions.filter((decision) => decision.name === name)
    const own = about.find(({ accountId }) => accountId === id)
    const lostBy = chain.find(
      (one) => one !== id && about.some(({ accountId, isOpen }) => accountId === one && !isOpen),
    )
    const above = people.find((person) => person.id === lostBy)
    const page = done.find((right) => right.name === name.split('.')[0])
    const isPageMissing = page !== undefined && !isGranted(page.reason)
    return [...done, { name, own, above, reason: reasonOf(holder.role, name, { own, above, isPageMissing }) }]
  }, [])
  return { holder, rights }
}

type Facts = { own: Decision | undefined; above: Person | undefined; isPageMissing: boolean }
/** Reports a right that the account itself lacks first: giving it there is the next step. */
const reasonOf = (role: Role, name: RightName, { own, above, isPageMissing }: Facts): Reason => {
  if (own && !own.isGiven) return 'taken'
  if (!own && !roleRights[role].has(name)) return 'not_given'
  if (above) return 'above'
  if (own && !own.isOpen) return 'hours'
  if (isPageMissing) return 'page'
  return own ? 'given' : 'role'
}
export const isGranted = (reason: Reason): boolean => reason === 'role' || reason === 'given'

/**
 * The name of an account of the chain. Accounts above the viewer's own head or upline, which it does not know, have no
 * name for it, as in the audit log.
 */
export const nameFor = (viewer: Actor, person: Person): string => {
  const isKnown = person.path.startsWith(viewer.path) || person.id === viewer.groupId || person.id === viewer.parentId
  if (!isKnown) return ''
  return shownText(viewer, person, person.nickname) || shownUsername(viewer, person)
}
