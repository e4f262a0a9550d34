import type { CallName, Input } from '@tallyroom/contract'
import type { periodCalls } from '@tallyroom/contract/calls/points/period'
import type { statementCalls } from '@tallyroom/contract/calls/points/statement'
import { sees } from './matrix-tree.ts'
import { type Judge, office, operators, type Row } from './row.ts'
import type { workCalls } from '@tallyroom/contract/calls/conversation/work'

const day = { start_date: '2026-01-01', end_date: '2026-01-02' }
const seen: Judge = (who, whom) => (sees(who, whom) ? 'ok' : 'absent')

type BookCall = CallName & keyof (typeof statementCalls & typeof periodCalls & typeof workCalls)

/** Statements and closed periods (BOOK), and the report of work (DESK-09). */
export const bookRows: { [Call in BookCall]: Row<Input<Call>> } = {
  'statement/view': { who: office, whom: seen, ask: (id) => ({ id, ...day }) },
  'statement/lines': { who: office, whom: seen, ask: (id) => ({ id, ...day }) },
  'statement/export': { who: operators, whom: seen, ask: (id) => ({ id, ...day }) },
  'statement/seal': { who: operators, whom: seen, ask: (id) => ({ id, ...day }) },
  'report/work': { who: office, ask: day },
  'report/workWaits': { who: office, ask: { ...day, count: 'waits' } },
  'report/workExport': { who: operators, ask: day },
  'period/list': { who: operators, ask: {} },
  'period/close': { who: operators, ask: null },
  'settlement/list': { who: operators, ask: {} },
  'settlement/settle': { who: operators, ask: null },
}
