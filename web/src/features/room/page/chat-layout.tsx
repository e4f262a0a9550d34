import { Link, Outlet, useMatches, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useLongestWait, useRoomCode, useRoomName, useUnreadRooms } from '../../../chat/view/use-chat.ts'
import { useOpenCashRequests } from '../../../chat/view/cards/use-open-requests.ts'
import { CONTROL } from '../../../ui/keyboard/key-names.ts'
import { askForKeys } from '../../../ui/keyboard/keys-asked.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useTitle } from '../../../ui/page/title.ts'
import { roomRefOf, useAddress } from '../state/address.ts'
import { clearSavedFilter } from '../state/filter.ts'
import { BellButton } from '../../../chat/view/bell-button.tsx'
import { OwnState } from '../desk/own-state.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { isOwnOrFree } from '../state/neighbour.ts'
import { TabBar, useIdleMenu } from '../../../chat/view/tabs.tsx'
import { WaitingTime } from '../../../chat/view/waiting-time.tsx'
import { clearScrollPositions } from '../state/scroll-position.ts'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import { useBots } from '../state/use-bots.ts'
import { useOfficeChat } from './use-office-chat.ts'
import '../../../chat/view/chat.css'
import '../../../chat/view/messages/messages.css'
import '../../../chat/view/room-theme.css'
import '../list/list.css'
import '../list/row.css'
import './room.css'
import '../../../chat/view/composer/framed.css'
import '../desk/desk.css'

/** The open room, and the page that it is on. */
const useChatTitle = () => {
  const { t } = useWords()
  const { ai } = useSearch({ strict: false })
  const page = useMatches().findLast(({ staticData }) => staticData.listTitle)?.staticData.listTitle
  const room = useRoomName(useRoomCode(roomRefOf(useAddress())) ?? '')
  useTitle(room, ai === 1 ? t('chat.messaging_ai') : page ? t(page) : '')
}

/** The frame of the chat: a narrow menu on the left; on a small screen a bar above and a menu below. */
export const ChatLayout = () => {
  const { t } = useWords()
  useOfficeChat()
  useChatTitle()
  useEffect(
    () => () => {
      clearSavedFilter()
      clearScrollPositions()
    },
    [],
  )
  const small = useMedia(SMALL)
  const inRoom = useAddress().room_id !== undefined

  return (
    <div className="chat" data-small={small || undefined}>
      {!small && (
        <nav className="chat-rail" aria-label={t('chat.menu')} data-tips="beside">
          <OwnState />
          <ChatMenu />
          <BellButton className="chat-menu-item chat-keys" />
          <KeysButton />
        </nav>
      )}
      <main className="chat-body">
        <Outlet />
        <Shortcuts />
      </main>
      {small && !inRoom && <TabBar />}
    </div>
  )
}

const KeysButton = () => {
  const { t } = useWords()
  return (
    <button
      type="button"
      className="chat-menu-item chat-keys"
      aria-label={t('keys.title')}
      data-tip={`${t('keys.title')} (${CONTROL}+/)`}
      onClick={askForKeys}
    >
      <Icon name="help" size={22} />
    </button>
  )
}

/** The longest wait among the rooms that this user should answer (CONV-07). */
const LongestWait = () => {
  const longest = useLongestWait(isOwnOrFree)
  return longest?.waiting_since ? <WaitingTime since={longest.waiting_since} short /> : null
}

/** The queue of members' requests, in groups that take them. */
const CashRequestsItem = ({ takesCashRequests }: { takesCashRequests: boolean }) => {
  const { t } = useWords()
  const open = useOpenCashRequests(takesCashRequests)
  return takesCashRequests && <ChatMenuItem to="/cash" icon="tray" name={t('menu.requests')} count={open} />
}

const ChatMenu = () => {
  const { t } = useWords()
  const waiting = useUnreadRooms()
  const own = useCall('user/view', {})
  const { has, may } = useIdleMenu()
  const bots = useBots(useAddress())
  return (
    <>
      <ChatMenuItem
        to="/chat/messaging"
        icon="chat"
        name={t('chat.messaging')}
        count={waiting}
        below={<LongestWait />}
        activeAt={bots ? 'never' : 'below'}
      />
      <CashRequestsItem takesCashRequests={has('/cash')} />
      {own.data?.chat_ai_bot_visible === 1 && (
        <ChatMenuItem to="/chat/messaging" ai icon="bot" name={t('chat.ai')} activeAt={bots ? 'below' : 'never'} />
      )}
      <ChatMenuItem to="/chat/hide" icon="hidden" name={t('chat.hidden_short')} />
      <ChatMenuItem to="/chat/contact" icon="contacts" name={t('contact.title')} />
      {
        // CHAT-07
        may('chat.quick_replies') && has('/MessageTemplate') && (
          <ChatMenuItem to="/MessageTemplate" icon="bolt" name={t('template.quick_replies')} />
        )
      }
      <ChatMenuItem to="/index" icon="home" name={t('chat.home')} />
    </>
  )
}

type ChatMenuItemProps = {
  to: '/chat/messaging' | '/cash' | '/chat/hide' | '/chat/contact' | '/MessageTemplate' | '/index'
  icon: IconName
  name: string
  count?: number
  below?: ReactNode
  /** Marks the AI rooms, which share the page with the list but have their own menu item. */
  ai?: boolean
  /** `below`: the item is also active at addresses below its own; `never`: only at exactly its own. */
  activeAt?: 'below' | 'never'
}
const ChatMenuItem = ({ to, icon, name, count = 0, below, ai = false, activeAt = 'below' }: ChatMenuItemProps) => (
  <Link
    to={to}
    search={ai ? { ai: 1 } : {}}
    // The other item's address is below this one; only the search parameter tells them apart.
    activeOptions={{ exact: activeAt === 'never', includeSearch: activeAt === 'never' }}
    className="chat-menu-item"
    activeProps={{ 'aria-current': 'page' }}
    data-tip={name}
  >
    <Icon name={icon} size={22} />
    <span className="chat-menu-item-name">{name}</span>
    {count > 0 && <span className="c-unread points">{count > 99 ? '99+' : count}</span>}
    {below}
  </Link>
)
