import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMenu } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { whenIdle } from '../../lib/schedule.ts'
import { getStored, setStored } from '../../lib/storage.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { openMenu } from '../../ui/menu-state.ts'
import { useOpenCashRequests } from './cards/use-open-requests.ts'
import { useUnreadBell } from './bell-state.ts'
import { useUnreadRooms } from './use-chat.ts'
import './tabs.css'

/** Asked when idle: the first page does not wait for it. */
export const useIdleMenu = () => {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => setIsIdle(true)), [])
  return useMenu({ enabled: isIdle })
}

type Tab = 'inbox' | 'requests' | 'contacts' | 'replies'
const KEPT = 'tabs'
const all: readonly Tab[] = ['inbox', 'requests', 'contacts', 'replies']

/** The tabs of this account: those of its last page until the menu is there, so that none appears under the thumb. */
const useOwnTabs = (): readonly Tab[] => {
  const { pages, has, may } = useIdleMenu()
  const hasChat = has('/chat')
  const offered: Record<Tab, boolean> = {
    inbox: hasChat,
    requests: has('/cash'),
    contacts: hasChat,
    // CHAT-07
    replies: may('chat.quick_replies') && has('/MessageTemplate'),
  }
  const known = pages && all.filter((tab) => offered[tab]).join(' ')
  useEffect(() => {
    if (known !== undefined) setStored(KEPT, known)
  }, [known])
  const names = known ?? getStored(KEPT)
  return names === undefined ? all : all.filter((tab) => names.split(' ').includes(tab))
}

/** The pages of every hour, on a phone at the bottom of every page; all others are behind "More". */
export const TabBar = () => {
  const { t } = useWords()
  const tabs = useOwnTabs()
  const pathname = useLocation({ select: ({ pathname }) => pathname })
  const unread = useUnreadRooms()
  const asked = useOpenCashRequests(tabs.includes('requests'))
  // The bell is in the menu behind "More".
  const bell = useUnreadBell()
  const links = {
    inbox: { to: '/chat/messaging', icon: 'chat', name: t('chat.messaging'), count: unread, also: '/chat/hide' },
    requests: { to: '/cash', icon: 'tray', name: t('menu.requests'), count: asked },
    contacts: { to: '/chat/contact', icon: 'contacts', name: t('contact.title') },
    replies: { to: '/MessageTemplate', icon: 'bolt', name: t('template.quick_replies') },
  } as const satisfies Record<Tab, LinkProps>
  return (
    <nav className="c-tabs" aria-label={t('shell.tabs')}>
      {tabs.map((tab) => (
        <TabLink key={tab} {...links[tab]} pathname={pathname} />
      ))}
      <button type="button" className="c-tab" aria-haspopup="dialog" onClick={openMenu}>
        <Icon name="menu" size={22} />
        <span className="c-tab-name">{t('shell.more')}</span>
        <TabCount n={bell} />
      </button>
    </nav>
  )
}

type LinkProps = {
  to: '/chat/messaging' | '/cash' | '/chat/contact' | '/MessageTemplate'
  icon: IconName
  name: string
  count?: number
  /** Another page that belongs to it. */
  also?: string
}

const TabCount = ({ n }: { n: number }) => n > 0 && <span className="c-tab-count points">{n > 99 ? '99+' : n}</span>

const TabLink = ({ to, icon, name, count = 0, also = to, pathname }: LinkProps & { pathname: string }) => {
  const isHere = [to, also].some((path) => pathname === path || pathname.startsWith(`${path}/`))
  return (
    <Link to={to} search={{}} className="c-tab" aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} size={22} />
      <span className="c-tab-name">{name}</span>
      <TabCount n={count} />
    </Link>
  )
}
