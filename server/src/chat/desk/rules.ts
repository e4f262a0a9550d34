import { defaultRules, type DeskRules } from '@tallyroom/contract/desk/rules'
import { type Db, one, sql } from '../../data/sql.ts'

/** DESK-10: the rules of a group's desk; those of a group that has saved none. */
export const rulesOf = async (db: Db, groupId: number): Promise<DeskRules> =>
  (await one<DeskRules>(
    db,
    sql`select assign, capacity, sticky_hours, answer_s, gone_s from desk_settings where group_id = ${groupId}`,
  )) ?? defaultRules
