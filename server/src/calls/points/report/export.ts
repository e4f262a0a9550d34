import { factsOfKind, isTaking, viewOfKind, views } from '@tallyroom/contract/transfer-kinds'
import { envelopeStatusWords, madeAsWords, statusWords } from '@tallyroom/contract/words/code-words'
import { TransferStatus } from '@tallyroom/contract/codes'
import type { reportCalls } from '@tallyroom/contract/calls/points/report'
import { formatPoints } from '@tallyroom/contract/points'
import type { Language, WordKey } from '@tallyroom/locales'
import { exportFile } from '../../../accounts/export-file.ts'
import type { Cell } from '../../../lib/csv.ts'
import type { Handlers } from '../../handler.ts'
import { type HistoryRow, historyRows, MAX_ROWS } from '../../../ledger/read/history.ts'
import { madeAs } from '../../../ledger/read/transfer-row.ts'
import { wordsFor } from '../../../lib/words.ts'
import { sr02, totalsOf } from './sr02.ts'

/** In or out for the member (CONV-15); empty between its own wallets. The amounts of a file have no sign. */
const wayOf = (row: HistoryRow, word: (key: WordKey) => string) => {
  const view = viewOfKind(row.transferKind, row.corrects_op)
  return view ? word(view.short) : ''
}

/** The columns of the page on the screen (HIST-03). */
const transferCells = (row: HistoryRow, language: Language): Cell[] => {
  const word = (key: WordKey) => wordsFor(language, key)
  return [
    [word('history.created_at'), row.created_at, 'read'],
    [word('history.id'), String(row.id), 'read'],
    [word('history.transaction_id'), row.transaction_id],
    [word('history.type'), word(factsOfKind(row.transferKind)?.word ?? 'transfer.kind_other')],
    [word('account.username'), row.member_username],
    [word('account.nickname'), row.member_nickname],
    [word('history.way'), wayOf(row, word)],
    [word('transfer.amount'), formatPoints(row.amount), 'read'],
    [word('account.status'), word(statusWords[row.status])],
    [word('history.operator'), row.operator],
    [word('transfer.remark'), row.remark],
    [word('history.balance'), row.balance === null ? '' : formatPoints(row.balance), 'read'],
  ]
}

const envelopeCells = (row: HistoryRow, language: Language): Cell[] => {
  const word = (key: WordKey) => wordsFor(language, key)
  return [
    [word('history.created_at'), row.created_at, 'read'],
    [word('history.transaction_id'), row.transaction_id],
    [word('history.type'), word((isTaking(row.transferKind) ? views.from : views.to).short)],
    [word('history.made_as'), word(madeAsWords[madeAs(row, false)])],
    [word('history.self'), row.operator],
    [word('history.other'), row.member_username],
    [word('transfer.amount'), formatPoints(row.amount), 'read'],
    [word('account.status'), word(envelopeStatusWords[row.status])],
    [
      word('envelope.progress'),
      word(row.status === TransferStatus.pending ? 'envelope.unfinished' : 'envelope.finished'),
    ],
    [word('transfer.remark'), row.remark],
  ]
}

export const exportHandlers = {
  'transaction/export': async (ctx, input) => {
    const { kind, ...filter } = input
    const { db, services, actor, caller } = ctx
    const rows = await historyRows(db, { actor, timeZone: services.settings.timeZone }, kind, filter, MAX_ROWS + 1)
    const cells = kind === 1 ? transferCells : envelopeCells
    return exportFile(
      ctx,
      { call: 'transaction/export', filter: input, what: kind === 1 ? 'transactions' : 'envelopes' },
      rows.map((row) => cells(row, caller.language)),
    )
  },

  'report/sr02Export': async (ctx, range) => {
    const { db, actor, caller, services } = ctx
    const word = (key: WordKey) => wordsFor(caller.language, key)
    const { rows } = await sr02(db, { actor, timeZone: services.settings.timeZone }, range)
    return exportFile(
      ctx,
      { call: 'report/sr02Export', filter: range, what: 'sr02', days: range },
      rows.map((row): Cell[] => [
        [word('account.username'), row.username],
        [word('report.total_in'), totalsOf(row).total_in, 'read'],
        [word('report.total_out'), totalsOf(row).total_out, 'read'],
        [word('report.total_amount'), formatPoints(row.given - row.taken), 'read'],
      ]),
    )
  },
} satisfies Handlers<Pick<typeof reportCalls, 'transaction/export' | 'report/sr02Export'>>
