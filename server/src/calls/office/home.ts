import { isOperator, Role } from '@tallyroom/contract/codes'
import type { homeCalls } from '@tallyroom/contract/calls/office/home'
import { formatPoints } from '@tallyroom/contract/points'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { type Db, many, one, sql } from '../../data/sql.ts'
import type { Handlers } from '../handler.ts'
import { moment } from '../../ledger/read/history.ts'
import { totalsByPosition } from '../../ledger/read/totals-by-position.ts'
import { may, mayList } from '../../identity/policy.ts'
import { findVisibleIds } from '../../identity/visible-ids.ts'
import { stepHandlers } from './home/steps.ts'
import { is } from '../../domain/is.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'

const DAYS = 7
const MAX_ROWS = 5

export const homeHandlers = {
  ...stepHandlers,

  'home/view': async ({ db, services, actor }) => {
    const { timeZone } = services.settings
    const isHead = isOperator(actor.role)
    // The browser hides what somebody has no page for; here it is not sent.
    return {
      days: may(actor, 'report/sr02') ? await lastDays(db, actor, timeZone) : [],
      open: may(actor, 'transaction/list') ? await openEnvelopes(db, actor) : null,
      low: isHead && mayList(actor, Role.agent) ? await leastLeft(db, actor) : [],
      sign_ins: isHead ? await lastSignIns(db, actor, timeZone) : [],
      endpoint_off: actor.id === actor.topId && (await hasEndpointOff(db, actor.topId)),
    }
  },
} satisfies Handlers<typeof homeCalls>

const hasEndpointOff = async (db: Db, topId: number): Promise<boolean> =>
  (await one(db, sql`select 1 as is from webhook_endpoints where top_id = ${topId} and state = 'off' limit 1`)) !==
  undefined

const openEnvelopes = async (db: Db, actor: Actor) => {
  const found = await one<{ offers: number; held: bigint; requests: number; asked: bigint }>(
    db,
    sql`select (count(*) filter (where e.type = ${is.giving}))::int as offers, (count(*) filter (where e.type = ${is.asking}))::int as requests,
        coalesce(sum(t.amount) filter (where e.type = ${is.giving}), 0)::bigint as held,
        coalesce(sum(t.amount) filter (where e.type = ${is.asking}), 0)::bigint as asked
      from envelopes e join transfers t on t.id = e.transfer_id join accounts a on a.id = e.target_id
      where e.status = ${is.pending} and ${visibleAccounts(actor)}`,
  )
  return {
    offers: found?.offers ?? 0,
    held: formatPoints(found?.held ?? 0n),
    requests: found?.requests ?? 0,
    asked: formatPoints(found?.asked ?? 0n),
  }
}

/** Includes days without transfers. */
const lastDays = async (db: Db, actor: Actor, timeZone: string) => {
  const today = sql`(now() at time zone ${timeZone}::text)::date`
  const range = { start: sql`${today} - ${DAYS - 1}::int`, end: today, among: sql`true` }
  const totals = totalsByPosition(
    actor,
    await findVisibleIds(db, actor, sql`a.role_id <= ${is.customerService}`),
    range,
  )
  const days = await many<{ day: string; given: bigint; taken: bigint }>(
    db,
    sql`with today as (select (now() at time zone ${timeZone})::date as day),
        days as (select t.day - n as day from today t, generate_series(0, ${DAYS - 1}) n),
        moved as (select d.day, sum(d.total_in)::bigint as given, sum(d.total_out)::bigint as taken
          from ${totals} d group by d.day)
      select days.day::text, coalesce(given, 0)::bigint as given, coalesce(taken, 0)::bigint as taken
      from days left join moved using (day) order by days.day`,
  )
  return days.map(({ day, given, taken }) => ({ day, total_in: formatPoints(given), total_out: formatPoints(taken) }))
}

type AccountBelow = Named & { role_id: Role; nickname: string }
const colleague = (actor: Actor, row: AccountBelow) => ({
  id: row.id,
  role_id: row.role_id,
  username: shownUsername(actor, row),
  nickname: shownText(actor, row, row.nickname),
})

/** Operators without a limit are left out. */
const leastLeft = async (db: Db, actor: Actor) => {
  const rows = await many<AccountBelow & { available: bigint }>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id, w.balance - w.floor as available
      from accounts a join wallets w on w.account_id = a.id and w.kind = ${is.mainWallet}
      where ${visibleAccounts(actor)} and a.role_id = ${is.agent} and a.id <> ${actor.id} and a.status = ${is.active} and w.floor is not null
      order by w.balance - w.floor, a.id limit ${MAX_ROWS}`,
  )
  return rows.map((row) => ({ ...colleague(actor, row), available: formatPoints(row.available) }))
}

const lastSignIns = async (db: Db, actor: Actor, timeZone: string) => {
  const roles = [Role.agent, Role.customerService].filter((role) => mayList(actor, role))
  const rows = await many<AccountBelow & { at: string }>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id, ${moment(sql`s.created_at`, timeZone)} as at
      from accounts a cross join lateral
        (select created_at from sessions where account_id = a.id order by id desc limit 1) s
      where ${visibleAccounts(actor)} and a.role_id = any(${roles}) and a.id <> ${actor.id}
      order by s.created_at desc, a.id limit ${MAX_ROWS}`,
  )
  return rows.map((row) => ({ ...colleague(actor, row), at: row.at }))
}
