import { useMemo } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { pointsOf } from '../../ui/points-of.ts'
import type { Column } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { LeadingName, LongText, TransactionId } from '../../domain/transfer-cells.tsx'
import { useDetails } from '../transfer/use-details.tsx'
import type { Line, useLines } from './use-statement.ts'
import { kindBeside, lineKind, lineText, walletWords } from './words.ts'
import { AccountLink } from '../../domain/account-link.tsx'

type Props = {
  lines: ReturnType<typeof useLines>
  count: number
  /** Several accounts: each line says whose it is. */
  isOfMany: boolean
}

/** The movements, oldest first. */
export const LineTable = ({ lines, count, isOfMany }: Props) => {
  const { t } = useWords()
  const details = useDetails<Line>()
  const shown = lines.rows?.length ?? 0
  return (
    <>
      <SearchTable
        label={t('statement.movements')}
        rows={lines.rows}
        rowKey="id"
        columns={useLineColumns(isOfMany)}
        actions={details.actions}
        error={lines.error}
        onRetry={() => void lines.refetch()}
        // Its tab has the count.
        isCounted={false}
        whenEmpty={<p>{t('statement.none')}</p>}
        footer={
          lines.hasNextPage && (
            <span className="server-pages">
              <span className="points">
                {t('history.shown', { shown: groupCount(shown), total: groupCount(Math.max(count, shown)) })}
              </span>
              <button
                type="button"
                className="button"
                aria-busy={lines.isFetchingNextPage}
                onClick={() => void lines.fetchNextPage()}
              >
                {t('statement.load_more')}
              </button>
            </span>
          )
        }
      />
      {details.drawer}
    </>
  )
}

const useLineColumns = (isOfMany: boolean): Column<Line>[] => {
  const { t } = useWords()
  return useMemo(
    (): Column<Line>[] => [
      {
        key: 'at',
        title: t('history.created_at'),
        width: 172,
        small: 'below',
        cell: (row) => <span className="points">{row.at}</span>,
      },
      ...(isOfMany
        ? [
            {
              key: 'account',
              title: t('statement.account'),
              width: 150,
              small: 'below' as const,
              cell: (row: Line) => <LeadingName {...row.account} />,
            },
          ]
        : []),
      {
        key: 'what',
        title: t('statement.what'),
        width: 150,
        small: 'head',
        cell: (row) => <LongText text={lineText(t, row) || lineKind(t, row)} />,
      },
      { key: 'kind', title: t('history.type'), width: 110, spare: 1, cell: (row) => kindBeside(t, row) },
      {
        key: 'in',
        title: t('statement.in'),
        width: 100,
        align: 'end',
        small: 'side',
        amount: (row) => (isOut(row) ? undefined : pointsOf(row.amount)),
        cell: (row) => !isOut(row) && <Moved word={t('statement.in')} amount={row.amount} />,
      },
      {
        key: 'out',
        title: t('statement.out'),
        width: 100,
        align: 'end',
        small: 'side',
        amount: (row) => (isOut(row) ? pointsOf(row.amount) : undefined),
        cell: (row) => isOut(row) && <Moved word={t('statement.out')} amount={row.amount.slice(1)} />,
      },
      {
        key: 'balance',
        title: t('history.balance'),
        width: 116,
        align: 'end',
        small: 'side',
        amount: (row) => (row.balance === null ? undefined : pointsOf(row.balance)),
        cell: (row) => (row.balance === null ? '–' : <Amount exact value={row.balance} />),
      },
      { key: 'wallet', title: t('statement.wallet'), width: 110, spare: 4, cell: (row) => t(walletWords[row.wallet]) },
      {
        key: 'by',
        title: t('statement.by'),
        width: 100,
        spare: 3,
        cell: (row) => (
          <AccountLink who={{ username: row.by }}>
            <bdi>{row.by}</bdi>
          </AccountLink>
        ),
      },
      { key: 'remark', title: t('transfer.remark'), width: 120, cell: (row) => <LongText text={row.remark} /> },
      {
        key: 'number',
        title: t('history.transaction_id'),
        width: 92,
        spare: 2,
        cell: (row) => <TransactionId id={row.transaction_id} />,
      },
    ],
    [t, isOfMany],
  )
}

const isOut = ({ amount }: Line) => amount.startsWith('-')

/** Without a sign: a sign always means the member (CONV-15). On a phone, which has no columns, its word says the way. */
const Moved = ({ word, amount }: { word: string; amount: string }) => (
  <>
    <span className="statement-way">{word} </span>
    <Amount exact value={amount} />
  </>
)
