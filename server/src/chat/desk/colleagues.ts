import type { Role } from '@tallyroom/contract/codes'
import type { ColleagueState } from '@tallyroom/contract/desk/states'
import { type Db, many, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { Actor } from '../../identity/actor.ts'
import { rightsOf } from '../../identity/rights.ts'
import type { Colleague } from '../own-room.ts'
import { shownState } from './states.ts'

type ListedColleague = Colleague & {
  role: Role
  isActive: boolean
  state: ColleagueState
  isHere: boolean
  since: Date | null
  until: Date | null
  passes: number
}
/** The active office accounts of the actor's group. */
export const colleagues = (db: Db, actor: Actor, id?: number) =>
  many<ListedColleague>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id as role,
        coalesce(a.last_seen_at > now() - interval '5 minutes', false) as "isActive",
        ${shownState} as state, coalesce(p.is_here, false) as "isHere", p.since, p.until, coalesce(p.passes, 0) as passes
      from accounts a left join desk_people p on p.account_id = a.id
      where a.group_id = ${actor.groupId} and a.role_id <= ${is.customerService} and not a.is_key and a.status = ${is.active}
        and (${id ?? null}::int is null or a.id = ${id ?? null})
      order by a.role_id, a.id`,
  )

/** RIGHT-01: those who have the conversations now. */
export const answering = async (db: Db, timeZone: string, people: ListedColleague[]): Promise<ListedColleague[]> => {
  const rights = await rightsOf(
    db,
    people.map(({ id }) => id),
    timeZone,
  )
  return people.filter(({ id }) => rights.get(id)?.rights.has('chat'))
}
