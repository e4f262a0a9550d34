import type { Answer } from '@tallyroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { Button, Input } from 'antd'
import { type FormEvent, useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { showMoment } from '../../i18n/time.ts'
import { Amount } from '../../ui/amount.tsx'
import { Presets } from '../../ui/form/presets.tsx'
import { DateField } from '../../ui/form/date-fields.tsx'
import { Field } from '../../ui/form/field.tsx'
import { clearable } from '../../ui/form/clearable.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SaveFile } from '../../ui/save-file.tsx'
import type { Column } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Days } from './days.tsx'

type Report = Answer<'report/sr02'>
type Row = Report['data'][number]

const net = (row: { total_in: string; total_out: string }) => pointsOf(row.total_in) - pointsOf(row.total_out)
const today = () => showMoment(Date.now()).slice(0, 10)

/** SR02-01: initially today, in the platform's time zone. */
export const Sr02Page = () => {
  const { t } = useWords()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(() => ({ username: '', start: today(), end: today() }))
  const [query, setQuery] = useState(typed)
  const [filter, setFilter] = useState('')
  const report = useCall(
    'report/sr02',
    { username: query.username.trim(), start_date: query.start, end_date: query.end },
    { keepPrevious: true },
  )
  const put = (change: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...change }))
  const wrong = typed.start > typed.end
  const search = (event: FormEvent) => {
    event.preventDefault()
    if (wrong) return
    if (JSON.stringify(typed) === JSON.stringify(query)) void report.refetch()
    else setQuery(typed)
  }
  const wanted = filter.trim().toLowerCase()
  const matches = useMemo(
    () => (wanted ? ({ username }: Row) => username.toLowerCase().includes(wanted) : undefined),
    [wanted],
  )
  return (
    <div className="report">
      <form className="search-form search-labelled" role="search" onSubmit={search}>
        <Field label={t('report.operator')}>
          {(control) => (
            <Input
              {...control}
              allowClear={clearable}
              maxLength={64}
              value={typed.username}
              onChange={(event) => put({ username: event.target.value })}
            />
          )}
        </Field>
        <Presets
          chosen={typed}
          onChoose={(days) => {
            put(days)
            setQuery({ ...typed, ...days })
          }}
        />
        <DateField label={t('report.start')} value={typed.start} onChange={(start) => put({ start })} />
        <DateField
          label={t('report.end')}
          value={typed.end}
          onChange={(end) => put({ end })}
          error={wrong ? t('history.order') : undefined}
        />
        <Button type="primary" htmlType="submit" icon={<Icon name="search" size={16} />} loading={report.isFetching}>
          {t('action.search')}
        </Button>
      </form>
      <Totals total={report.data?.total} />
      <Days days={report.data?.days ?? []} />
      <SearchTable
        label={t('menu.sr02')}
        rows={report.data?.data}
        rowKey={(row) => row.id}
        columns={useColumns()}
        matches={matches}
        actions={[
          {
            key: 'transfers',
            label: t('report.open_transfers'),
            icon: 'list',
            onSelect: ({ id }) =>
              void navigate({
                to: '/transaction/list/{-$username}',
                params: {},
                search: { operator: id, start: query.start, end: query.end } as never,
              }),
          },
        ]}
        tools={
          <SaveFile
            disabled={!report.data?.data.length}
            load={() =>
              call('report/sr02Export', {
                username: query.username.trim(),
                start_date: query.start,
                end_date: query.end,
              })
            }
          />
        }
        error={report.error}
        onRetry={() => void report.refetch()}
        search={
          <Input
            className="table-filter"
            aria-label={t('report.filter')}
            placeholder={t('report.filter')}
            allowClear={clearable}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        }
        whenEmpty={<p>{t('history.widen')}</p>}
      />
    </div>
  )
}

/** SR02-02: in, out and their difference; 0 when there is nothing. */
const Totals = ({ total }: { total: Report['total'] | undefined }) => {
  const { t } = useWords()
  const sums = total ?? { total_in: '0', total_out: '0' }
  return (
    <dl className="totals">
      <div>
        <dt>{t('report.total_in')}</dt>
        <dd>
          <Amount value={sums.total_in} way="in" />
        </dd>
      </div>
      <div>
        <dt>{t('report.total_out')}</dt>
        <dd>
          <Amount value={sums.total_out} way="out" />
        </dd>
      </div>
      <div>
        <dt>{t('report.total_amount')}</dt>
        <dd>
          <Amount value={net(sums)} />
        </dd>
      </div>
    </dl>
  )
}

const useColumns = (): Column<Row>[] => {
  const { t } = useWords()
  return useMemo(
    () => [
      {
        key: 'username',
        title: t('account.username'),
        width: 200,
        small: 'head',
        cell: (row) => <bdi>{row.username}</bdi>,
        sort: (row) => row.username.toLowerCase(),
      },
      {
        key: 'total_in',
        title: t('report.total_in'),
        width: 160,
        align: 'end',
        small: 'side',
        cell: (row) => <Amount value={row.total_in} way="in" />,
        sort: (row) => pointsOf(row.total_in),
      },
      {
        key: 'total_out',
        title: t('report.total_out'),
        width: 160,
        align: 'end',
        small: 'side',
        cell: (row) => <Amount value={row.total_out} way="out" />,
        sort: (row) => pointsOf(row.total_out),
      },
      {
        key: 'total_amount',
        title: t('report.total_amount'),
        width: 160,
        align: 'end',
        small: 'below',
        cell: (row) => <Amount value={net(row)} />,
        sort: net,
      },
    ],
    [t],
  )
}
