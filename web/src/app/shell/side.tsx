import type { Points } from '@tallyroom/contract/points'
import type { RoomChange } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId } from 'react'
import { onEvent } from '../../api/live.ts'
import { movesPoints } from '../../chat/model/message-kinds.ts'
import { useUnreadRooms, useUplineUnread } from '../../chat/view/use-chat.ts'
import { Amount, available } from '../../ui/amount.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { throttle } from '../../lib/throttle.ts'
import { useWords } from '../../i18n/i18n.ts'
import { NewVersion } from './new-version.tsx'
import { menuGroups, menuIcon, menuWord } from './pages.ts'
import { useOpenApprovals } from '../../chat/view/cards/use-open-approvals.ts'
import { useOpenCashRequests } from '../../chat/view/cards/use-open-requests.ts'

/** Logo, balance and menu. */
export const Side = ({ bell }: { bell?: ReactNode }) => {
  const { t } = useWords()
  const id = useId()
  const { pages, has } = useMenu()
  const queues: Record<string, number> = {
    requests: useOpenCashRequests(has('/cash')),
    approvals: useOpenApprovals(has('/approvals')),
  }
  const counts: Record<string, number> = { chat: useUnreadRooms(), customer_service_chat: useUplineUnread(), ...queues }
  return (
    <div className="side">
      <div className="side-mark">
        <Mark />
        {bell}
      </div>
      <Balance />
      <nav aria-label={t('shell.menu')}>
        {menuGroups(pages ?? []).map(({ word, pages: own }) => (
          <div key={own[0]?.url} className="side-group">
            {word && <h2 id={`${id}${word}`}>{t(word)}</h2>}
            <ul className="side-menu" aria-labelledby={word && `${id}${word}`}>
              {own.map(({ name, url }) => (
                <li key={url}>
                  <Link
                    to={url}
                    // If one entry's address is below another's, only the open one is marked.
                    activeOptions={{ exact: pages?.some((other) => other.url.startsWith(`${url}/`)) ?? false }}
                    className="side-link"
                    activeProps={{ className: 'side-link side-here', 'aria-current': 'page' }}
                  >
                    <Icon name={menuIcon(name)} />
                    <span className="side-word">{menuWord(t, name)}</span>
                    <Count n={counts[name] ?? 0} word={name in queues ? 'shell.waiting' : 'shell.unread'} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <NewVersion />
    </div>
  )
}

const Count = ({ n, word }: { n: number; word: 'shell.unread' | 'shell.waiting' }) => {
  const { t } = useWords()
  return n === 0 ? null : (
    <span className="side-count" aria-label={t(word, { n })}>
      {n > 99 ? '99+' : n}
    </span>
  )
}

/**
 * SHELL-08: the amount that can be spent, including credit; and the game wallet if there is one. Customer service sees the
 * wallet that pays: its own is always empty.
 */
const Balance = () => {
  const { t } = useWords()
  const { data: own } = useCall('user/view', {}, { meta: { optional: true } })
  useLivePayer(Boolean(own?.payer))
  if (own?.payer) {
    const { name, available, unlimited } = own.payer
    return (
      <dl className="side-balance" aria-live="polite">
        <div>
          <dt>{t('panel.pays_from', { name })}</dt>
          <BalanceFigure value={pointsOf(available)} unlimited={unlimited} />
        </div>
      </dl>
    )
  }
  return (
    <dl className="side-balance" aria-live="polite">
      <div>
        <dt>{t('shell.balance')}</dt>
        {own ? (
          <BalanceFigure value={available(own)} unlimited={own.unlimited} />
        ) : (
          <dd>
            <span className="bar" />
          </dd>
        )}
      </div>
      {own?.is_multiple_wallet === 1 && (
        <div>
          <dt>{t('wallet.game')}</dt>
          <BalanceFigure value={pointsOf(own.game_wallet)} />
        </div>
      )}
    </dl>
  )
}

/** From 10,000,000,000.00 on an amount has no room in large figures. */
const LONG = 10n ** 14n

const BalanceFigure = ({ value, unlimited = false }: { value: Points; unlimited?: boolean }) => (
  <dd data-long={!unlimited && (value >= LONG || value <= -LONG / 10n) ? '' : undefined}>
    <Amount value={value} unlimited={unlimited} />
  </dd>
)

/** Colleagues pay from the same wallet, and the account event goes only to its owner. */
const useLivePayer = (hasPayer: boolean) => {
  const cache = useQueryClient()
  useEffect(() => {
    if (!hasPayer) return
    const { soon, stop } = throttle(() => void refresh(cache, ['user/view']))
    const moved = (change: RoomChange) => {
      if (movesPoints(change)) soon()
    }
    const end = onEvent('room', moved)
    return () => {
      stop()
      end()
    }
  }, [cache, hasPayer])
}
