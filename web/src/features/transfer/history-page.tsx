import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { refresh, useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import type { FilterField, FilterValues } from '../../ui/filter-bar/fields.ts'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { ListViews } from '../../ui/filter-bar/list-views.tsx'
import { useFilters } from '../../ui/filter-bar/use-filters.ts'
import {
  daysOfPeriod,
  HOURS_24,
  lastRange,
  openEnd,
  type Range,
  rangeOfPeriod,
  rangeToSend,
  YEAR,
} from '../../ui/form/range.ts'
import { cellOf, type ReportCell } from '../../domain/report-cell.ts'
import { EnvelopeList } from './envelope-list.tsx'
import { narrowedBy, narrowingFields } from './history-filter.ts'
import { historyKeys } from './search.ts'
import type { HistoryFilter } from './history-pages.ts'
import { TransferList } from './transfer-list.tsx'
import { useMay } from '../../api/use-menu.ts'

/** HIST-01: searches at once, for the last 24 hours and the account in the address. */
export const HistoryPage = () => {
  const { username } = useParams({ strict: false })
  return <History {...(username ? { username } : {})} />
}

/** How far back the log of one account goes at first. */
const ONE_FIRST = 'month'

/** The log, or with `accountId` the transfers with one account. */
export const History = ({ username, accountId }: { username?: string; accountId?: number }) => {
  const cache = useQueryClient()
  const filters = useFilters(historyKeys, username ? { username } : undefined)
  const { values } = filters
  const mayExport = useMay('transaction/export')
  const isOfOne = accountId !== undefined
  const [first] = useState(() => (isOfOne && rangeOfPeriod(ONE_FIRST)) || lastRange(HOURS_24))
  const filter = useMemo(
    () => ({ ...filterOf(values, first), ...(accountId === undefined ? {} : { member_id: accountId }) }),
    [values, first, accountId],
  )
  const fields = useHistoryFields(operatorOf(values), cellOf(values.cell))
  const List = values.type === '2' ? EnvelopeList : TransferList
  return (
    <div className="list-page">
      {!isOfOne && <ListViews list="history" filters={filters} />}
      <FilterBar
        fields={isOfOne ? ofOne(fields) : fields}
        filters={filters}
        onAgain={() => void refresh(cache, ['transaction/list', 'transaction/totals', 'redEnvelope/record'])}
      />
      <List
        // A new search starts with its newest rows.
        key={JSON.stringify(values)}
        filter={filter}
        mayExport={mayExport}
      />
    </div>
  )
}

/** The fields of one account's log: it has no name to search for, and goes further back. */
const ofOne = (fields: readonly FilterField[]): FilterField[] =>
  fields
    .filter(({ key }) => key !== 'username')
    .map((field) => (field.kind === 'period' ? { ...field, fallback: ONE_FIRST } : field))

const operatorOf = ({ operator = '' }: FilterValues) => (/^[1-9]\d{0,8}$/.test(operator) ? Number(operator) : undefined)

/** What the calls are asked for. */
const filterOf = (values: FilterValues, first: Range): HistoryFilter => {
  const { username = '', time = '' } = values
  const operator = operatorOf(values)
  const cell = cellOf(values.cell)
  const days = daysOfPeriod(time)
  return {
    username,
    // An id is looked for in a year, unless a period is chosen.
    ...timesOf(rangeOfPeriod(time), values.id ? lastRange(YEAR) : first),
    ...narrowedBy(values),
    // A report's day ends with its last second.
    ...(operator === undefined ? {} : { operator_id: operator }),
    ...(cell ? { cell } : {}),
    ...(days && (cell || operator !== undefined) ? { end_time: `${days.end} 23:59:59` } : {}),
  }
}

/** An end that the user has not chosen stays open. */
const timesOf = (chosen: Range | undefined, first: Range) =>
  chosen ? rangeToSend(chosen) : { ...rangeToSend(first), end_time: openEnd(first) }

const useHistoryFields = (operator: number | undefined, cell: ReportCell | undefined): readonly FilterField[] => {
  const { t } = useWords()
  // The link from SR02 names an account.
  const id = cell?.id ?? operator
  const path = useCall('user/path', { id: id ?? 0 }, { enabled: id !== undefined, meta: { optional: true } })
  const name = path.data?.path.at(-1)?.username
  return useMemo(
    (): FilterField[] => [
      { kind: 'text', key: 'username', label: t('account.username'), inline: true },
      {
        kind: 'choice',
        key: 'type',
        label: t('history.type'),
        isSwitch: true,
        options: [
          { value: '1', label: t('history.transactions') },
          { value: '2', label: t('history.envelopes') },
        ],
      },
      { kind: 'period', key: 'time', label: t('range.presets'), fallback: 'day', minutes: true },
      ...narrowingFields(t),
      {
        kind: 'given',
        key: 'operator',
        label: t('history.operator'),
        shown: t('history.counted_for', { name: name ?? '…' }),
      },
      {
        kind: 'given',
        key: 'cell',
        label: t('menu.sr02'),
        shown: t('history.counted_for', { name: name ?? '…' }),
      },
    ],
    [t, name],
  )
}
