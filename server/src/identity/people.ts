import { type Db, many, type Sql, sql } from '../data/sql.ts'
import { type Named, shownUsername, type Viewer } from './masking.ts'

/** Those of these accounts that fit a condition on the alias `a`, by id. */
export const findPeople = async (db: Db, ids: number[], which: Sql): Promise<Map<number, Named>> => {
  // Most lists of changes name nobody.
  if (ids.length === 0) return new Map()
  const found = await many<Named>(
    db,
    sql`select a.id, a.username, a.is_sub as "isSub" from accounts a
      where a.id = any(${[...new Set(ids)]}::int[]) and ${which}`,
  )
  return new Map(found.map((person) => [person.id, person]))
}

/** The usernames of these people as the viewer sees them; empty for everybody else. */
export const namesIn =
  (people: Map<number, Named>, viewer: Viewer) =>
  (id: number): string => {
    const person = people.get(id)
    return person ? shownUsername(viewer, person) : ''
  }
