import type { Parsed } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import type { Language, WordKey } from '@tallyroom/locales'
import { exportFile } from '../../../accounts/export-file.ts'
import type { Cell } from '../../../lib/csv.ts'
import { MAX_ROWS } from '../../../ledger/read/history.ts'
import { wordsFor } from '../../../lib/words.ts'
import { zonedTime } from '../../../lib/zoned-time.ts'
import type { ReadCtx } from '../../handler.ts'
import { asCashRow, filtered, type StoredCashRequest } from './list.ts'

type Shown = { language: Language; time: ReturnType<typeof zonedTime> }

const cells = (cashRequest: StoredCashRequest, { actor }: ReadCtx, { language, time }: Shown): Cell[] => {
  const word = (key: WordKey) => wordsFor(language, key)
  const row = asCashRow(cashRequest, actor)
  const code = row.reason_code
  return [
    [word('requests.number'), String(row.id), 'read'],
    [word('requests.asked_at'), time(row.asked_at), 'read'],
    [word('account.username'), row.username],
    [word('account.nickname'), row.nickname],
    [word('requests.points'), word(row.direction === 'in' ? 'cash.in' : 'cash.out')],
    [word('transfer.amount'), `${row.direction === 'out' ? '-' : ''}${formatPoints(cashRequest.amount)}`, 'read'],
    [word('account.status'), word(`cash.state_${row.state}`)],
    [word('requests.account'), `${row.bank} ${row.account_no}`.trim()],
    [word('requests.waited'), String(row.waits), 'read'],
    [word('requests.ended_at'), row.ended_at ? time(row.ended_at) : '', 'read'],
    [word('requests.ended_by'), row.ended_name],
    [word('requests.reason'), [code && word(`cash.reason_${code}`), row.reason].filter(Boolean).join(' ')],
    [word('history.transaction_id'), row.transaction_id ?? ''],
    [word('requests.reference'), row.bank_reference],
  ]
}

export const cashExport = async (ctx: ReadCtx, filter: Parsed<'cash/export'>) => {
  const { db, services, actor, caller } = ctx
  const rows = await filtered(db, actor, services.settings.timeZone, filter, MAX_ROWS + 1)
  const shown = { language: caller.language, time: zonedTime(services.settings.timeZone) }
  return exportFile(
    ctx,
    { call: 'cash/export', filter, what: 'requests' },
    rows.map((row) => cells(row, ctx, shown)),
  )
}
