import { AccountStatus as Status, Role } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { useMemo } from 'react'
import { useMay } from '../../api/use-menu.ts'
import { showMoment } from '../../i18n/time.ts'
import { Amount, available } from '../../ui/amount.tsx'
import { Person } from '../../ui/person.tsx'
import type { Column } from '../../ui/search-table/column.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import { AccountStatus } from '../../domain/status.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useWords } from '../../i18n/i18n.ts'

type Row = Answer<'user/list'>['data'][number]

const minuteOf = (moment: string) => showMoment(moment).slice(0, 16)
/** Sorts unlimited balances above any amount. */
const UNLIMITED = 10n ** 30n

type ListPath = '/agent' | '/customer_service' | '/user'

/** ACC-11 */
export const useHidesBalances = (path: ListPath) => !useMay('user.points') && path === '/user'

/** A status is shown only when it says something: nearly all accounts are active. */
const AccountCell = ({ row }: { row: Row }) => (
  <span className="account-cell">
    <AccountLink who={row}>
      <Person who={row} />
    </AccountLink>
    {row.status === Status.frozen && <AccountStatus value={row.status} />}
  </span>
)

/** `agents`: whose members are in the list. A column names them when they are of several. */
export const useColumns = (path: ListPath, agents: Answer<'user/list'>['agents']): Column<Row>[] => {
  const { t } = useWords()
  const hidden = useHidesBalances(path)
  return useMemo(() => {
    const agentOf = ({ agent_id }: Row) => agents?.find(({ id }) => id === agent_id)?.name ?? ''
    const columns: (Column<Row> | false)[] = [
      {
        key: 'username',
        title: t('account.account'),
        width: 210,
        small: 'head',
        cell: (row) => <AccountCell row={row} />,
        sort: (row) => row.username.toLowerCase(),
      },
      agents !== undefined &&
        agents.length > 1 && {
          key: 'agent',
          title: t('role.agent'),
          width: 130,
          small: 'below',
          cell: (row) => (
            <AccountLink who={{ id: row.agent_id, username: '', role_id: Role.agent }}>
              <bdi>{agentOf(row)}</bdi>
            </AccountLink>
          ),
          sort: (row) => agentOf(row).toLowerCase(),
        },
      !hidden && {
        key: 'balance',
        title: t('shell.balance'),
        // "Group wallet" in Malay and Russian.
        width: path === '/customer_service' ? 165 : 105,
        align: 'end',
        small: 'side',
        cell: (row) =>
          row.shares_wallet ? (
            <span className="quiet">{t('points.group_wallet')}</span>
          ) : (
            <span className="amount-strong">
              <Amount value={available(row)} unlimited={row.unlimited} />
            </span>
          ),
        sort: (row) => (row.unlimited ? UNLIMITED : available(row)),
        amount: (row) => (row.unlimited ? undefined : available(row)),
        sum: (row) => (row.unlimited ? undefined : available(row)),
      },
      path === '/user' &&
        !hidden && {
          key: 'game_wallet',
          title: t('wallet.game'),
          width: 105,
          align: 'end',
          cell: (row) => (row.is_multiple_wallet ? <Amount value={row.game_wallet} /> : '–'),
          sort: (row) => pointsOf(row.game_wallet),
          amount: (row) => pointsOf(row.game_wallet),
          sum: (row) => (row.is_multiple_wallet ? pointsOf(row.game_wallet) : undefined),
        },
      path === '/agent' && {
        key: 'limit_of_credit',
        title: t('account.limit_of_credit'),
        width: 115,
        align: 'end',
        cell: (row) => <Amount value={row.limit_of_credit} unlimited={row.unlimited} />,
        sort: (row) => (row.unlimited ? UNLIMITED : pointsOf(row.limit_of_credit)),
        amount: (row) => (row.unlimited ? undefined : pointsOf(row.limit_of_credit)),
        sum: (row) => (row.unlimited ? undefined : pointsOf(row.limit_of_credit)),
      },
      path !== '/customer_service' &&
        !hidden && {
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
        small: 'side',
        cell: (row) => <span className="points moment">{row.last_seen_at ? minuteOf(row.last_seen_at) : '–'}</span>,
        sort: (row) => row.last_seen_at ?? '',
      },
      {
        key: 'created_at',
        title: t('account.created'),
        width: 145,
        spare: 1,
        cell: (row) => <span className="points">{minuteOf(row.created_at)}</span>,
        sort: (row) => row.created_at,
      },
    ]
    return columns.filter((column) => column !== false)
  }, [t, path, hidden, agents])
}
