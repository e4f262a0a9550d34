import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readContactSearch, readFriendSearch } from '../features/contact/search.ts'
import { ChatLoading } from '../features/room/page/chat-loading.tsx'
import { RoomPage } from '../features/room/page/lazy-room-page.ts'
import { type SearchOf, searchOf } from '../ui/filter-bar/search-of.ts'

/** `?at=…`: the seq of a message to show instead of the room's end. */
const readAt = ({ at }: Record<string, unknown>): { at?: number } =>
  Number.isInteger(at) && Number(at) > 0 ? { at: Number(at) } : {}

/** `?ai=1` (CHAT-03), and `?request=…`: a member's request that is open over the conversation. */
const readCashRequest = searchOf('request')
const readMessaging = (search: Record<string, unknown>): { ai?: 1 } & SearchOf<'request'> => ({
  ...readCashRequest(search),
  ...(String(search.ai) === '1' ? { ai: 1 } : {}),
})

const pendingComponent = ChatLoading

/** The pages of the chat, below a pathless parent route that has already checked the session with the server. */
export const roomRoutes = <P extends AnyRoute>(parent: P) => {
  const chat = createRoute({
    getParentRoute: () => parent,
    path: '/chat',
    component: lazyRouteComponent(() => import('../features/room/page/chat-layout.tsx'), 'ChatLayout'),
  })
  const messaging = createRoute({
    getParentRoute: () => chat,
    path: '/messaging',
    staticData: { listTitle: 'chat.messaging' },
    validateSearch: readMessaging,
    pendingComponent,
    component: lazyRouteComponent(() => import('../features/room/page/messaging-layout.tsx'), 'MessagingLayout'),
  })
  const noRoom = createRoute({
    getParentRoute: () => messaging,
    path: '/',
    pendingComponent,
  })
  // The three addresses of a room (ROOM-01). The layout renders the room itself, at once (CONV-01).
  const byId = createRoute({
    getParentRoute: () => messaging,
    path: '/$room_id/$member_id',
    pendingComponent,
    component: RoomPage,
  })
  const byCode = createRoute({
    getParentRoute: () => messaging,
    path: '/$room_id/$member_id/$room_code',
    validateSearch: readAt,
    pendingComponent,
    component: RoomPage,
  })
  const byFriend = createRoute({
    getParentRoute: () => messaging,
    path: '/$room_id/$member_id/friend/$friend_id',
    pendingComponent,
    component: RoomPage,
  })
  const hidden = createRoute({
    getParentRoute: () => chat,
    path: '/hide',
    staticData: { listTitle: 'chat.hidden' },
    pendingComponent,
    component: lazyRouteComponent(() => import('../features/room/page/hidden-rooms-page.tsx'), 'HiddenRoomsPage'),
  })
  const contact = createRoute({
    getParentRoute: () => chat,
    path: '/contact',
    staticData: { listTitle: 'contact.title' },
    validateSearch: readContactSearch,
    pendingComponent,
    component: lazyRouteComponent(() => import('../features/contact/contact-page.tsx'), 'ContactPage'),
  })
  const friend = createRoute({
    getParentRoute: () => chat,
    path: '/friend',
    validateSearch: readFriendSearch,
    component: lazyRouteComponent(() => import('../features/contact/friend-redirect.tsx'), 'FriendPage'),
  })
  const noteTitle = createRoute({
    getParentRoute: () => chat,
    path: '/noteTitle/$room_id/$member_id',
    staticData: { listTitle: 'note.notebook' },
    pendingComponent,
    component: lazyRouteComponent(() => import('../features/note/title-page.tsx'), 'NoteTitlePage'),
  })
  const noteContent = createRoute({
    getParentRoute: () => chat,
    path: '/noteContent/$note_id/$member_id/$title',
    staticData: { listTitle: 'note.notebook' },
    pendingComponent,
    component: lazyRouteComponent(() => import('../features/note/content-page.tsx'), 'NoteContentPage'),
  })
  return [
    chat.addChildren([
      messaging.addChildren([noRoom, byId, byCode, byFriend]),
      hidden,
      contact,
      friend,
      noteTitle,
      noteContent,
    ]),
  ] as const
}
