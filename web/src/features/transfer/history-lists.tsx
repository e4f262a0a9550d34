import type { Answer } from '@tallyroom/contract'
import type { WordKey } from '@tallyroom/locales'
import { type ReactNode, useMemo, useState } from 'react'
import { showMoment } from '../../time.ts'
import { Amount, pointsOf } from '../../ui/amount.tsx'
import type { Column } from '../../ui/search-table/column.ts'
import { ServerPages } from '../../ui/search-table/server-pages.tsx'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { Status } from '../../ui/status.tsx'
import { useCall } from '../../use-call.ts'
import { useWords } from '../../words.ts'
import { RemarkDialog } from './remark-dialog.tsx'

export type TransferRow = Answer<'transaction/list'>['data'][number]
type EnvelopeRow = Answer<'redEnvelope/record'>['data'][number]

/** What was searched for; `asked` makes the same search a new one. */
export type Asked = { username: string; start_time: string; end_time: string; asked: number }
type Props = { asked: Asked; search: ReactNode }

/** HIST-04 */
const PER_PAGE = 1000

const kinds: Record<number, { word: WordKey; way: 'in' | 'out' }> = {
  1: { word: 'transfer.kind_in', way: 'in' },
  2: { word: 'transfer.kind_out', way: 'out' },
  3: { word: 'transfer.kind_gift', way: 'in' },
  4: { word: 'transfer.kind_make_up', way: 'in' },
  5: { word: 'transfer.kind_game_in', way: 'in' },
  6: { word: 'transfer.kind_game_out', way: 'out' },
}

const Moment = ({ at }: { at: string }) => <span className="points">{showMoment(at)}</span>
const Long = ({ text }: { text: string }) => (
  <span className="long" title={text}>
    {text}
  </span>
)

/** A transfer's amount says its way by sign and colour only when it has moved. */
const Moved = ({ amount, status, way }: { amount: string; status: number; way: 'in' | 'out' | undefined }) => (
  <Amount value={amount} {...(status === 1 && way ? { way } : {})} />
)

export const TransferList = ({ asked: { asked: _, ...range }, search }: Props) => {
  const { t } = useWords()
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<TransferRow>()
  const list = useCall('transaction/list', { ...range, page, per_page: PER_PAGE }, { keepOld: true })
  const columns = useTransferColumns()
  return (
    <>
      <SearchTable
        label={t('history.transactions')}
        rows={list.data?.data}
        rowKey={(row) => row.id}
        columns={columns}
        actions={[{ key: 'remark', label: t('history.edit_remark'), icon: 'edit', onSelect: setEdited }]}
        error={list.error}
        onRetry={() => void list.refetch()}
        search={search}
        whenEmpty={<p>{t('history.widen')}</p>}
        footer={
          <ServerPages
            page={page}
            perPage={PER_PAGE}
            total={list.data?.total ?? 0}
            busy={list.isFetching}
            onPage={setPage}
          />
        }
      />
      {edited && <RemarkDialog row={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
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
        cell: (row) => <Long text={row.transaction_id} />,
      },
      {
        key: 'type',
        title: t('history.type'),
        width: 165,
        small: 'below',
        cell: (row) => t(kinds[row.type]?.word ?? 'transfer.kind_other'),
        sort: (row) => row.type,
      },
      {
        key: 'member',
        title: t('history.member'),
        width: 150,
        small: 'head',
        cell: (row) => <Who nickname={row.member_nickname} username={row.member_username} />,
        sort: (row) => row.member_username.toLowerCase(),
      },
      {
        key: 'amount',
        title: t('transfer.amount'),
        width: 130,
        align: 'end',
        small: 'side',
        cell: (row) => <Moved amount={row.amount} status={row.status} way={kinds[row.type]?.way} />,
        sort: (row) => pointsOf(row.amount),
      },
      {
        key: 'status',
        title: t('account.status'),
        width: 140,
        small: 'side',
        cell: (row) => <Status value={row.status} />,
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
            <Long text={row.remark} />
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

const Who = ({ nickname, username }: { nickname: string; username: string }) => (
  <span className="long" title={`${nickname} (${username})`}>
    <bdi>{nickname || username}</bdi> {nickname && <bdi className="person-username">({username})</bdi>}
  </span>
)

export const EnvelopeList = ({ asked: { asked: _, ...range }, search }: Props) => {
  const { t } = useWords()
  const [page, setPage] = useState(1)
  const list = useCall('redEnvelope/record', { ...range, page, per_page: PER_PAGE }, { keepOld: true })
  const columns = useMemo(
    (): Column<EnvelopeRow>[] => [
      {
        key: 'created_at',
        title: t('history.created_at'),
        width: 170,
        small: 'below',
        cell: (row) => <Moment at={row.created_at} />,
        sort: (row) => row.created_at,
      },
      {
        key: 'type',
        title: t('history.type'),
        width: 130,
        small: 'below',
        cell: (row) => t(row.type === 1 ? 'history.sent' : 'history.received'),
        sort: (row) => row.type,
      },
      {
        key: 'self',
        title: t('history.self'),
        width: 150,
        cell: (row) => <bdi>{row.self_username}</bdi>,
        sort: (row) => row.self_username,
      },
      {
        key: 'other',
        title: t('history.other'),
        width: 150,
        small: 'head',
        cell: (row) => <bdi>{row.other_username}</bdi>,
        sort: (row) => row.other_username,
      },
      {
        key: 'amount',
        title: t('transfer.amount'),
        width: 140,
        align: 'end',
        small: 'side',
        cell: (row) => <Moved amount={row.amount} status={row.status} way={row.type === 1 ? 'in' : 'out'} />,
        sort: (row) => pointsOf(row.amount),
      },
      {
        key: 'status',
        title: t('account.status'),
        width: 130,
        small: 'side',
        cell: (row) => <Status value={row.status} />,
        sort: (row) => row.status,
      },
      { key: 'remark', title: t('transfer.remark'), width: 200, cell: (row) => <Long text={row.remark} /> },
    ],
    [t],
  )
  return (
    <SearchTable
      label={t('history.envelopes')}
      rows={list.data?.data}
      rowKey={(row) => row.transaction_id}
      columns={columns}
      error={list.error}
      onRetry={() => void list.refetch()}
      search={search}
      whenEmpty={<p>{t('history.widen')}</p>}
      footer={
        <ServerPages
          page={page}
          perPage={PER_PAGE}
          total={list.data?.total ?? 0}
          busy={list.isFetching}
          onPage={setPage}
        />
      }
    />
  )
}
