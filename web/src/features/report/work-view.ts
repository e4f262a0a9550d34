import type { Answer, Input } from '@tallyroom/contract'
import { clockOf } from '@tallyroom/contract/desk/hours'
import { type WorkCount, workCounts, type WorkLevel, workLevels } from '@tallyroom/contract/desk/waits'
import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../../i18n/i18n.ts'
import type { FilterValues } from '../../ui/filter-bar/fields.ts'
import { daysOfPeriod, daysOfPreset } from '../../ui/form/range.ts'
import { nameOf } from '../../ui/person.tsx'

export type WorkRow = Answer<'report/work'>['data'][number] & { key: string }
export type WorkInput = Input<'report/work'> & { by: WorkLevel }
/** A figure: what it counts, and in which row; undefined: in all of them. */
export type WorkCell = { count: WorkCount; row: number | null | undefined }

export const countWords = {
  waits: 'work.questions',
  first: 'work.first',
  answers: 'work.answers',
  settled: 'work.settled',
  waiting: 'work.waiting',
  missed: 'work.missed',
  passed: 'work.passed',
} as const satisfies Record<WorkCount, WordKey>

export const levelWords = {
  person: 'work.person',
  group: 'work.group',
  hour: 'work.hour',
} as const satisfies Record<WorkLevel, WordKey>

/** What the address asks for. */
export const inputOf = ({ by, time = '', group = '' }: FilterValues): WorkInput => {
  const { start, end } = daysOfPeriod(time) ?? daysOfPreset('today')
  return {
    by: workLevels.find((level) => level === by) ?? 'person',
    start_date: start,
    end_date: end,
    ...(/^[1-9]\d{0,8}$/.test(group) ? { group: Number(group) } : {}),
  }
}

export const rowKey = (row: number | null | undefined): string => (row === undefined ? 'all' : String(row ?? 'nobody'))
export const cellText = ({ count, row }: WorkCell): string => `${count}-${rowKey(row)}`
/** The figure that an address names. */
export const cellOf = (text: string | undefined): WorkCell | undefined => {
  const [name, row = ''] = (text ?? '').split('-')
  const count = workCounts.find((one) => one === name)
  if (!count) return undefined
  if (row === 'all') return { count, row: undefined }
  if (row === 'nobody') return { count, row: null }
  return /^\d{1,9}$/.test(row) ? { count, row: Number(row) } : undefined
}

/** The name of a row. */
export const rowName = (t: Translate, by: WorkLevel, { row, username, nickname }: Omit<WorkRow, 'key'>): string => {
  if (by === 'hour') return clockOf((row ?? 0) * 60)
  return row === null ? t('work.nobody') : nameOf({ username, nickname })
}
