import type { DeskHours } from '@tallyroom/contract/calls/office/desk-hours'
import { nextClosing, nextOpening, openAt, type OpeningHours } from '@tallyroom/contract/desk/hours'
import { firstWeek } from '@tallyroom/contract/desk/hours-form'
import { type Db, one, sql } from '../../data/sql.ts'

/** DESK-05: the opening hours of a group, as its head has saved them; off for a group that has saved none. */
export const hoursOf = async (db: Db, groupId: number): Promise<DeskHours> => {
  const saved = await one<{ hours_on: boolean; time_zone: string | null; week: unknown; days: unknown }>(
    db,
    sql`select is_on as hours_on, time_zone, week, days from desk_hours where group_id = ${groupId}`,
  )
  return (saved as DeskHours | undefined) ?? { hours_on: false, time_zone: null, week: startWeek(), days: [] }
}
const startWeek = (): DeskHours['week'] => firstWeek.map((spans) => spans.map(([from, until]) => [from, until]))

/** `zone`: the installation's. Undefined while the group has no hours. */
export const openingHours = (hours: DeskHours, zone: string): OpeningHours | undefined =>
  hours.hours_on ? { zone: hours.time_zone ?? zone, week: hours.week, days: hours.days } : undefined

/** A page that stays open needs no further answer for so many changes. */
const CHANGES = 6

/** Whether a desk is open now, and when that changes next, as ISO times in order. */
export const openingNow = (hours: OpeningHours, now: number) => {
  const isOpen = openAt(hours, now)
  const changes: string[] = []
  let [at, isOpenThen] = [now, isOpen]
  while (changes.length < CHANGES) {
    const next = isOpenThen ? nextClosing(hours, at) : nextOpening(hours, at)
    if (next === undefined) break
    changes.push(new Date(next).toISOString())
    at = next
    isOpenThen = !isOpenThen
  }
  return { is_open: isOpen, changes }
}
