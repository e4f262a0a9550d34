import type { Parsed } from '@tallyroom/contract'
import type { auditCalls } from '@tallyroom/contract/calls/office/audit'
import { formatPoints } from '@tallyroom/contract/points'
import { describeFacts } from '@tallyroom/contract/words/audit-words'
import type { Language, WordKey } from '@tallyroom/locales'
import { exportFile } from '../../accounts/export-file.ts'
import type { Cell } from '../../lib/csv.ts'
import { endAt, firstAt } from '../../data/local-time.ts'
import { one, type Sql, sql } from '../../data/sql.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { entries, type EntriesCtx } from '../../identity/audit-entries.ts'
import { usernameFits } from '../../identity/masking.ts'
import { checkRange } from '../../ledger/read/history-search.ts'
import { MAX_ROWS } from '../../ledger/read/history.ts'
import { mapInSlices } from '../../lib/chunked-json.ts'
import { wordsFor } from '../../lib/words.ts'
import type { Handlers } from '../handler.ts'

type Filter = Parsed<'audit/export'>

/** Rows whose target or actor is in the actor's downline. `l` is the row. */
const isVisible = (actor: Actor): Sql =>
  sql`l.top_id = ${actor.topId} and exists (select from accounts a where a.id in (l.target_id, l.actor_id) and ${visibleAccounts(actor)})`

const nameMatches = (actor: Actor, column: Sql, username: string): Sql =>
  sql`(${username} = '' or exists (select from accounts a where a.id = ${column} and ${visibleAccounts(actor)}
    and ${usernameFits(actor, sql`a.username`, username)}))`

/** The entries that match the filter, for a statement's `from`. @throws Refused report.range_invalid */
const matching = (
  { actor, services }: EntriesCtx,
  { kind, start_time, end_time, account_id, ...names }: Filter,
): Sql => {
  const { timeZone } = services.settings
  if (start_time && end_time) checkRange(start_time, end_time)
  const from = start_time ? sql`l.at >= ${firstAt(sql`${start_time}`, timeZone)}` : sql`true`
  const to = end_time ? sql`l.at < ${endAt(end_time, timeZone)}` : sql`true`
  const about = account_id === undefined ? sql`true` : sql`(l.target_id = ${account_id} or l.actor_id = ${account_id})`
  return sql`from audit_log l where ${isVisible(actor)} and ${about} and ${kind ? sql`l.kind = ${kind}` : sql`true`} and ${from} and ${to}
    and ${nameMatches(actor, sql`l.actor_id`, names.actor)} and ${nameMatches(actor, sql`l.target_id`, names.target)}`
}

type Entry = Awaited<ReturnType<typeof entries>>['data'][number]

/** A row of the CSV file, with its headings: those of the page. */
const cellsOf = (row: Entry, language: Language): Cell[] => {
  const word = (key: WordKey, values?: Record<string, string | number>) => wordsFor(language, key, values)
  const facts = describeFacts({ t: word, amount: formatPoints }, row.facts)
  return [
    [word('history.id'), row.id, 'read'],
    [word('history.created_at'), row.at, 'read'],
    [word('audit.kind'), word(`audit.kind_${row.kind}`)],
    [word('audit.actor'), row.actor_username],
    [word('audit.target'), row.target_username],
    [word('audit.facts'), facts.map(({ label, value }) => `${label}: ${value}`).join(' · ')],
    [word('audit.address'), row.address],
  ]
}

export const auditHandlers = {
  'audit/list': async (ctx, { page, per_page, ...filter }) => {
    const found = matching(ctx, filter)
    const part = await entries(ctx, found, { limit: per_page, offset: (page - 1) * per_page })
    const isWhole = page === 1 && part.found < per_page
    const counted = isWhole ? undefined : await one<{ n: number }>(ctx.db, sql`select count(*)::int as n ${found}`)
    return { total: counted?.n ?? part.found, data: part.data }
  },
  'audit/export': async (ctx, filter) => {
    const { data } = await entries(ctx, matching(ctx, filter), { limit: MAX_ROWS + 1, offset: 0 })
    const cells = await mapInSlices(data, (row) => cellsOf(row, ctx.caller.language))
    return exportFile(ctx, { call: 'audit/export', filter, what: 'audit-log' }, cells)
  },
} satisfies Handlers<typeof auditCalls>
