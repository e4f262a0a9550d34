import type { Answer } from '@tallyroom/contract'
import type { ServerEvents } from '@tallyroom/contract/events'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { watchConnection } from '../api/connection.ts'
import { CallError, isRefusal, NO_ANSWER, setSessionEndHandler, setSetUpHandler } from '../api/call.ts'
import { unlockSound } from '../chat/model/sound.ts'
import { renewPush } from '../chat/model/push.ts'
import { chooseAccount, startChat, stopChat } from '../chat/model/chat-session.ts'
import { startApprovalAlerts } from '../features/approval/alerts.ts'
import { startBellAlerts } from '../features/bell/alerts.ts'
import { startAttention } from '../features/room/alerts/attention.ts'
import { readOutNews } from '../features/room/alerts/read-out-news.ts'
import { saveNotice, saveReturnPath } from '../lib/handoff.ts'
import { storeOwnAccount } from '../features/session/profile.ts'
import { onConnected, onEvent } from '../api/live.ts'
import { addPaletteSource } from './palette/sources.ts'
import { forgetAllowed, reloadMenu } from './guards.ts'
import { makeRouter } from './routes.tsx'
import { lookForNewVersion } from './shell/new-version.tsx'
import { OfflineBar } from './shell/offline-bar.tsx'
import { inNextTask, onceIdle, whenIdle } from '../lib/schedule.ts'
import { clearStored, setStored, getStored } from '../lib/storage.ts'
import { ignoreRepeatedEnter } from '../ui/keyboard/repeated-enter.ts'
import { keepFocus } from '../ui/keyboard/keep-focus.ts'
import { deviceOf } from '../lib/device.ts'
import { t } from '../i18n/i18n.ts'
import { Notices, notify } from '../ui/overlay/message.tsx'
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

addPaletteSource(async () => (await import('../features/transfer/palette-transfers.tsx')).transferSource)
addPaletteSource(async () => (await import('../features/room/search/palette-rooms.ts')).roomSource)
addPaletteSource(async () => (await import('../features/room/search/palette-commands.ts')).commandSource)
addPaletteSource(async () => (await import('../features/account/palette-accounts.ts')).accountSource)
addPaletteSource(async () => (await import('../features/room/search/palette-acts.tsx')).actSource)
addPaletteSource(async () => (await import('../features/room/search/palette-states.ts')).stateSource)
addPaletteSource(async () => (await import('../features/right/palette-rights.ts')).rightSource)
addPaletteSource(async () => (await import('../features/bell/palette-bell.ts')).bellSource)

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
setSetUpHandler(() => void router.navigate({ to: '/set-up' }))
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
  saveNotice(reason === 'expired' || reason === 'frozen' || reason === 'password' ? reason : 'ended')
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

/** PASS-04: what another device has done; the account's page lists it. */
const showSecurity = ({ kind, user_agent, address }: Parameters<ServerEvents['security']>[0]) => {
  void refresh(cache, ['security/list', 'session/list', 'passkey/list', 'factor/view'])
  const device = deviceOf(user_agent) || t('sessions.unknown')
  notify.warning(t('notice.live', { what: t(`notice.${kind}`), device, address }))
}

/** RIGHT-01: loads the menu again, and leaves a page that is no longer in it. */
const refreshRights = async () => {
  void refresh(cache, ['member/view', 'right/view'])
  forgetAllowed()
  await cache.invalidateQueries({ queryKey: ['userMenu/auth'], refetchType: 'none' })
  await cache.invalidateQueries({ queryKey: ['userMenu/list'] })
  const { pathname } = router.state.location
  await router.invalidate()
  // A page that is replaced by Home in the middle of the work would otherwise look like a fault.
  if (pathname !== '/index' && router.state.location.pathname === '/index') notify.warning(t('right.page_gone'))
}

const recheckRights = async () => {
  if (await reloadMenu(cache)) await refreshRights()
}

/** Refreshes what is known about the own account after each connection; the first page has just loaded its menu. */
const followConnection = () => {
  let wasConnected = false
  return onConnected(() => {
    void refresh(cache, ['user/view'])
    if (wasConnected) {
      void recheckRights()
      void lookForNewVersion()
    }
    wasConnected = true
  })
}

const followSessionEnd = () => {
  const token = getStored('user_token')
  setSessionEndHandler((reason) => leave(reason, token))
}

/**
 * Resolves when the page at this address can be shown. Rendered earlier, the office would show that it is loading, and
 * React holds back what follows such a notice for 300 ms.
 */
export const preparePage = async (): Promise<void> => {
  followSessionEnd()
  // The rendered router loads it again and shows what failed.
  await router.load().catch(() => undefined)
}

/** Runs during a session: the socket, and refreshes after its events about the own account. */
const useSession = () => {
  const [id] = useState(() => {
    const own = getStored('user_id')
    if (own) chooseAccount(own)
    return own
  })
  useEffect(() => {
    followSessionEnd()
    if (id) startChat(id)
    const stops = [
      watchConnection({ asks: true }),
      startAttention(),
      readOutNews(),
      startApprovalAlerts(),
      startBellAlerts(),
      unlockSound(),
      followOtherTabs(id),
      followNotices(),
      onEvent('security', showSecurity),
      onEvent('account', ({ rights }) => {
        void refresh(cache, rights ? ['user/view'] : ['user/view', 'userMenu/list'])
        if (rights) void refreshRights()
      }),
      followConnection(),
    ]
    void renewPush()
    return () => {
      for (const stop of stops) stop()
      stopChat()
    }
  }, [id])
}

/** Loaded after the first page, which is seen without it. */
const startListKeys = () =>
  onceIdle(() => {
    import('../ui/keyboard/list-keys.ts').then((keys) => keys.startListKeys()).catch(() => undefined)
  })

/** Loaded after the first page, which is seen without it. */
const closeOnBack = () =>
  whenIdle(() => {
    import('../ui/overlay/close-on-back.ts')
      .then(({ startCloseOnBack }) => startCloseOnBack(router.history))
      .catch(() => undefined)
  })

export const Office = () => {
  useSession()
  useEffect(keepFocus, [])
  useEffect(ignoreRepeatedEnter, [])
  useEffect(startListKeys, [])
  useEffect(closeOnBack, [])
  return (
    <QueryClientProvider client={cache}>
      <OfflineBar />
      <div data-page className="page-box">
        <RouterProvider router={router} />
      </div>
      <Notices />
      <Tip />
    </QueryClientProvider>
  )
}
