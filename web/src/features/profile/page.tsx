import { AccountStatus as Status, isOffice, Role } from '@tallyroom/contract/codes'
import { type AccountPart } from '@tallyroom/contract/pages/account-parts'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { refusedBy } from '../../api/call.ts'
import { onConnected, onEvent } from '../../api/live.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { accountInPath, accountPath } from '../../domain/account-link.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { throttle } from '../../lib/throttle.ts'
import { Button } from '../../ui/control/button.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { useTitle } from '../../ui/page/title.ts'
import { nameOf } from '../../ui/person.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useCommandKeys } from '../room/state/command-keys.ts'
import { useCommand } from '../room/state/commands.ts'
import type { Account } from './account.ts'
import { Head } from './head.tsx'
import { useParts } from './parts.tsx'
import '../account/self.css'
import './profile.css'

/** From this width on the overview is a column beside the other parts; below it the first of them. */
const WIDE = '(min-width: 1200px)'

/** MEMB-01, MEMB-04: the page of one member, or of one colleague. The address has its username, or its id where it is masked. */
export const AccountPage = () => {
  const { username = '' } = useParams({ strict: false })
  return <PageOf key={username} name={username} />
}

const PageOf = ({ name }: { name: string }) => {
  const { t } = useWords()
  const { pathname, searchStr } = useLocation()
  const found = useCall('account/view', accountInPath(name), { meta: { optional: true } })
  const { data: account, error } = found
  useTitle(account ? nameOf(account) : '')
  // Who was moved or whose right was taken meanwhile is not shown from the answer before.
  const isGone: boolean = refusedBy('account/view', error, 'account.not_found')
  if (isGone) return <NotHere />
  if (!account)
    return error ? (
      <>
        <Alert text={error.message} />
        <p>
          <Button onClick={() => void found.refetch()}>{t('action.try_again')}</Button>
        </p>
      </>
    ) : (
      <p role="status">{t('table.loading')}</p>
    )
  const path = accountPath(account)
  // The address named a colleague as a member, or the other way round.
  if (path && path.split('/')[1] !== pathname.split('/')[1]) return <Navigate to={path + searchStr} replace />
  return <Known account={account} />
}

/** The same for a name that nobody has and for an account that the user may not see. */
const NotHere = () => {
  const { t } = useWords()
  const list = useMenu().pageOf(Role.member)?.url
  return (
    <section className="card profile-none" role="status">
      <h1>{t('account_view.none')}</h1>
      <p>{t('account_view.none_what')}</p>
      {list && (
        <p>
          <Link className="button" to={list}>
            {t('menu.user')}
          </Link>
        </p>
      )}
    </section>
  )
}

const Known = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const isWide = useMedia(WIDE)
  const [isNoting, setNoting] = useState(false)
  const onNoting = useCallback(() => setNoting(false), [])
  const { render, words } = useParts(account, { isNoting, onNoting })
  const { chosen, choose } = useTab()
  useCommandKeys()
  useFresh(account)
  const parts = account.parts.filter((part) => part !== 'overview' || !isWide)
  const [first] = parts
  const shown = parts.find((part) => part === chosen) ?? first
  useCommand(
    'memberNote',
    account.parts.includes('notes')
      ? () => {
          if (!isWide) choose('overview')
          setNoting(true)
        }
      : undefined,
  )
  return (
    <div className="profile-page">
      <Head account={account} />
      {account.is_erased && <p className="profile-said">{t('account_view.erased')}</p>}
      {account.status === Status.frozen && !account.is_erased && (
        <p className="profile-said">{t('account_view.frozen')}</p>
      )}
      <div className="profile-body">
        {isWide && (
          <section className="card panel profile-overview" aria-label={t('account_view.overview')}>
            {render('overview')}
          </section>
        )}
        {shown && (
          <div className="profile-parts">
            <Tabs
              label={nameOf(account)}
              tabs={parts.map((part) => ({ key: part, label: words[part] }))}
              chosen={shown}
              onChoose={choose}
            >
              {shown === 'overview' ? (
                <div className="card panel profile-overview">{render(shown)}</div>
              ) : (
                render(shown)
              )}
            </Tabs>
          </div>
        )}
      </div>
    </div>
  )
}

/** The part that is shown, as the address has it. What a part was filtered by is not that of the next. */
const useTab = () => {
  const navigate = useNavigate()
  const { tab }: { tab?: unknown } = useSearch({ strict: false })
  const choose = (part: AccountPart) => void navigate({ to: '.', search: () => ({ tab: part }), replace: true })
  return { chosen: tab, choose }
}

/** Loads the answers again when the account or its points have changed. */
const useFresh = ({ id, role_id }: Account) => {
  const cache = useQueryClient()
  useEffect(() => {
    const { soon, stop } = throttle(
      () =>
        void refresh(cache, [
          'account/view',
          ...(isOffice(role_id) ? [] : (['member/view', 'member/flowLimit'] as const)),
        ]),
    )
    const ofThis = ({ account_id }: { account_id: number }) => {
      if (account_id === id) soon()
    }
    const stops = [stop, onEvent('member', ofThis), onEvent('account', soon), onConnected(soon)]
    return () => {
      for (const end of stops) end()
    }
  }, [cache, id, role_id])
}
