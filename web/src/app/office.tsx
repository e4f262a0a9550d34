import type { Answer } from '@tallyroom/contract'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { watchConnection } from '../api/connection.ts'
import { CallError, isRefusal, NO_ANSWER, setSessionEndHandler } from '../api/call.ts'
import { unlockSound } from '../chat/model/sound.ts'
import { renewPush } from '../chat/model/push.ts'
import { startChat, stopChat } from '../chat/model/chat-session.ts'
import { startAttention } from '../features/room/alerts/attention.ts'
import { saveNotice, saveReturnPath } from '../lib/handoff.ts'
import { storeOwnAccount } from '../features/session/profile.ts'
import { onConnected, onEvent } from '../api/live.ts'
import { addPaletteSource } from './palette/sources.ts'
import { makeRouter } from './routes.tsx'
import { OfflineBar } from './shell/offline-bar.tsx'
import { inNextTask } from '../lib/schedule.ts'
import { clearStored, setStored, getStored } from '../lib/storage.ts'
import { startTime } from '../i18n/time.ts'
import { keepFocus } from '../ui/keep-focus.ts'
import { Notices } from '../ui/overlay/message.tsx'
import { Tip } from '../ui/overlay/tip.tsx'
import { refresh } from '../api/use-call.ts'
import './shell/shell.css'
import './shell/offline-bar.css'
import '../ui/ui.css'
import '../ui/overlay/dialog.css'
import '../ui/overlay/menu.css'
import '../ui/search-table/search.css'
import '../ui/search-table/table.css'
import '../ui/search-table/small-rows.css'
import '../ui/pages.css'
import '../ui/print.css'

addPaletteSource(async () => (await import('../features/room/search/palette-rooms.ts')).roomSource)
addPaletteSource(async () => (await import('../features/room/search/palette-commands.ts')).commandSource)
addPaletteSource(async () => (await import('../features/account/palette-accounts.ts')).accountSource)

const cache: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: (data, { queryKey: [name] }) => {
      if (name === 'user/view') storeOwnAccount(data as Answer<'user/view'>)
    },
    onError: (error, query) => {
      // GUARD-04: a page that may not read its data is forbidden. A refused write only shows an alert.
      const denied = isRefusal(error, 'access.denied')
      if (denied && !query.meta?.optional) void router.navigate({ to: '/forbidden' })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // WIRE-04: a refusal is final. Retry only when no answer came.
      retry: (count, error) => error instanceof CallError && error.code === NO_ANSWER && count < 2,
    },
    mutations: { retry: false },
  },
})
const router = makeRouter(cache)
// Load the page's script together with the menu, which decides whether the page may be shown.
inNextTask(() => {
  const [matched] = router.getMatchedRoutes(router.latestLocation.pathname)
  for (const route of matched) void router.loadRouteChunk(route)
})

/** WIRE-05, GUARD-04: removes the session from this browser and goes to the sign-in page, which says why. */
const leave = (reason: string, token: string | undefined) => {
  // Another tab has signed in meanwhile: use its session.
  const now = getStored('user_token')
  if (now && now !== token) return window.location.reload()
  if (reason === 'expired') saveNotice('expired')
  saveReturnPath()
  // AUTH-02: a user who came by an agent's link signs in by one again.
  const agentLogin = getStored('agent_login') === '1'
  clearStored()
  if (agentLogin) setStored('agent_login', '1')
  window.location.assign('/login')
}

/** AUTH-12: reloads when another tab signs in with another account or signs out. */
const followOtherTabs = (own: string | undefined) => {
  const changed = ({ key, newValue }: StorageEvent) => {
    if (key === null ? !getStored('user_id') : key === 'user_id' && newValue !== own) window.location.reload()
  }
  window.addEventListener('storage', changed)
  return () => window.removeEventListener('storage', changed)
}

/** Opens the room of a clicked notification in this page. */
const followNotices = () => {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const onMessage = ({ data }: MessageEvent<{ open?: string } | null>) => {
    if (data?.open?.startsWith('/')) router.history.push(data.open)
  }
  workers?.addEventListener('message', onMessage)
  return () => workers?.removeEventListener('message', onMessage)
}

/** Runs during a session: the socket, and refreshes after its events about the own account. */
const useSession = () => {
  useEffect(() => {
    const id = getStored('user_id')
    const token = getStored('user_token')
    setSessionEndHandler((reason) => leave(reason, token))
    if (id) startChat(id)
    const stops = [
      watchConnection({ asks: true }),
      startAttention(),
      unlockSound(),
      followOtherTabs(id),
      followNotices(),
      onEvent('account', () => void refresh(cache, ['user/view', 'userMenu/list'])),
      onConnected(() => void refresh(cache, ['user/view'])),
    ]
    // Until the time zone is loaded, times are in UTC.
    startTime().catch(() => undefined)
    void renewPush()
    return () => {
      for (const stop of stops) stop()
      stopChat()
    }
  }, [])
}

export const Office = () => {
  useSession()
  useEffect(keepFocus, [])
  return (
    <QueryClientProvider client={cache}>
      <OfflineBar />
      <RouterProvider router={router} />
      <Notices />
      <Tip />
    </QueryClientProvider>
  )
}
