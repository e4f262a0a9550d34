import type { Answer } from '@tallyroom/contract'
import { lengthText, workLevels } from '@tallyroom/contract/desk/waits'
import type { WordKey } from '@tallyroom/locales'
import { useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { useCall } from '../../api/use-call.ts'
import { useMay } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { DialogBox } from '../../ui/overlay/dialog.tsx'
import { Fact } from '../../ui/fact.tsx'
import type { FilterField, FilterValues } from '../../ui/filter-bar/fields.ts'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { type Filters, useFilters } from '../../ui/filter-bar/use-filters.ts'
import { SaveFile } from '../../ui/save-file.tsx'
import type { RowAction } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { workKeys } from './search.ts'
import { Figure, useWorkColumns } from './work-columns.tsx'
import { WorkWaits } from './work-waits.tsx'
import {
  cellOf,
  countWords,
  inputOf,
  levelWords,
  rowKey,
  rowName,
  type WorkCell,
  type WorkInput,
  type WorkRow,
} from './work-view.ts'
import './work.css'

type Report = Answer<'report/work'>

/** DESK-09: who answered how much, and how long members waited; at first today, by colleague. */
export const WorkPage = () => {
  const { t } = useWords()
  const filters = useFilters(workKeys)
  const { values } = filters
  const input = useMemo(() => inputOf(values), [values])
  const cell = useMemo(() => cellOf(values.cell), [values])
  const mayExport = useMay('report/workExport')
  const report = useCall('report/work', input, { keepPrevious: true })
  const { data } = report
  const rows = useMemo(() => data?.data.map((row): WorkRow => ({ ...row, key: rowKey(row.row) })), [data])
  const shownRow = rows?.find(({ row }) => row === cell?.row)
  const name = cell?.row === undefined ? t('work.total') : shownRow ? rowName(t, input.by, shownRow) : '…'
  const columns = useWorkColumns(input, values)
  const actions = useRowActions(input, filters)
  return (
    <div className="report">
      <FilterBar
        fields={useWorkFields(input, data, cell && { cell, name })}
        filters={filters}
        onAgain={() => void report.refetch()}
        busy={report.isFetching}
      />
      <div className="work-zone">
        <p>
          {data && <span>{t('work.zone', { zone: data.time_zone, since: showMoment(data.since) })}</span>}{' '}
          {data?.only_own && <span>{t('work.only_own')}</span>}
        </p>
        <Definitions />
      </div>
      {cell ? (
        <WorkWaits input={input} cell={cell} name={name} />
      ) : (
        <>
          <Totals total={data?.total} values={values} />
          <SearchTable
            label={t('menu.work')}
            rows={rows}
            rowKey="key"
            columns={columns}
            actions={actions}
            dense
            tools={mayExport && <SaveFile disabled={!rows?.length} load={() => call('report/workExport', input)} />}
            error={report.error}
            onRetry={() => void report.refetch()}
            whenEmpty={<p>{t('work.none')}</p>}
          />
        </>
      )}
    </div>
  )
}

const useRowActions = ({ by }: WorkInput, { values, set }: Filters): RowAction<WorkRow>[] => {
  const { t } = useWords()
  return useMemo(
    () =>
      by === 'group'
        ? [
            {
              key: 'people',
              label: t('work.open_people'),
              icon: 'user',
              onSelect: ({ row }) => set({ ...values, by: 'person', group: String(row) }),
            },
          ]
        : [],
    [t, by, values, set],
  )
}

const useWorkFields = (
  { group }: WorkInput,
  report: Report | undefined,
  shown: { cell: WorkCell; name: string } | undefined,
): readonly FilterField[] => {
  const { t } = useWords()
  const path = useCall('user/path', { id: group ?? 0 }, { enabled: group !== undefined, meta: { optional: true } })
  const groupName = path.data?.path.at(-1)?.username
  const figure = shown ? `${t(countWords[shown.cell.count])} · ${shown.name}` : ''
  const onlyOwn = report?.only_own === true
  return useMemo(
    (): FilterField[] => [
      {
        kind: 'choice',
        key: 'by',
        label: t('report.by'),
        isSwitch: true,
        options: workLevels
          // Who sees the own work has one group.
          .filter((level) => !(onlyOwn && level === 'group'))
          .map((value) => ({ value, label: t(levelWords[value]) })),
      },
      {
        kind: 'period',
        key: 'time',
        label: t('range.presets'),
        fallback: 'today',
        from: t('report.start'),
        to: t('report.end'),
      },
      { kind: 'given', key: 'group', label: t('work.group'), shown: groupName ?? '…' },
      { kind: 'given', key: 'cell', label: t('work.figure'), shown: figure },
    ],
    [t, onlyOwn, groupName, figure],
  )
}

const Totals = ({ total, values }: { total: Report['total'] | undefined; values: FilterValues }) => {
  const { t } = useWords()
  const figure = (count: WorkCell['count']) => (
    <Fact label={t(countWords[count])}>
      <Figure cell={{ count, row: undefined }} n={total?.[count] ?? 0} values={values} />
    </Fact>
  )
  return (
    <dl className="totals">
      {figure('waits')}
      {figure('answers')}
      <Fact label={t('work.open_median')}>
        <span className="points">{total?.open ? lengthText(total.open.median) : '–'}</span>
      </Fact>
      {figure('waiting')}
      {figure('missed')}
    </dl>
  )
}

const definitions = [
  ['work.questions', 'work.about_questions'],
  ['work.first', 'work.about_first'],
  ['work.answers', 'work.about_answers'],
  ['work.wait', 'work.about_wait'],
  ['work.settled', 'work.about_settled'],
  ['work.waiting', 'work.about_waiting'],
  ['work.missed', 'work.about_missed'],
  ['work.passed', 'work.about_passed'],
  ['work.on', 'work.about_on'],
] as const satisfies [WordKey, WordKey][]

/** A button that shows them, because a table fills the rest of the page. */
const Definitions = () => {
  const { t } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="help" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('work.about')}
      </Button>
      {isOpen && (
        <DialogBox title={t('work.about')} width={520} side maskClosable onClose={() => setOpen(false)}>
          <dl className="work-about">
            {definitions.map(([name, text]) => (
              <div key={name}>
                <dt>{t(name)}</dt>
                <dd>{t(text)}</dd>
              </div>
            ))}
          </dl>
        </DialogBox>
      )}
    </>
  )
}
