import { transferKinds, viewOfKind } from '@tallyroom/contract/transfer-kinds'
import { useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { Amount } from '../../ui/amount.tsx'
import { SaveFile } from '../../ui/save-file.tsx'
import type { Column, RowAction } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useWords } from '../../i18n/i18n.ts'
import {
  LongText,
  Moment,
  MovedAmount,
  RowStatus,
  rowStatusWords,
  TransactionId,
} from '../../domain/transfer-cells.tsx'
import { kindWord, type TransferRow } from '../../domain/transfer-words.ts'
import type { HistoryFilter } from './history-pages.ts'
import { LoadOlder, useOlderPages } from './load-older.tsx'
import { RemarkDialog } from './remark-dialog.tsx'
import { Totals } from './totals.tsx'
import { useDetails } from './use-details.tsx'
import { AccountLink } from '../../domain/account-link.tsx'

type Props = { filter: HistoryFilter; mayExport: boolean }

export const TransferList = ({ filter, mayExport }: Props) => {
  const { t } = useWords()
  const list = useOlderPages('transaction/list', filter)
  const [edited, setEdited] = useState<TransferRow>()
  const details = useDetails<TransferRow>({ letter: 'D' })
  const actions = useMemo(
    (): RowAction<TransferRow>[] => [
      ...details.actions,
      {
        key: 'remark',
        label: t('history.edit_remark'),
        icon: 'edit',
        letter: 'R',
        onSelect: setEdited,
        hidden: ({ past }) => past === 1,
      },
    ],
    [t, details.actions],
  )
  return (
    <>
      <SearchTable
        label={t('history.transactions')}
        rows={list.rows}
        fresh={list.fresh}
        rowKey="id"
        columns={useTransferColumns(filter.member_id !== undefined)}
        dense
        actions={actions}
        error={list.error}
        onRetry={() => void list.refetch()}
        tools={
          mayExport && (
            <SaveFile disabled={!list.rows?.length} load={() => call('transaction/export', { ...filter, kind: 1 })} />
          )
        }
        whenEmpty={<p>{t('history.widen')}</p>}
        footer={
          <>
            <Totals filter={filter} isLoaded={list.isSuccess} shown={list.rows?.length ?? 0} />
            <LoadOlder list={list} />
          </>
        }
      />
      {edited && <RemarkDialog row={edited} onClose={() => setEdited(undefined)} />}
      {details.drawer}
    </>
  )
}

/** Whose points, and in or out for them (CONV-15). */
const Side = ({ row }: { row: TransferRow }) => {
  const { t } = useWords()
  const view = viewOfKind(row.type, row.corrects_type)
  const { member_nickname: nickname, member_username: username } = row
  const name = nickname ? `${nickname} (${username})` : username
  return <LongText text={view ? `${t(view.short)} · ${name}` : name} />
}

/** Of one account, whose page is narrower, neither its name nor the long id. */
const unneeded = ['member', 'transaction_id']
/** There its kind names a transfer, and the rest has to do without room first. */
const other: Record<string, Partial<Column<TransferRow>>> = {
  type: { small: 'head' },
  remark: { spare: 2 },
  operator: { spare: 3 },
}
const ofOne = (columns: readonly Column<TransferRow>[]): Column<TransferRow>[] =>
  columns.filter(({ key }) => !unneeded.includes(key)).map((column) => ({ ...column, ...other[column.key] }))

const useTransferColumns = (isOfOne: boolean): Column<TransferRow>[] => {
  const columns = useAllColumns()
  return useMemo(() => (isOfOne ? ofOne(columns) : columns), [columns, isOfOne])
}

/** HIST-03 */
const useAllColumns = (): Column<TransferRow>[] => {
  const { t } = useWords()
  return useMemo(
    () => [
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
        key: 'id',
        title: t('history.id'),
        width: 52,
        cell: (row) => <span className="points">{row.id}</span>,
        sort: (row) => Number(row.id),
      },
      {
        key: 'transaction_id',
        title: t('history.transaction_id'),
        width: 78,
        cell: (row) => <TransactionId id={row.transaction_id} />,
      },
      {
        key: 'type',
        title: t('history.type'),
        width: 92,
        texts: Object.values(transferKinds).map(({ word }) => t(word)),
        twoLines: true,
        small: 'below',
        cell: (row) => t(kindWord(row.type)),
        sort: (row) => row.type,
      },
      {
        key: 'member',
        title: t('history.member'),
        width: 160,
        twoLines: true,
        small: 'head',
        cell: (row) => (
          <AccountLink who={{ id: row.member_id, username: row.member_username }}>
            <Side row={row} />
          </AccountLink>
        ),
        sort: (row) => row.member_username.toLowerCase(),
      },
      {
        key: 'amount',
        title: t('transfer.amount'),
        width: 92,
        align: 'end',
        small: 'side',
        cell: (row) => (
          <MovedAmount amount={row.amount} status={row.status} view={viewOfKind(row.type, row.corrects_type)} />
        ),
        amount: (row) => pointsOf(row.amount),
        sort: (row) => pointsOf(row.amount),
      },
      {
        key: 'status',
        title: t('account.status'),
        width: 110,
        chips: rowStatusWords.map((word) => t(word)),
        small: 'side',
        cell: (row) => <RowStatus row={row} />,
        sort: (row) => row.status,
      },
      {
        key: 'operator',
        title: t('history.operator'),
        width: 78,
        cell: (row) => (
          <AccountLink who={{ id: row.user_id, username: row.user_username }}>
            <bdi>{row.user_username}</bdi>
          </AccountLink>
        ),
        sort: (row) => row.user_username.toLowerCase(),
      },
      {
        key: 'remark',
        title: t('transfer.remark'),
        width: 100,
        twoLines: true,
        cell: (row) => (
          <>
            <LongText text={row.remark} />
            {row.remark_edited && <span className="chip chip-off">{t('history.edited')}</span>}
          </>
        ),
      },
      {
        key: 'balance',
        title: t('history.balance'),
        width: 90,
        spare: 1,
        align: 'end',
        cell: (row) => (row.balance === null ? '–' : <Amount value={row.balance} />),
        amount: (row) => pointsOf(row.balance ?? '0'),
        sort: (row) => pointsOf(row.balance ?? '0'),
      },
    ],
    [t],
  )
}
