import type { DeskHours, deskHoursCalls } from '@tallyroom/contract/calls/office/desk-hours'
import { spansProblem } from '@tallyroom/contract/desk/hours-form'
import { clockOf, type Span } from '@tallyroom/contract/desk/hours'
import { noticeKinds } from '@tallyroom/contract/desk/texts'
import { isTimeZone } from '../../config/env.ts'
import { hoursOf } from '../../chat/desk/hours.ts'
import { one, run, sql, type Tx } from '../../data/sql.ts'
import type { Actor } from '../../identity/actor.ts'
import { audit, differencesOf } from '../../identity/audit.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Handlers } from '../handler.ts'

export const deskHoursHandlers = {
  'deskHours/view': ({ db, actor }) => hoursOf(db, actor.groupId),

  'deskHours/save': async (ctx, hours) => {
    const { db, services, actor } = ctx
    await refuseWrong(db, hours)
    // Two saves at once would both write the same value before into the log.
    await run(db, sql`select 1 from accounts where id = ${actor.groupId} for no key update`)
    const before = await hoursOf(db, actor.groupId)
    const differences = differencesOf(factsOf(before), factsOf(hours))
    if (Object.keys(differences).length === 0) return null
    if (before.default_language !== hours.default_language || noticeKinds.some((kind) => differences[kind]))
      await addTexts(db, actor, hours)
    const days = hours.days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
    await run(
      db,
      sql`insert into desk_hours (group_id, top_id, is_on, time_zone, week, days)
          values (${actor.groupId}, ${actor.topId}, ${hours.hours_on}, ${hours.time_zone}, ${JSON.stringify(hours.week)}::jsonb,
            ${JSON.stringify(days)}::jsonb)
        on conflict (group_id) do update set is_on = excluded.is_on, time_zone = excluded.time_zone, week = excluded.week,
          days = excluded.days, version = desk_hours.version + 1`,
    )
    await audit(db, ctx, 'settings_changed', actor, differences)
    // Members read on their page when the desk opens.
    db.afterCommit(() => services.hub.settingsChanged(actor.groupId))
    return null
  },
} satisfies Handlers<typeof deskHoursCalls>

/** A row never changes, because messages refer to it. Both kinds are added, so that they have the same language. */
const addTexts = (db: Tx, actor: Actor, hours: DeskHours) =>
  run(
    db,
    sql`insert into desk_texts (group_id, top_id, kind, texts, language)
      select ${actor.groupId}, ${actor.topId}, v.kind, v.texts::jsonb, ${hours.default_language}
      from unnest(${[...noticeKinds]}::text[], ${noticeKinds.map((kind) => JSON.stringify(hours[kind]))}::text[]) v (kind, texts)`,
  )

const refuseWrong = async (db: Tx, { time_zone, week, days }: DeskHours) => {
  if (time_zone !== null) {
    // Node and PostgreSQL must both know it, and in this spelling.
    const known = await one(db, sql`select from pg_timezone_names where name = ${time_zone}`)
    if (!known || !isTimeZone(time_zone)) refuse('home.zone_unknown', { field: 'time_zone' })
  }
  for (const [field, all] of [
    ['week', week],
    ['days', days.map(({ spans }) => spans)],
  ] as const)
    for (const [at, spans] of all.entries()) {
      const problem = spansProblem(spans)
      if (problem) refuse(problem, { field, at })
    }
  const twice = days.findIndex(({ day }, at) => days.findIndex((other) => other.day === day) < at)
  if (twice >= 0) refuse('desk_hours.day_twice', { field: 'days', at: twice, day: days[twice]?.day ?? '' })
}

const spansText = (spans: readonly Span[]) =>
  spans.map(([from, until]) => `${clockOf(from)}–${clockOf(until)}`).join(' ') || '–'

const textsText = (texts: Record<string, string>) =>
  Object.entries(texts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([language, text]) => `${language}: ${text}`)
    .join('\n')

/** The log has texts that read the same in every language: its days of the week are 1 to 7, from Monday on. */
const factsOf = ({ hours_on, time_zone, week, days, greeting, away, default_language }: DeskHours) => ({
  opening_hours: hours_on,
  desk_zone: time_zone,
  weekly_hours: week.map((_, at) => `${at + 1} ${spansText(week[(at + 1) % 7] ?? [])}`).join(', '),
  different_days: days
    .map(({ day, spans, label }) => `${day} ${spansText(spans)}${label ? ` (${label})` : ''}`)
    .toSorted()
    .join(', '),
  greeting: textsText(greeting),
  away: textsText(away),
  default_language,
})
