import { foldWanted } from '@tallyroom/contract/text/fold'
import type { Answer } from '@tallyroom/contract'
import { isOperator, Role } from '@tallyroom/contract/codes'
import type { WordKey } from '@tallyroom/locales'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { Amount } from '../../ui/amount.tsx'
import { Fact } from '../../ui/fact.tsx'
import type { FilterField, FilterValues } from '../../ui/filter-bar/fields.ts'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { ListViews } from '../../ui/filter-bar/list-views.tsx'
import { type Filters, useFilters } from '../../ui/filter-bar/use-filters.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import { daysOfPeriod, daysOfPreset, periodOf } from '../../ui/form/range.ts'
import { cellText, type ReportCell } from '../../domain/report-cell.ts'
import { SaveFile } from '../../ui/save-file.tsx'
import type { Column, RowAction } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { CellLink } from './cells.tsx'
import { Days } from '../../domain/days/days.tsx'
import { reportKeys } from './search.ts'
import { AccountLink } from '../../domain/account-link.tsx'

type Report = Answer<'report/sr02'>
type Row = Report['data'][number]

const net = (row: { total_in: string; total_out: string }) => pointsOf(row.total_in) - pointsOf(row.total_out)
const LEVELS = ['operator', 'branch', 'service', 'person', 'member'] as const
const BET_LEVELS = ['operator', 'branch', 'member'] as const
type Level = (typeof LEVELS)[number]
/** What the page shows, and of whom. */
type View = { what: 'points' | 'bets'; by: Level; under: number | undefined; time: string }

const viewOf = ({ what, by, under = '', time = '' }: FilterValues): View => {
  const isBets = what === 'bets'
  const levels: readonly Level[] = isBets ? BET_LEVELS : LEVELS
  const { start, end } = daysOfPeriod(time) ?? daysOfPreset('today')
  return {
    what: isBets ? 'bets' : 'points',
    by: levels.find((level) => level === by) ?? 'operator',
    under: /^[1-9]\d{0,8}$/.test(under) ? Number(under) : undefined,
    time: periodOf({ start, end }),
  }
}

/** The transactions behind a row, or behind what was given or taken in it. */
const cellOfRow = ({ what, by, under }: View, { id, own }: Row, way?: 'in' | 'out'): ReportCell => ({
  what,
  by: own || by === 'operator' ? 'operator' : by === 'service' ? 'person' : by,
  id,
  ...(way ? { way } : {}),
  ...(under === undefined ? {} : { under }),
})

/** SR02-01: initially today, in the platform's time zone. BOOK-03, BOOK-04: by level, and of bets. */
export const Sr02Page = () => {
  const { t } = useWords()
  const filters = useFilters(reportKeys)
  const { values } = filters
  const view = useMemo(() => viewOf(values), [values])
  const { operator = '', time = '' } = values
  const { start, end } = daysOfPeriod(time) ?? daysOfPreset('today')
  const input = {
    username: operator,
    start_date: start,
    end_date: end,
    ...(view.by === 'operator' ? {} : { by: view.by }),
    ...(view.under === undefined ? {} : { under: view.under }),
    ...(view.what === 'points' ? {} : { what: view.what }),
  }
  const report = useCall('report/sr02', input, { keepPrevious: true })
  const wanted = foldWanted(filters.typed.operator ?? '')
  const matches = useMemo(
    () => (wanted ? ({ username }: Row) => username.toLowerCase().includes(wanted) : undefined),
    [wanted],
  )
  return (
    <div className="report">
      <ListViews list="sr02" filters={filters} />
      <FilterBar
        fields={useReportFields(view)}
        filters={filters}
        onAgain={() => void report.refetch()}
        busy={report.isFetching}
      />
      <Totals total={report.data?.total} isBets={view.what === 'bets'} />
      {report.data?.cut && <p>{t('report.cut', { count: groupCount(report.data.data.length) })}</p>}
      <Days days={report.data?.days ?? []} words={[t('report.total_in'), t('report.total_out')]} />
      <SearchTable
        label={t('menu.sr02')}
        rows={report.data?.data}
        rowKey="id"
        columns={useColumns(view)}
        matches={matches}
        actions={useRowActions(view, filters)}
        tools={<SaveFile disabled={!report.data?.data.length} load={() => call('report/sr02Export', input)} />}
        error={report.error}
        onRetry={() => void report.refetch()}
        whenEmpty={<p>{t('history.widen')}</p>}
      />
    </div>
  )
}

const useRowActions = (view: View, { values, set }: Filters): readonly RowAction<Row>[] => {
  const { t } = useWords()
  const navigate = useNavigate()
  return useMemo(() => {
    const transfers: RowAction<Row> = {
      key: 'transfers',
      label: t('report.open_transfers'),
      icon: 'list',
      onSelect: (row) =>
        void navigate({
          to: '/transaction/list/{-$username}',
          params: {},
          search: { cell: cellText(cellOfRow(view, row)), time: view.time },
        }),
    }
    if (view.by !== 'branch') return [transfers]
    return [
      {
        key: 'branch',
        label: t('report.open_branch'),
        icon: 'tree',
        onSelect: ({ id }) => set({ ...values, under: String(id) }),
        hidden: ({ own, role_id }) => own === 1 || !isOperator(role_id ?? Role.member),
      },
      transfers,
    ]
  }, [t, navigate, view, values, set])
}

const levelWords = {
  operator: 'report.operator',
  branch: 'report.branch',
  service: 'role.customer_service',
  person: 'statement.by',
  member: 'role.member',
} as const satisfies Record<Level, WordKey>

const useReportFields = ({ what, by, under }: View): readonly FilterField[] => {
  const { t } = useWords()
  const path = useCall('user/path', { id: under ?? 0 }, { enabled: under !== undefined, meta: { optional: true } })
  const above = path.data?.path.at(-1)?.username
  const isByPayer = what === 'points' && by === 'operator'
  return useMemo(
    (): FilterField[] => [
      { kind: 'text', key: 'operator', label: t(isByPayer ? 'report.operator' : 'account.username'), inline: true },
      {
        kind: 'choice',
        key: 'what',
        label: t('report.what'),
        isSwitch: true,
        options: [
          { value: 'points', label: t('report.points') },
          { value: 'bets', label: t('report.bets') },
        ],
      },
      {
        kind: 'choice',
        key: 'by',
        label: t('report.by'),
        options: (what === 'bets' ? BET_LEVELS : LEVELS).map((value) => ({ value, label: t(levelWords[value]) })),
      },
      {
        kind: 'period',
        key: 'time',
        label: t('range.presets'),
        fallback: 'today',
        from: t('report.start'),
        to: t('report.end'),
      },
      { kind: 'given', key: 'under', label: t('report.branch'), shown: above ?? '…' },
    ],
    [t, what, isByPayer, above],
  )
}

/** SR02-02: in, out and their difference; 0 when there is nothing. Of bets: won, bet, and what members have won more. */
const Totals = ({ total, isBets }: { total: Report['total'] | undefined; isBets: boolean }) => {
  const { t } = useWords()
  const sums = total ?? { total_in: '0', total_out: '0' }
  return (
    <dl className="totals">
      <Fact label={t(isBets ? 'transfer.kind_win' : 'report.total_in')}>
        <Amount value={sums.total_in} way="in" />
      </Fact>
      <Fact label={t(isBets ? 'transfer.kind_bet' : 'report.total_out')}>
        <Amount value={sums.total_out} way="out" />
      </Fact>
      <Fact label={t(isBets ? 'report.won' : 'report.total_amount')}>
        <Amount value={net(sums)} />
      </Fact>
    </dl>
  )
}

const useColumns = (view: View): Column<Row>[] => {
  const { t } = useWords()
  return useMemo(() => {
    const isBets = view.what === 'bets'
    const amounts = (way: 'in' | 'out'): Column<Row> => ({
      key: `total_${way}`,
      title: t(isBets ? (way === 'in' ? 'transfer.kind_win' : 'transfer.kind_bet') : `report.total_${way}`),
      width: 160,
      align: 'end',
      small: 'side',
      cell: (row) => (
        <CellLink cell={cellOfRow(view, row, way)} time={view.time}>
          <Amount value={row[`total_${way}`]} way={way} />
        </CellLink>
      ),
      amount: (row) => pointsOf(row[`total_${way}`]),
      sort: (row) => pointsOf(row[`total_${way}`]),
    })
    return [
      {
        key: 'username',
        title: t('account.username'),
        width: 200,
        small: 'head',
        cell: (row) => (
          <>
            <AccountLink who={row}>
              <bdi>{row.username}</bdi>
            </AccountLink>
            {row.own === 1 && <span>{` · ${t('report.own')}`}</span>}
          </>
        ),
        sort: (row) => row.username.toLowerCase(),
      },
      amounts('in'),
      amounts('out'),
      {
        key: 'total_amount',
        title: t(isBets ? 'report.won' : 'report.total_amount'),
        width: 160,
        align: 'end',
        small: 'below',
        cell: (row) => (
          <CellLink cell={cellOfRow(view, row)} time={view.time}>
            <Amount value={net(row)} />
          </CellLink>
        ),
        amount: net,
        sort: net,
      },
      ...(isBets
        ? [
            {
              key: 'valid',
              title: t('report.valid'),
              width: 140,
              align: 'end' as const,
              cell: (row: Row) => <Amount value={row.valid ?? '0'} />,
              amount: (row: Row) => pointsOf(row.valid ?? '0'),
              sort: (row: Row) => pointsOf(row.valid ?? '0'),
            },
          ]
        : []),
    ]
  }, [t, view])
}
