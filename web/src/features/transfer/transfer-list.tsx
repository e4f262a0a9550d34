import { viewOfKind } from '@tallyroom/contract/transfer-kinds'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { Amount } from '../../ui/amount.tsx'
import { SaveFile } from '../../ui/save-file.tsx'
import type { Column } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { Status } from '../../ui/status.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useWords } from '../../i18n/i18n.ts'
import { LongText, Moment, MovedAmount, TransactionId } from './cells.tsx'
import { TransferDrawer } from './drawer.tsx'
import { kindWord, type TransferRow } from './kinds.ts'
import { type HistoryFilter, LoadOlder, useOlderPages } from './load-older.tsx'
import { RemarkDialog } from './remark-dialog.tsx'

type Props = { filter: HistoryFilter; search: ReactNode; mayExport: boolean }

export const TransferList = ({ filter, search, mayExport }: Props) => {
  const { t } = useWords()
  const list = useOlderPages('transaction/list', filter)
  const [edited, setEdited] = useState<TransferRow>()
  const [opened, setOpened] = useState<string>()
  return (
    <>
      <SearchTable
        label={t('history.transactions')}
        rows={list.rows}
        rowKey={(row) => row.id}
        columns={useTransferColumns()}
        actions={[
          {
            key: 'details',
            label: t('history.details'),
            icon: 'list',
            onSelect: (row) => setOpened(row.transaction_id),
          },
          { key: 'remark', label: t('history.edit_remark'), icon: 'edit', onSelect: setEdited },
        ]}
        error={list.error}
        onRetry={() => void list.refetch()}
        search={search}
        tools={
          mayExport && (
            <SaveFile disabled={!list.rows?.length} load={() => call('transaction/export', { ...filter, kind: 1 })} />
          )
        }
        whenEmpty={<p>{t('history.widen')}</p>}
        footer={
          <LoadOlder
            shown={list.rows?.length ?? 0}
            total={list.total}
            more={list.hasNextPage}
            busy={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        }
      />
      {edited && <RemarkDialog row={edited} onClose={() => setEdited(undefined)} />}
      {opened && <TransferDrawer id={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** To or from whom (CONV-15). */
const Side = ({ row }: { row: TransferRow }) => {
  const { t } = useWords()
  const view = viewOfKind(row.type, row.corrects_type)
  const { member_nickname: nickname, member_username: username } = row
  const name = nickname ? `${nickname} (${username})` : username
  return <LongText text={view ? t(view.word, { name }) : name} />
}

/** HIST-03 */
const useTransferColumns = (): Column<TransferRow>[] => {
  const { t } = useWords()
  return useMemo(
    () => [
      {
        key: 'created_at',
        title: t('history.created_at'),
        width: 160,
        small: 'below',
        cell: (row) => <Moment at={row.created_at} />,
        sort: (row) => row.created_at,
      },
      {
        key: 'id',
        title: t('history.id'),
        width: 64,
        cell: (row) => <span className="points">{row.id}</span>,
        sort: (row) => Number(row.id),
      },
      {
        key: 'transaction_id',
        title: t('history.transaction_id'),
        width: 110,
        cell: (row) => <TransactionId id={row.transaction_id} />,
      },
      {
        key: 'type',
        title: t('history.type'),
        width: 165,
        small: 'below',
        cell: (row) => t(kindWord(row.type)),
        sort: (row) => row.type,
      },
      {
        key: 'member',
        title: t('history.member'),
        width: 150,
        small: 'head',
        cell: (row) => <Side row={row} />,
        sort: (row) => row.member_username.toLowerCase(),
      },
      {
        key: 'amount',
        title: t('transfer.amount'),
        width: 130,
        align: 'end',
        small: 'side',
        cell: (row) => (
          <MovedAmount amount={row.amount} status={row.status} view={viewOfKind(row.type, row.corrects_type)} />
        ),
        sort: (row) => pointsOf(row.amount),
      },
      {
        key: 'status',
        title: t('account.status'),
        width: 140,
        small: 'side',
        cell: (row) => <Status value={row.status} corrected={row.corrected} />,
        sort: (row) => row.status,
      },
      {
        key: 'operator',
        title: t('history.operator'),
        width: 105,
        cell: (row) => <bdi>{row.user_username}</bdi>,
        sort: (row) => row.user_username.toLowerCase(),
      },
      {
        key: 'remark',
        title: t('transfer.remark'),
        width: 150,
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
        width: 130,
        align: 'end',
        cell: (row) => (row.balance === null ? '–' : <Amount value={row.balance} />),
        sort: (row) => pointsOf(row.balance ?? '0'),
      },
    ],
    [t],
  )
}
