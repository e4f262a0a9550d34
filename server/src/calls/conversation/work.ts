import type { workCalls } from '@tallyroom/contract/calls/conversation/work'
import { clockOf } from '@tallyroom/contract/desk/hours'
import { lengthText } from '@tallyroom/contract/desk/waits'
import type { Answer } from '@tallyroom/contract'
import type { WordKey } from '@tallyroom/locales'
import { exportFile } from '../../accounts/export-file.ts'
import type { Cell } from '../../lib/csv.ts'
import { wordsFor } from '../../lib/words.ts'
import type { Handlers } from '../handler.ts'
import { workReport } from './work/figures.ts'
import { workWaits } from './work/wait-list.ts'

type Row = Answer<'report/work'>['data'][number]

/** The columns of the page. */
const cellsOf = (row: Row, by: 'person' | 'group' | 'hour', word: (key: WordKey) => string): Cell[] => {
  const length = (lengths: Row['clock'], of: 'median' | 'p90' | 'longest') => (lengths ? lengthText(lengths[of]) : '')
  const [hour, nobody] = [clockOf((row.row ?? 0) * 60), word('work.nobody')]
  const names: Cell[] =
    by === 'hour'
      ? [[word('work.hour'), hour, 'read']]
      : [
          [word('account.username'), row.row === null ? nobody : row.username],
          [word('account.nickname'), row.nickname],
        ]
  return [
    ...names,
    [word('work.questions'), String(row.waits), 'read'],
    [word('work.first'), String(row.first), 'read'],
    [word('work.first_median'), length(row.first_open, 'median'), 'read'],
    [word('work.first_p90'), length(row.first_open, 'p90'), 'read'],
    [word('work.answers'), String(row.answers), 'read'],
    [word('work.wait_median'), length(row.clock, 'median'), 'read'],
    [word('work.wait_p90'), length(row.clock, 'p90'), 'read'],
    [word('work.wait_longest'), length(row.clock, 'longest'), 'read'],
    [word('work.open_median'), length(row.open, 'median'), 'read'],
    [word('work.open_p90'), length(row.open, 'p90'), 'read'],
    [word('work.open_longest'), length(row.open, 'longest'), 'read'],
    [word('work.settled'), String(row.settled), 'read'],
    [word('work.waiting'), String(row.waiting), 'read'],
    [word('work.missed'), String(row.missed), 'read'],
    [word('work.passed'), String(row.passed), 'read'],
    [word('work.on'), lengthText(row.on_s), 'read'],
  ]
}

export const workHandlers = {
  'report/work': ({ db, actor, services }, input) =>
    workReport(db, { actor, timeZone: services.settings.timeZone }, input),

  'report/workWaits': ({ db, actor, services }, input) =>
    workWaits(db, { actor, timeZone: services.settings.timeZone }, input),

  'report/workExport': async (ctx, input) => {
    const { db, actor, caller, services } = ctx
    const word = (key: WordKey) => wordsFor(caller.language, key)
    const { data } = await workReport(db, { actor, timeZone: services.settings.timeZone }, input)
    return exportFile(
      ctx,
      { call: 'report/workExport', filter: input, what: 'work', days: input },
      data.map((row) => cellsOf(row, input.by, word)),
    )
  },
} satisfies Handlers<typeof workCalls>
