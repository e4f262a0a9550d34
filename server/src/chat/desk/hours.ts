import type { DeskHours } from '@tallyroom/contract/calls/office/desk-hours'
import { nextClosing, nextOpening, openAt, type OpeningHours } from '@tallyroom/contract/desk/hours'
import { firstWeek } from '@tallyroom/contract/desk/hours-form'
import type { NoticeKind } from '@tallyroom/contract/desk/texts'
import { type Db, many, one, sql } from '../../data/sql.ts'

/** DESK-05: the opening hours of a group, as its head has saved them; off for a group that has saved none. */
export const hoursOf = async (db: Db, groupId: number): Promise<DeskHours> => {
  const saved = await one<{ hours_on: boolean; time_zone: string | null; week: unknown; days: unknown }>(
    db,
    sql`select is_on as hours_on, time_zone, week, days from desk_hours where group_id = ${groupId}`,
  )
  const hours = (saved as Omit<DeskHours, keyof Texts> | undefined) ?? {
    hours_on: false,
    time_zone: null,
    week: startWeek(),
    days: [],
  }
  return { ...hours, ...(await textsOf(db, groupId)) }
}

type Texts = Pick<DeskHours, NoticeKind | 'default_language'>

const textsOf = async (db: Db, groupId: number): Promise<Texts> => {
  const rows = await many<{ kind: string; texts: unknown; language: string }>(
    db,
    sql`select distinct on (kind) kind, texts, language from desk_texts where group_id = ${groupId} order by kind, id desc`,
  )
  const of = (kind: NoticeKind) => (rows.find((row) => row.kind === kind)?.texts ?? {}) as DeskHours[NoticeKind]
  return { greeting: of('greeting'), away: of('away'), default_language: rows[0]?.language ?? 'en' }
}

const startWeek = (): DeskHours['week'] => firstWeek.map((spans) => spans.map(([from, until]) => [from, until]))

/** `zone`: the installation's. Undefined while the group has no hours. */
export const openingHours = (
  hours: Pick<DeskHours, 'hours_on' | 'time_zone' | 'week' | 'days'>,
  zone: string,
): OpeningHours | undefined =>
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
