import { AccountStatus } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { useLocation } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { ListViews } from '../../ui/filter-bar/list-views.tsx'
import { useFilters } from '../../ui/filter-bar/use-filters.ts'
import { lazyPart, usePreload } from '../../ui/page/lazy-part.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import type { Totals } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { useRowDialogs } from '../../ui/search-table/use-row-dialogs.ts'
import { copyShareLink } from '../../domain/share-link.ts'
import { accountLists } from '../../api/first-calls.ts'
import { useCall } from '../../api/use-call.ts'
import { actionsOf, useMenu } from '../../api/use-menu.ts'
import { useLargeList } from '../../api/use-large-list.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useColumns, useHidesBalances } from './columns.tsx'
import { ExportButton } from './export-button.tsx'
import { accountMatcher, namesOf, useAccountFields } from './filters.ts'
import { RIGHTS, type RowDialog, useRowActions, walletPages } from './list-actions.ts'
import { accountKeys } from './search.ts'

type Row = Answer<'user/list'>['data'][number]
const AccountPoints = lazyPart(async () => (await import('../points/account-points.tsx')).AccountPoints)
const AddDialog = lazyPart(async () => (await import('./add-dialog.tsx')).AddDialog)
const EditDialog = lazyPart(async () => (await import('./edit-dialog.tsx')).EditDialog)
const FreezeDialog = lazyPart(async () => (await import('./freeze-dialog.tsx')).FreezeDialog)
const loadDialogs = () => {
  for (const dialog of [AccountPoints, AddDialog, EditDialog, FreezeDialog]) dialog.preload()
}

type ListPath = keyof typeof accountLists
const isList = (path: string): path is ListPath => path in accountLists

export const AccountListPage = () => {
  const path = useLocation().pathname.replace(/\/$/, '')
  return isList(path) ? <AccountList key={path} path={path} /> : null
}

const AccountList = ({ path }: { path: ListPath }) => {
  const { t } = useWords()
  const filters = useFilters(accountKeys)
  const { values, typed } = filters
  usePreload(loadDialogs)
  const query = namesOf(values)
  const menu = useMenu()
  const may = actionsOf(menu.pages?.find(({ url }) => url === path))
  // Only the server can search masked usernames (ACC-05).
  const masked = may.includes('encryption_username')
  const fields = useAccountFields(useHidesBalances(path), masked)
  const pages = useMemo(() => pagesFor(path, menu.pages), [path, menu.pages])
  const matches = useMemo(() => accountMatcher(typed, masked ? values : undefined), [typed, values, masked])
  const list = useLargeList({ ...accountLists[path], ...query }, { needsAll: matches !== undefined })
  const dialogs = useRowDialogs<'add' | 'add_agent' | 'add_member' | RowDialog, Row>(list.data?.data)
  const { kind, open, close } = dialogs
  const agents = useSame(list.data?.agents)
  const columns = useColumns(path, agents)
  const actions = useRowActions(may, pages, { agents, open })
  // Counts the whole list: the count of a search would be another number on the same tab.
  const all = query.username || query.nickname ? undefined : list.data
  const whole = list.isPart ? undefined : all?.data
  // RIGHT-01: a dialog whose right was taken meanwhile closes.
  const row = kind && may.includes(kind) ? dialogs.row : undefined
  return (
    <>
      <SearchTable
        label={t(titles[path])}
        rows={list.data?.data}
        total={list.isPart ? list.data?.total : undefined}
        rowKey="id"
        columns={columns}
        actions={actions}
        opens={path === '/user'}
        matches={matches}
        totals={useListTotals(list.data, path)}
        error={list.error}
        onRetry={list.refetch}
        search={
          <>
            <ListViews
              list={listOf[path]}
              filters={filters}
              known={[
                { label: t('view.all'), filters: {}, count: whole?.length ?? all?.total },
                { label: t('status.frozen'), filters: FROZEN, count: useFrozenCount(whole) },
              ]}
            />
            <FilterBar fields={fields} filters={filters} onAgain={list.refetch} busy={list.isFetching} />
          </>
        }
        tools={
          <>
            {menu.may('user/export') && (
              <ExportButton filter={{ ...accountLists[path], ...query }} disabled={!list.data?.data.length} />
            )}
            {
              // ACC-03
              path === '/customer_service' && may.includes('add') && (
                <Button main icon="plus" onClick={() => open('add')}>
                  {t('account.add_customer_service')}
                </Button>
              )
            }
            {path === '/user' && menu.may('user/addMember') && (
              <Button icon="plus" onClick={() => open('add_member')}>
                {t('account.add_member')}
              </Button>
            )}
          </>
        }
        whenEmpty={
          <EmptyHint
            path={path}
            filtered={matches !== undefined || Object.keys(values).length > 0}
            masked={masked}
            onAddAgent={() => open('add_agent')}
          />
        }
      />
      <Suspense>
        {kind === 'add' && <AddDialog kind="customer_service" onClose={close} />}
        {kind === 'add_agent' && <AddDialog kind="agent" onClose={close} />}
        {kind === 'add_member' && <AddDialog kind="member" onClose={close} />}
        {row && kind === 'transaction' && <AccountPoints id={row.id} onClose={close} />}
        {row && kind === 'deposit' && <AccountPoints id={row.id} isDeposit onClose={close} />}
        {row && kind === 'edit' && <EditDialog row={row} mayFreeze={may.includes('delete')} onClose={close} />}
        {row && kind === 'delete' && <FreezeDialog row={row} onClose={close} />}
      </Suspense>
    </>
  )
}

/** The same reference while the content is the same: with another one all rows render again. */
const useSame = (agents: Answer<'user/list'>['agents']) => {
  const text = JSON.stringify(agents)
  return useMemo(() => (text === undefined ? undefined : (JSON.parse(text) as typeof agents)), [text])
}

const titles = { '/agent': 'menu.agent', '/customer_service': 'menu.customer_service', '/user': 'menu.user' } as const

const listOf = { '/agent': 'agent', '/customer_service': 'customer_service', '/user': 'user' } as const
const FROZEN = { status: String(AccountStatus.frozen) }

const useFrozenCount = (rows: readonly Row[] | undefined) =>
  useMemo(() => rows?.reduce((n, { status }) => (status === AccountStatus.frozen ? n + 1 : n), 0), [rows])

/** The pages about an account that its row leads to. Customer service has no wallet; members have no back office. */
const pagesFor = (path: ListPath, menu: Answer<'userMenu/list'> | undefined) => [
  ...(path === '/customer_service' ? [] : walletPages.filter((page) => menu?.some(({ url }) => url === page))),
  ...(path === '/user' ? (menu?.some(({ url }) => url === '/chat') ? ['/chat'] : []) : [RIGHTS]),
]

/** The server's sums, by column. None where the list has no amounts (ACC-11), or nothing to add up. */
const useListTotals = (list: Answer<'user/list'> | undefined, path: ListPath): Totals | undefined =>
  useMemo(() => {
    if (!list?.totals) return undefined
    const { available, game_wallet, limit_of_credit } = list.totals
    // Most colleagues have no wallet: a sum of 0.00 would be of nothing.
    if (path === '/customer_service' && pointsOf(available) === 0n) return undefined
    return {
      count: list.total,
      sums: {
        balance: pointsOf(available),
        game_wallet: pointsOf(game_wallet),
        limit_of_credit: pointsOf(limit_of_credit),
      },
    }
  }, [list, path])

type EmptyProps = { path: ListPath; filtered: boolean; masked: boolean; onAddAgent: () => void }

/** Next step when the list is empty. */
const EmptyHint = ({ path, filtered, masked, onAddAgent }: EmptyProps) => {
  const { t } = useWords()
  const { data: own } = useCall('user/view', {}, { meta: { optional: true } })
  const { has } = useMenu()
  if (filtered && masked) return <p>{t('account.masked_hint')}</p>
  if (filtered) return <p>{t('account.none_found')}</p>
  if (path === '/customer_service') return <p>{t('account.no_customer_service')}</p>
  return path === '/agent' ? (
    <>
      <p>{t('account.no_agents')}</p>
      {has('/tree') && (
        <Button icon="plus" onClick={onAddAgent}>
          {t('account.add_agent')}
        </Button>
      )}
    </>
  ) : (
    <>
      <p>{t('account.no_users')}</p>
      {own && (
        <Button icon="copy" onClick={() => void copyShareLink(own)}>
          {t('share.copy')}
        </Button>
      )}
    </>
  )
}
