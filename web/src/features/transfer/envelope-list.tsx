import type { Answer } from '@tallyroom/contract'
import { madeAsWords } from '@tallyroom/contract/words/code-words'
import { views } from '@tallyroom/contract/transfer-kinds'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { SaveFile } from '../../ui/save-file.tsx'
import type { Column } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useWords } from '../../i18n/i18n.ts'
import { envelopeRowStatusWords, LongText, Moment, MovedAmount, RowStatus } from '../../domain/transfer-cells.tsx'
import type { HistoryFilter } from './history-pages.ts'
import { LoadOlder, useOlderPages } from './load-older.tsx'
import { useDetails } from './use-details.tsx'
import { AccountLink } from '../../domain/account-link.tsx'

type Row = Answer<'redEnvelope/record'>['data'][number]
type Props = { filter: HistoryFilter; mayExport: boolean }

export const EnvelopeList = ({ filter, mayExport }: Props) => {
  const { t } = useWords()
  const list = useOlderPages('redEnvelope/record', filter)
  const details = useDetails<Row>({ inRecord: true })
  return (
    <>
      <SearchTable
        label={t('history.envelopes')}
        rows={list.rows}
        fresh={list.fresh}
        rowKey="transaction_id"
        columns={useColumns()}
        dense
        actions={details.actions}
        error={list.error}
        onRetry={() => void list.refetch()}
        tools={
          mayExport && (
            <SaveFile disabled={!list.rows?.length} load={() => call('transaction/export', { ...filter, kind: 2 })} />
          )
        }
        whenEmpty={<p>{t('history.widen')}</p>}
        footer={<LoadOlder list={list} />}
      />
      {details.drawer}
    </>
  )
}

/** The list is the group's: what it sent came in for the member. */
const viewOf = ({ type }: Pick<Row, 'type'>) => (type === 1 ? views.to : views.from)

/** HIST-03 */
const useColumns = (): Column<Row>[] => {
  const { t } = useWords()
  return useMemo(
    (): Column<Row>[] => [
      {
        key: 'created_at',
        title: t('history.created_at'),
        width: 96,
        texts: ['2026-12-28'],
        twoLines: true,
        small: 'below',
        cell: (row) => <Moment at={row.created_at} />,
        sort: (row) => row.created_at,
      },
      {
        key: 'type',
        title: t('history.type'),
        width: 92,
        texts: [t(views.to.short), t(views.from.short)],
        twoLines: true,
        small: 'below',
        cell: (row) => t(viewOf(row).short),
        sort: (row) => row.type,
      },
      {
        key: 'made_as',
        title: t('history.made_as'),
        width: 110,
        texts: Object.values(madeAsWords).map((word) => t(word)),
        twoLines: true,
        cell: (row) => t(madeAsWords[row.made_as]),
        sort: (row) => row.made_as,
      },
      {
        key: 'self',
        title: t('history.self'),
        width: 100,
        spare: 1,
        cell: (row) => (
          <AccountLink who={{ username: row.self_username }}>
            <bdi>{row.self_username}</bdi>
          </AccountLink>
        ),
        sort: (row) => row.self_username,
      },
      {
        key: 'other',
        title: t('history.other'),
        width: 130,
        twoLines: true,
        small: 'head',
        cell: (row) => (
          <AccountLink who={{ username: row.other_username }}>
            <LongText text={row.other_username} />
          </AccountLink>
        ),
        sort: (row) => row.other_username,
      },
      {
        key: 'amount',
        title: t('transfer.amount'),
        width: 92,
        align: 'end',
        small: 'side',
        cell: (row) => <MovedAmount amount={row.amount} status={row.status} view={viewOf(row)} />,
        amount: (row) => pointsOf(row.amount),
        sort: (row) => pointsOf(row.amount),
      },
      {
        key: 'status',
        title: t('account.status'),
        width: 110,
        chips: envelopeRowStatusWords.map((word) => t(word)),
        small: 'side',
        cell: (row) => <RowStatus row={row} envelope />,
        sort: (row) => row.status,
      },
      {
        key: 'remark',
        title: t('transfer.remark'),
        width: 120,
        twoLines: true,
        cell: (row) => <LongText text={row.remark} />,
      },
    ],
    [t],
  )
}
