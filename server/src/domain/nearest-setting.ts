import { type Sql, sql } from '../data/sql.ts'

/** A column `s.…` of the settings nearest to the end of a path: a group's own, or those above it. Null without any. */
export const nearestSetting = (column: Sql, path: Sql): Sql =>
  sql`(select ${column} from settings s join accounts u on u.id = s.account_id
    where s.account_id = any(string_to_array(trim(both '/' from ${path}), '/')::int[]) order by length(u.path) desc limit 1)`
