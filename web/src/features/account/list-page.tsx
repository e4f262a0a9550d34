import { AccountStatus } from '@tallyroom/contract/codes'
import type { Answer, Input } from '@tallyroom/contract'
import { useLocation, useSearch } from '@tanstack/react-router'
import { type FormEvent, Suspense, useMemo, useState } from 'react'
import { getStored } from '../../lib/storage.ts'
import { Button } from '../../ui/button.tsx'
import { ClearInput } from '../../ui/form/clear-input.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import type { RowAction } from '../../ui/search-table/column.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { copyShareLink } from '../../ui/share-link.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useColumns } from './columns.tsx'
import { ExportButton } from './export-button.tsx'
import type { AccountSearch } from './search.ts'

type Row = Answer<'user/list'>['data'][number]
type Open =
  | { kind: 'transaction' | 'deposit' | 'edit' | 'delete'; id: number }
  | { kind: 'add' | 'add_agent' }
  | undefined

const TransferDialog = lazyPart(async () => (await import('../transfer/dialogs.tsx')).TransferDialog)
const DepositDialog = lazyPart(async () => (await import('../transfer/dialogs.tsx')).DepositDialog)
const AddDialog = lazyPart(async () => (await import('./add-dialog.tsx')).AddDialog)
const EditDialog = lazyPart(async () => (await import('./edit-dialog.tsx')).EditDialog)
const FreezeDialog = lazyPart(async () => (await import('./freeze-dialog.tsx')).FreezeDialog)
const loadDialogs = () => {
  for (const dialog of [TransferDialog, AddDialog, EditDialog, FreezeDialog]) dialog.preload()
}

/** ACC-04: menu id and role of each list's request. */
const lists = {
  '/agent': { menu_id: 2, role_id: 2 },
  '/customer_service': { menu_id: 3, role_id: 3 },
  '/user': { menu_id: 13, role_id: 2 },
} as const
type ListPath = keyof typeof lists
const isList = (path: string): path is ListPath => path in lists

export const AccountListPage = () => {
  const path = useLocation().pathname.replace(/\/$/, '')
  const from: AccountSearch = useSearch({ strict: false })
  return isList(path) ? <AccountList key={`${path} ${from.username} ${from.nickname}`} path={path} from={from} /> : null
}

const AccountList = ({ path, from }: { path: ListPath; from: AccountSearch }) => {
  const { t } = useWords()
  const [typed, setTyped] = useState({ username: from.username ?? '', nickname: from.nickname ?? '' })
  const [query, setQuery] = useState(from)
  const [open, setOpen] = useState<Open>()
  usePreload(loadDialogs)
  const input: Input<'user/list'> = { ...lists[path], page: 1, per_page: 50_000, ...query }
  const list = useCall('user/list', input, { staleTime: 30_000, keepPrevious: true, large: true })
  const menu = useCall('userMenu/list', {}, { staleTime: 5 * 60_000 })
  const may = (menu.data?.find(({ url }) => url === path)?.action ?? '').split(',')
  const columns = useColumns(path)
  const actions = useRowActions(may, setOpen)

  // Only the server can search masked usernames (ACC-05).
  const masked = may.includes('encryption_username')
  const matches = useMemo(() => {
    if (!masked) return matcher(typed)
    return matcher({ username: '', nickname: typed.nickname.trim() === query.nickname ? '' : typed.nickname })
  }, [typed, query, masked])
  const search = (event: FormEvent) => {
    event.preventDefault()
    const next = {
      ...(typed.username.trim() ? { username: typed.username.trim() } : {}),
      ...(typed.nickname.trim() ? { nickname: typed.nickname.trim() } : {}),
    }
    // The same search again reloads: the user wants current data.
    if (JSON.stringify(next) === JSON.stringify(query)) void list.refetch()
    else setQuery(next)
  }
  const row = open && 'id' in open ? list.data?.data.find(({ id }) => id === open.id) : undefined
  const close = () => setOpen(undefined)
  return (
    <>
      <SearchTable
        label={t(titles[path])}
        rows={list.data?.data}
        rowKey={idOf}
        columns={columns}
        actions={actions}
        matches={matches}
        error={list.error}
        onRetry={() => void list.refetch()}
        search={
          <form className="search-form" role="search" onSubmit={search}>
            <ClearInput
              label={t('account.username')}
              placeholder={t(masked ? 'account.username_exact' : 'account.username')}
              value={typed.username}
              onChange={(username) => setTyped({ ...typed, username })}
            />
            <ClearInput
              label={t('account.nickname')}
              placeholder={t('account.nickname')}
              value={typed.nickname}
              onChange={(nickname) => setTyped({ ...typed, nickname })}
            />
            <Button submits icon="search" busy={list.isFetching}>
              {t('action.search')}
            </Button>
          </form>
        }
        tools={
          <>
            {getStored('role_id') !== '3' && (
              <ExportButton filter={{ ...lists[path], ...query }} disabled={!list.data?.data.length} />
            )}
            {
              // ACC-03
              path === '/customer_service' && may.includes('add') && (
                <Button main icon="plus" onPress={() => setOpen({ kind: 'add' })}>
                  {t('account.add_customer_service')}
                </Button>
              )
            }
          </>
        }
        whenEmpty={
          <EmptyHint
            path={path}
            filtered={matches !== undefined || hasFilter(query)}
            masked={masked}
            onAddAgent={() => setOpen({ kind: 'add_agent' })}
          />
        }
      />
      <Suspense>
        {open?.kind === 'add' && <AddDialog kind="customer_service" onClose={close} />}
        {open?.kind === 'add_agent' && <AddDialog kind="agent" onClose={close} />}
        {row && open?.kind === 'transaction' && <TransferDialog row={row} onClose={close} />}
        {row && open?.kind === 'deposit' && <DepositDialog row={row} onClose={close} />}
        {row && open?.kind === 'edit' && <EditDialog row={row} mayFreeze={may.includes('delete')} onClose={close} />}
        {row && open?.kind === 'delete' && <FreezeDialog row={row} onClose={close} />}
      </Suspense>
    </>
  )
}

const titles = { '/agent': 'menu.agent', '/customer_service': 'menu.customer_service', '/user': 'menu.user' } as const

const hasFilter = (query: object) => Object.keys(query).length > 0

const idOf = (row: Row) => row.id

/** ACC-05: matches a part of the name, ignoring case. Undefined when nothing is typed. */
const matcher = ({ username, nickname }: { username: string; nickname: string }) => {
  const [user, nick] = [username.trim().toLowerCase(), nickname.trim().toLowerCase()]
  if (!user && !nick) return undefined
  return (row: Row) =>
    (!user || row.username.toLowerCase().includes(user)) && (!nick || row.nickname.toLowerCase().includes(nick))
}

/** ACC-10: the actions that the menu entry allows on rows. */
const useRowActions = (may: readonly string[], open: (open: Open) => void) => {
  const { t } = useWords()
  const allowed = may.join(',')
  return useMemo((): RowAction<Row>[] => {
    const all: RowAction<Row>[] = [
      {
        key: 'transaction',
        label: t('action.transaction'),
        icon: 'transfer',
        onSelect: ({ id }) => open({ kind: 'transaction', id }),
      },
      {
        key: 'deposit',
        label: t('action.deposit'),
        icon: 'plus',
        onSelect: ({ id }) => open({ kind: 'deposit', id }),
      },
      { key: 'edit', label: t('action.edit'), icon: 'edit', onSelect: ({ id }) => open({ kind: 'edit', id }) },
      {
        key: 'delete',
        label: t('action.freeze'),
        icon: 'lock',
        danger: true,
        hidden: ({ status }) => status === AccountStatus.frozen,
        onSelect: ({ id }) => open({ kind: 'delete', id }),
      },
    ]
    return all.filter(({ key }) => allowed.split(',').includes(key))
  }, [t, allowed, open])
}

type EmptyProps = { path: ListPath; filtered: boolean; masked: boolean; onAddAgent: () => void }

/** Next step when the list is empty. */
const EmptyHint = ({ path, filtered, masked, onAddAgent }: EmptyProps) => {
  const { t } = useWords()
  const { data: own } = useCall('user/view', {}, { meta: { optional: true } })
  if (filtered && masked) return <p>{t('account.masked_hint')}</p>
  if (filtered) return <p>{t('account.none_found')}</p>
  if (path === '/customer_service') return <p>{t('account.no_customer_service')}</p>
  return path === '/agent' ? (
    <>
      <p>{t('account.no_agents')}</p>
      <Button icon="plus" onPress={onAddAgent}>
        {t('account.add_agent')}
      </Button>
    </>
  ) : (
    <>
      <p>{t('account.no_users')}</p>
      {own && (
        <Button icon="copy" onPress={() => void copyShareLink(own)}>
          {t('share.copy')}
        </Button>
      )}
    </>
  )
}
