import { AccountStatus, Role } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import type { accountCalls } from '@tallyroom/contract/calls/account'
import type { Language, WordKey } from '@tallyroom/locales'
import { type AccountColumns, accountColumns, accountTables, asAccountRow, namesOf } from '../../accounts/accounts.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { audit } from '../../identity/audit.ts'
import { csvOf } from '../../lib/csv.ts'
import { many, one, type Sql, sql } from '../../data/sql.ts'
import type { Handlers } from '../handler.ts'
import { ensure } from '../../lib/refusal.ts'
import { nicknameFits, usernameFits } from '../../identity/masking.ts'
import { stringifyInSlices } from '../../lib/chunked-json.ts'
import { wordsFor } from '../../lib/words.ts'

type ListFilter = { role_id: 2 | 3; menu_id?: 2 | 3 | 13 | undefined; username: string; nickname: string }

/** The list pages by menu id: agents of the downline, customer service of the group, members of the downline. */
const listed: Record<2 | 3 | 13, (actor: Actor) => Sql> = {
  2: (actor) => sql`a.role_id = 2 and a.id <> ${actor.id}`,
  3: (actor) => sql`a.role_id = 3 and a.group_id = ${actor.groupId}`,
  13: () => sql`a.role_id = 4`,
}

const matching = (actor: Actor, { role_id, menu_id, username, nickname }: ListFilter): Sql =>
  sql`${visibleAccounts(actor)} and ${listed[menu_id ?? role_id](actor)}
    and ${usernameFits(actor, sql`a.username`, username)}
    and ${nicknameFits(actor, sql`a.nickname`, sql`a.username`, nickname)}`

const NAMES: Record<2 | 3 | 13, string> = { 2: 'agents', 3: 'customer-service', 13: 'users' }

type Cell = readonly [heading: string, value: string]

/** An agent's list of users shows neither balance nor withdraw confirmation, and so does its CSV file (ACC-11). */
const cellsOf = (row: Answer<'user/list'>['data'][number], language: Language, withoutPoints: boolean): Cell[] => {
  const word = (key: WordKey) => wordsFor(language, key)
  const start: Cell[] = [
    [word('account.username'), row.username],
    [word('account.nickname'), row.nickname],
    [word('account.status'), word(row.status === AccountStatus.active ? 'status.normal' : 'status.frozen')],
  ]
  const points: Cell[] = [
    [word('account.withdraw_confirm'), word(row.withdraw_confirm === 1 ? 'account.needed' : 'account.not_needed')],
    [word('shell.balance'), row.unlimited ? word('points.unlimited') : row.balance],
    [word('wallet.game'), row.game_wallet],
  ]
  const end: Cell[] = [
    [word('account.created'), row.created_at],
    [word('account.last_seen'), row.last_seen_at ?? ''],
  ]
  return [...start, ...(withoutPoints ? [] : points), ...end]
}

export const listHandlers = {
  'user/list': async ({ db, actor }, { page, per_page, ...filter }) => {
    const found = matching(actor, filter)
    const rows = await many<AccountColumns>(
      db,
      sql`select ${accountColumns} from ${accountTables} where ${found}
        order by a.id limit ${per_page} offset ${(page - 1) * per_page}`,
    )
    const counted =
      page === 1 && rows.length < per_page
        ? rows.length
        : (await one<{ n: number }>(db, sql`select count(*)::int as n from accounts a where ${found}`))?.n
    return { data: await stringifyInSlices(rows, (row) => asAccountRow(row, actor)), total: counted ?? rows.length }
  },

  'user/export': async (ctx, filter) => {
    const { db, actor, caller } = ctx
    const page = filter.menu_id ?? filter.role_id
    const rows = await many<AccountColumns>(
      db,
      sql`select ${accountColumns} from ${accountTables} where ${matching(actor, filter)} order by a.id limit 50000`,
    )
    // Audited before it is returned: an export without an entry must not exist.
    await audit(db, ctx, 'exported', undefined, { what: NAMES[page], rows: rows.length })
    const table = rows.map((row) =>
      cellsOf(asAccountRow(row, actor), caller.language, page === 13 && actor.role === Role.agent),
    )
    const day = new Date().toISOString().slice(0, 10)
    return { name: `${NAMES[page]}-${day}.csv`, csv: csvOf(table) }
  },

  'user/path': async ({ db, actor }, { id }) => {
    const target = ensure(
      await one<{ path: string }>(
        db,
        sql`select a.path from accounts a where a.id = ${id} and ${visibleAccounts(actor)}`,
      ),
      'account.not_found',
    )
    const ids = target.path.split('/').filter(Boolean).map(Number)
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
