import type { WordKey } from '@tallyroom/locales'
import { Link } from '@tanstack/react-router'
import { useUnreadRooms, useUplineUnread } from '../chat/use-talk.ts'
import { Amount, available } from '../ui/amount.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { useCall } from '../use-call.ts'
import { type Say, useWords } from '../words.ts'

/** The names that the server's menu uses, with the word and the drawing of each (SHELL-09). */
const known: Record<string, { word: WordKey; icon: IconName }> = {
  home: { word: 'menu.home', icon: 'home' },
  chat: { word: 'menu.chat', icon: 'chat' },
  agent: { word: 'menu.agent', icon: 'agent' },
  customer_service: { word: 'menu.customer_service', icon: 'headset' },
  user: { word: 'menu.user', icon: 'user' },
  customer_service_chat: { word: 'menu.customer_service_chat', icon: 'headset' },
  quick_replies: { word: 'menu.quick_replies', icon: 'bolt' },
  transaction_log: { word: 'menu.transaction_log', icon: 'list' },
  sr02: { word: 'menu.sr02', icon: 'chart' },
  reconciliation: { word: 'menu.reconciliation', icon: 'wallet' },
  audit: { word: 'menu.audit', icon: 'history' },
  my_settings: { word: 'menu.my_settings', icon: 'sliders' },
  technical_files: { word: 'menu.technical_files', icon: 'page' },
  api_doc: { word: 'menu.api_doc', icon: 'list' },
  system_settings: { word: 'menu.system_settings', icon: 'gear' },
}
/** A page that this browser does not know yet is called by the server's own name for it. */
const menuWord = (t: Say, name: string) => {
  const found = known[name]
  return found ? t(found.word) : name.replaceAll('_', ' ')
}

/** Mark, balance and menu. */
export const Side = () => {
  const { t } = useWords()
  const menu = useCall('userMenu/list', {}, { fresh: 5 * 60_000, meta: { aside: true } })
  const unread: Record<string, number> = { chat: useUnreadRooms(), customer_service_chat: useUplineUnread() }
  return (
    <div className="side">
      <div className="side-mark">
        <Mark />
      </div>
      <Balance />
      <nav aria-label={t('shell.menu')}>
        <ul className="side-menu">
          {menu.data?.map(({ name, url }, _, all) => (
            <li key={url}>
              <Link
                to={url}
                // Of two entries of which one lies below the other, only the one that is open.
                activeOptions={{ exact: all.some((other) => other.url.startsWith(`${url}/`)) }}
                className="side-link"
                activeProps={{ className: 'side-link side-here', 'aria-current': 'page' }}
              >
                <Icon name={known[name]?.icon ?? 'page'} />
                <span className="side-word">{menuWord(t, name)}</span>
                <Count n={unread[name] ?? 0} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

const Count = ({ n }: { n: number }) => {
  const { t } = useWords()
  return n === 0 ? null : (
    <span className="side-count" aria-label={t('shell.unread', { n })}>
      {n > 99 ? '99+' : n}
    </span>
  )
}

/** SHELL-08: what can be spent, credit included; the game wallet where there is one. */
const Balance = () => {
  const { t } = useWords()
  const { data: own } = useCall('user/view', {}, { meta: { aside: true } })
  return (
    <dl className="side-balance" aria-live="polite">
      <div>
        <dt>{t('shell.balance')}</dt>
        <dd>{own ? <Amount value={available(own)} unlimited={own.unlimited} /> : <span className="bar" />}</dd>
      </div>
      {own?.is_multiple_wallet === 1 && (
        <div>
          <dt>{t('wallet.game')}</dt>
          <dd>
            <Amount value={own.game_wallet} />
          </dd>
        </div>
      )}
    </dl>
  )
}
