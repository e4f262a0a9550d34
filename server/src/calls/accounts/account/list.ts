import { AccountStatus, Role } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import type { accountCalls } from '@tallyroom/contract/calls/accounts/account'
import type { Language, WordKey } from '@tallyroom/locales'
import {
  type AccountColumns,
  accountColumns,
  accountTables,
  asAccountRow,
  namesOf,
} from '../../../accounts/accounts.ts'
import { type Actor, idsOfPath, visibleAccounts } from '../../../identity/actor.ts'
import { may, mayList } from '../../../identity/policy.ts'
import { exportFile } from '../../../accounts/export-file.ts'
import type { Cell } from '../../../lib/csv.ts'
import { MAX_ROWS } from '../../../ledger/read/history.ts'
import { type Db, many, one, type Sql, sql } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import type { Handlers } from '../../handler.ts'
import { ensure, refuse } from '../../../lib/refusal.ts'
import { nicknameFits, usernameFits } from '../../../identity/masking.ts'
import { mapInSlices } from '../../../lib/chunked-json.ts'
import { wordsFor } from '../../../lib/words.ts'
import { zonedTime } from '../../../lib/zoned-time.ts'

type ListFilter = { role_id: 2 | 3; menu_id?: 2 | 3 | 13 | undefined; username: string; nickname: string }

/** The list pages by menu id: agents of the downline, customer service of the group, members of the downline. */
const listed: Record<2 | 3 | 13, (actor: Actor) => Sql> = {
  2: (actor) => sql`a.role_id = ${is.agent} and a.id <> ${actor.id}`,
  3: (actor) => sql`a.role_id = ${is.customerService} and not a.is_key and a.group_id = ${actor.groupId}`,
  13: () => sql`a.role_id = ${is.member}`,
}

const matching = (actor: Actor, { role_id, menu_id, username, nickname }: ListFilter): Sql => {
  if (!mayList(actor, menu_id === 13 ? Role.member : (menu_id ?? role_id))) return refuse('access.denied')
  return sql`${visibleAccounts(actor)} and ${listed[menu_id ?? role_id](actor)}
    and ${usernameFits(actor, sql`a.username`, username)}
    and ${nicknameFits(actor, sql`a.nickname_folded`, sql`a.username`, nickname)}`
}

const NAMES: Record<2 | 3 | 13, string> = { 2: 'agents', 3: 'customer-service', 13: 'users' }

/** ACC-11: an agent's list of users shows neither balance nor withdraw confirmation; its CSV file and sums neither. */
const hidesPoints = (actor: Actor, { menu_id }: ListFilter) => menu_id === 13 && !may(actor, 'user.points')

type Sums = { n: number; available: bigint; game: bigint; credit: bigint }
const NO_SUMS = { available: 0n, game: 0n, credit: 0n }

/** The same sums as `addTo`, for a list that is longer than its page. */
const sumsOf = (found: Sql): Sql =>
  sql`select count(*)::int as n, coalesce(sum(m.balance - m.floor), 0)::bigint as available,
      coalesce(sum(w.balance) filter (where a.is_multiple_wallet = 1), 0)::bigint as game,
      coalesce(sum(-m.floor), 0)::bigint as credit
    from ${accountTables} where ${found}`

/** Adds a row to sums. An unlimited account has no floor and adds nothing to what can be spent. */
const addTo = (sums: Sums, { main_balance, main_floor, game_balance, is_multiple_wallet }: AccountColumns) => {
  if (main_floor !== null) {
    sums.available += main_balance - main_floor
    sums.credit -= main_floor
  }
  if (is_multiple_wallet === 1) sums.game += game_balance
}

const asTotals = ({ available, game, credit }: Sums) => ({
  available: formatPoints(available),
  game_wallet: formatPoints(game),
  limit_of_credit: formatPoints(credit),
})

type Shown = { language: Language; time: ReturnType<typeof zonedTime>; withoutPoints: boolean }

/** A row of the CSV file, with its headings. */
const cellsOf = (row: Answer<'user/list'>['data'][number], { language, time, withoutPoints }: Shown): Cell[] => {
  const word = (key: WordKey) => wordsFor(language, key)
  const start: Cell[] = [
    [word('account.username'), row.username],
    [word('account.nickname'), row.nickname],
    [word('account.status'), word(row.status === AccountStatus.active ? 'status.normal' : 'status.frozen')],
  ]
  const points: Cell[] = [
    [word('account.withdraw_confirm'), word(row.withdraw_confirm === 1 ? 'account.needed' : 'account.not_needed')],
    [word('shell.balance'), row.unlimited ? word('points.unlimited') : row.balance, 'read'],
    [word('wallet.game'), row.game_wallet, 'read'],
  ]
  const end: Cell[] = [
    [word('account.created'), time(row.created_at), 'read'],
    [word('account.last_seen'), row.last_seen_at ? time(row.last_seen_at) : '', 'read'],
  ]
  return [...start, ...(withoutPoints ? [] : points), ...end]
}

/** The heads of the groups whose members are in these rows; undefined for rows without members. */
const agentsOf = async (db: Db, actor: Actor, rows: { role_id: Role; group_id: number }[]) => {
  const ids = [...new Set(rows.flatMap(({ role_id, group_id }) => (role_id === Role.member ? [group_id] : [])))]
  if (ids.length === 0) return undefined
  const found = await many<Pick<AccountColumns, 'id' | 'username' | 'nickname' | 'is_sub'>>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub from accounts a where a.id = any(${ids}::int[]) order by a.id`,
  )
  return found.map((agent) => {
    const { username, nickname } = namesOf(agent, actor)
    return {
      id: agent.id,
      name: nickname || username,
      is_own: agent.id === actor.groupId ? (1 as const) : (0 as const),
    }
  })
}

export const listHandlers = {
  'user/list': async ({ db, actor }, { page, per_page, ...filter }) => {
    const found = matching(actor, filter)
    const rows = await many<AccountColumns & { group_id: number }>(
      db,
      sql`select ${accountColumns}, a.group_id from ${accountTables} where ${found}
        order by a.id limit ${per_page + 1} offset ${(page - 1) * per_page}`,
    )
    // The rows of a whole list are counted and added up here: the database would read all of them again. The row beyond
    // the page says that there are more.
    const isWhole = page === 1 && rows.length <= per_page
    if (rows.length > per_page) rows.pop()
    const inDatabase = isWhole ? undefined : await one<Sums>(db, sumsOf(found))
    const sums = inDatabase ?? { ...NO_SUMS, n: rows.length }
    const data = await mapInSlices(rows, (row) => {
      if (isWhole) addTo(sums, row)
      const shown = asAccountRow(row, actor)
      return row.role_id === Role.member ? { ...shown, agent_id: row.group_id } : shown
    })
    const agents = await agentsOf(db, actor, rows)
    return {
      data,
      ...(agents ? { agents } : {}),
      total: sums.n,
      totals: hidesPoints(actor, filter) ? null : asTotals(sums),
    }
  },

  'user/export': async (ctx, filter) => {
    const { db, actor, caller, services } = ctx
    const page = filter.menu_id ?? filter.role_id
    const rows = await many<AccountColumns>(
      db,
      sql`select ${accountColumns} from ${accountTables} where ${matching(actor, filter)} order by a.id limit ${MAX_ROWS + 1}`,
    )
    const shown = {
      language: caller.language,
      time: zonedTime(services.settings.timeZone),
      withoutPoints: hidesPoints(actor, filter),
    }
    return exportFile(
      ctx,
      { call: 'user/export', filter, what: NAMES[page] },
      rows.map((row) => cellsOf(asAccountRow(row, actor), shown)),
    )
  },

  'user/path': async ({ db, actor }, { id }) => {
    const target = ensure(
      await one<{ path: string }>(
        db,
        sql`select a.path from accounts a where a.id = ${id} and ${visibleAccounts(actor)}`,
      ),
      'account.not_found',
    )
    const ids = idsOfPath(target.path)
    const rows = await many<Pick<AccountColumns, 'id' | 'role_id' | 'username' | 'nickname' | 'is_sub'>>(
      db,
      sql`select a.id, a.role_id, a.username, a.nickname, a.is_sub from accounts a
        where a.id = any(${ids}::int[]) and ${visibleAccounts(actor)} order by length(a.path)`,
    )
    return {
      path: rows.map((row) => ({ id: row.id, role_id: row.role_id, username: namesOf(row, actor).username })),
    }
  },
} satisfies Handlers<Pick<typeof accountCalls, 'user/list' | 'user/export' | 'user/path'>>
