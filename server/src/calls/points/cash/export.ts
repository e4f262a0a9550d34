import type { Parsed } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import type { Language, WordKey } from '@tallyroom/locales'
import { exportHeld, noFile } from '../../../accounts/sensitive-changes.ts'
import { csvOf } from '../../../lib/csv.ts'
import { wordsFor } from '../../../lib/words.ts'
import type { Ctx } from '../../handler.ts'
import { asCashRow, filtered, type StoredRequest } from './list.ts'

/** The most rows of a file; for more, a shorter range is needed. */
const MAX_ROWS = 50_000

type Cell = readonly [heading: string, value: string]

const cells = (request: StoredRequest, { actor }: Ctx, language: Language): Cell[] => {
  const word = (key: WordKey) => wordsFor(language, key)
  const row = asCashRow(request, actor)
  return [
    [word('requests.number'), String(row.id)],
    [word('requests.asked_at'), row.asked_at],
    [word('account.username'), row.username],
    [word('account.nickname'), row.nickname],
    [word('requests.points'), word(row.direction === 'in' ? 'cash.in' : 'cash.out')],
    [word('transfer.amount'), `${row.direction === 'out' ? '-' : ''}${formatPoints(request.amount)}`],
    [word('account.status'), word(`cash.state_${row.state}`)],
    [word('requests.account'), `${row.bank} ${row.account_no}`.trim()],
    [word('requests.waited'), String(row.waits)],
    [word('requests.ended_at'), row.ended_at ?? ''],
    [word('requests.ended_by'), row.ended_name],
    [word('requests.reason'), row.reason],
    [word('history.transaction_id'), row.transaction_id ?? ''],
  ]
}

/** Audited before the file is returned: an export without an entry must not exist. */
export const cashExport = async (ctx: Ctx, filter: Parsed<'cash/export'>) => {
  const { db, services, actor, caller } = ctx
  const all = await filtered(db, actor, services.settings.timeZone, filter, MAX_ROWS + 1)
  const table = all.slice(0, MAX_ROWS)
  const asked = { call: 'cash/export', filter, what: 'requests', rows: table.length }
  if (await exportHeld(ctx, asked)) return noFile
  const day = new Date().toISOString().slice(0, 10)
  return {
    name: `requests-${day}.csv`,
    csv: csvOf(table.map((row) => cells(row, ctx, caller.language))),
    cut: all.length > MAX_ROWS,
  }
}
