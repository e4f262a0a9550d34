import type { Answer } from '@tallyroom/contract'
import { useMemo } from 'react'
import { getStored } from '../../lib/storage.ts'
import { showMoment } from '../../i18n/time.ts'
import { Amount, available } from '../../ui/amount.tsx'
import { Person } from '../../ui/person.tsx'
import type { Column } from '../../ui/search-table/column.ts'
import { AccountStatus } from '../../ui/status.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useWords } from '../../i18n/i18n.ts'

type Row = Answer<'user/list'>['data'][number]

const minuteOf = (moment: string) => showMoment(moment).slice(0, 16)
/** Sorts unlimited balances above any amount. */
const UNLIMITED = 10n ** 30n

export const useColumns = (path: '/agent' | '/customer_service' | '/user'): Column<Row>[] => {
  const { t } = useWords()
  return useMemo(() => {
    // ACC-11
    const hidesBalances = path === '/user' && getStored('role_id') === '2'
    const columns: (Column<Row> | false)[] = [
      {
        key: 'username',
        title: t('account.account'),
        width: 210,
        small: 'head',
        cell: (row) => <Person who={row} />,
        sort: (row) => row.username.toLowerCase(),
      },
      !hidesBalances && {
        key: 'balance',
        title: t('shell.balance'),
        width: 105,
        align: 'end',
        small: 'side',
        cell: (row) => <Amount value={available(row)} unlimited={row.unlimited} />,
        sort: (row) => (row.unlimited ? UNLIMITED : available(row)),
      },
      path === '/user' &&
        !hidesBalances && {
          key: 'game_wallet',
          title: t('wallet.game'),
          width: 105,
          align: 'end',
          cell: (row) => (row.is_multiple_wallet ? <Amount value={row.game_wallet} /> : '–'),
          sort: (row) => pointsOf(row.game_wallet),
        },
      path === '/agent' && {
        key: 'limit_of_credit',
        title: t('account.limit_of_credit'),
        width: 115,
        align: 'end',
        cell: (row) => <Amount value={row.limit_of_credit} unlimited={row.unlimited} />,
        sort: (row) => (row.unlimited ? UNLIMITED : pointsOf(row.limit_of_credit)),
      },
      {
        key: 'status',
        title: t('account.status'),
        width: 110,
        small: 'below',
        cell: (row) => <AccountStatus value={row.status} />,
        sort: (row) => -row.status,
      },
      path !== '/customer_service' &&
        !hidesBalances && {
          key: 'withdraw_confirm',
          title: t('account.withdraw_confirm'),
          width: 145,
          cell: (row) => t(row.withdraw_confirm ? 'account.needed' : 'account.not_needed'),
          sort: (row) => row.withdraw_confirm,
        },
      {
        key: 'last_seen_at',
        title: t('account.last_seen'),
        width: 145,
        cell: (row) => <span className="points">{row.last_seen_at ? minuteOf(row.last_seen_at) : '–'}</span>,
        sort: (row) => row.last_seen_at ?? '',
      },
      {
        key: 'created_at',
        title: t('account.created'),
        width: 145,
        cell: (row) => <span className="points">{minuteOf(row.created_at)}</span>,
        sort: (row) => row.created_at,
      },
    ]
    return columns.filter((column) => column !== false)
  }, [t, path])
}
