import type { WordKey } from '@tallyroom/locales'
import type { QueryClient } from '@tanstack/react-query'
import {
  createBrowserHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { routerWindow } from '../adapters/router-history.ts'
import { searchTexts } from '../adapters/router-search.ts'
import { accountKeys } from '../features/account/search.ts'
import { auditKeys } from '../features/audit/search.ts'
import { cashRequestKeys } from '../features/cash/search.ts'
import { reportKeys, workKeys } from '../features/report/search.ts'
import { statementKeys } from '../features/statement/search.ts'
import { historyKeys } from '../features/transfer/search.ts'
import { searchOf } from '../ui/filter-bar/search-of.ts'
import { loadAdminWords } from '../i18n/admin-words.ts'
import { guardMenu, guardChat } from './guards.ts'
import { roomRoutes } from './chat-routes.tsx'
import { ErrorPage, LoadFailed } from './shell/error-pages.tsx'
import { PageLoading } from '../ui/page/page-loading.tsx'
import { PaletteHost } from './palette/palette-host.tsx'
import { BellHost } from '../features/bell/bell-host.tsx'
import { EndShift } from '../features/room/desk/end-shift.tsx'
import { MenuHost } from './shell/menu-host.tsx'
import { Shell } from './shell/shell.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
  interface StaticDataRouteOption {
    /** ACC-01: titles of the page and of its dialogs. */
    listTitle?: WordKey
    addTitle?: WordKey
    editTitle?: WordKey
    delTitle?: WordKey
    /** The page has its own heading, and no room for the one of the frame. */
    hasOwnHead?: boolean
  }
}

const root = createRootRouteWithContext<{ cache: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <PaletteHost />
      <MenuHost />
      <EndShift />
      <BellHost />
    </>
  ),
  errorComponent: ({ error, reset }: ErrorComponentProps) => <LoadFailed error={error} onRetry={reset} />,
})

const redirectRoute = <const P extends string>(path: P, to: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => redirect({ to, throw: true }),
  })

const errorPage = <const P extends string>(path: P, kind: '403' | '404' | '500' | 'forbidden') =>
  createRoute({ getParentRoute: () => root, path, component: () => <ErrorPage kind={kind} /> })

/** The frame with sidebar and toolbar. Every page in it must be in the account's menu. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ context, location }) => guardMenu(context.cache, location.pathname),
  component: Shell,
  errorComponent: ({ error, reset }: ErrorComponentProps) => <LoadFailed error={error} onRetry={reset} />,
})

const accountList = lazyRouteComponent(() => import('../features/account/list-page.tsx'), 'AccountListPage')

/** MEMB-01, MEMB-04. Its parts keep their own filters in the address. */
const accountPage = <const P extends string>(path: P, listTitle: WordKey, editTitle: WordKey, delTitle: WordKey) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    validateSearch: searchOf('tab', 'transfer', 'request', ...historyKeys),
    // The shell says it while the page's own words are on their way.
    staticData: { listTitle, hasOwnHead: true, editTitle, delTitle },
    component: lazyRouteComponent(() => import('../features/profile/page.tsx'), 'AccountPage'),
    loader: loadAdminWords,
  })

const pages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/index',
    staticData: { listTitle: 'menu.home' },
    component: lazyRouteComponent(() => import('../features/home/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tree',
    staticData: { listTitle: 'menu.tree' },
    component: lazyRouteComponent(() => import('../features/tree/tree-page.tsx'), 'TreePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agent',
    validateSearch: searchOf(...accountKeys),
    staticData: { listTitle: 'menu.agent', editTitle: 'account.edit_agent', delTitle: 'account.freeze_agent' },
    component: accountList,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/customer_service',
    validateSearch: searchOf(...accountKeys),
    staticData: {
      listTitle: 'menu.customer_service',
      addTitle: 'account.add_customer_service',
      editTitle: 'account.edit_customer_service',
      delTitle: 'account.freeze_customer_service',
    },
    component: accountList,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/user',
    validateSearch: searchOf(...accountKeys),
    staticData: { listTitle: 'menu.user', editTitle: 'account.edit_user', delTitle: 'account.freeze_user' },
    component: accountList,
  }),
  accountPage('/member/$username', 'role.member', 'account.edit_user', 'account.freeze_user'),
  accountPage('/colleague/$username', 'role.customer_service', 'account.edit_agent', 'account.freeze_agent'),
  createRoute({
    getParentRoute: () => shell,
    path: '/customer_service_chat',
    staticData: { listTitle: 'menu.customer_service_chat', hasOwnHead: true },
    component: lazyRouteComponent(() => import('../features/room/page/service-page.tsx'), 'ServicePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/cash',
    validateSearch: searchOf(...cashRequestKeys, 'request'),
    staticData: { listTitle: 'menu.requests' },
    component: lazyRouteComponent(() => import('../features/cash/requests-page.tsx'), 'CashRequestsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/approvals',
    validateSearch: searchOf('state', 'approval'),
    staticData: { listTitle: 'menu.approvals' },
    component: lazyRouteComponent(() => import('../features/approval/approvals-page.tsx'), 'ApprovalsPage'),
    // An export of the audit log that waits says which kinds.
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/transaction/list/{-$username}',
    validateSearch: searchOf(...historyKeys, 'transfer'),
    staticData: { listTitle: 'menu.transaction_log' },
    component: lazyRouteComponent(() => import('../features/transfer/history-page.tsx'), 'HistoryPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/MessageTemplate',
    validateSearch: searchOf('text'),
    staticData: { listTitle: 'menu.quick_replies' },
    component: lazyRouteComponent(() => import('../features/template/template-page.tsx'), 'TemplatePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/report/sr02',
    validateSearch: searchOf(...reportKeys),
    staticData: { listTitle: 'menu.sr02' },
    component: lazyRouteComponent(() => import('../features/report/sr02-page.tsx'), 'Sr02Page'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/report/statement',
    validateSearch: searchOf(...statementKeys, 'transfer'),
    staticData: { listTitle: 'menu.statement' },
    component: lazyRouteComponent(() => import('../features/statement/statement-page.tsx'), 'StatementPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/report/work',
    validateSearch: searchOf(...workKeys),
    staticData: { listTitle: 'menu.work' },
    component: lazyRouteComponent(() => import('../features/report/work-page.tsx'), 'WorkPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/report/reconciliation',
    staticData: { listTitle: 'menu.reconciliation' },
    component: lazyRouteComponent(() => import('../features/report/reconciliation-page.tsx'), 'ReconciliationPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/audit',
    validateSearch: searchOf(...auditKeys),
    staticData: { listTitle: 'menu.audit' },
    component: lazyRouteComponent(() => import('../features/audit/audit-page.tsx'), 'AuditPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/person/{-$id}',
    staticData: { listTitle: 'menu.personal_data' },
    component: lazyRouteComponent(() => import('../features/person/person-page.tsx'), 'PersonPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/installation',
    staticData: { listTitle: 'menu.installation' },
    component: lazyRouteComponent(() => import('../features/installation/installation-page.tsx'), 'InstallationPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/setup/self',
    staticData: { listTitle: 'menu.my_settings' },
    component: lazyRouteComponent(() => import('../features/account/self/self-page.tsx'), 'SelfPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/setup/desk',
    staticData: { listTitle: 'menu.desk' },
    component: lazyRouteComponent(() => import('../features/setting/desk-page.tsx'), 'DeskPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/setup/system',
    staticData: { listTitle: 'menu.system_settings' },
    component: lazyRouteComponent(() => import('../features/setting/system-page.tsx'), 'SystemPage'),
    loader: loadAdminWords,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/file',
    staticData: { listTitle: 'menu.technical_files' },
    component: lazyRouteComponent(() => import('../features/file/files-page.tsx'), 'FilesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/file/api',
    staticData: { listTitle: 'menu.api_doc' },
    component: lazyRouteComponent(() => import('../features/file/api-page.tsx'), 'ApiPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/shareQRCode',
    staticData: { listTitle: 'share.title' },
    component: lazyRouteComponent(() => import('../features/share/share-page.tsx'), 'SharePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/rights/{-$id}',
    staticData: { listTitle: 'right.rights' },
    component: lazyRouteComponent(() => import('../features/right/rights-page.tsx'), 'RightsPage'),
    loader: loadAdminWords,
  }),
] as const

/** The chat has its own frame. The server decides whether it may be opened (GUARD-03). */
const chat = createRoute({
  getParentRoute: () => root,
  id: 'chat',
  beforeLoad: ({ context, location }) => {
    // CHAT-01. Before the check by the server, which would run again for the target of this redirect.
    if (/^\/chat\/?$/.test(location.pathname)) redirect({ to: '/chat/messaging', throw: true })
    return guardChat(context.cache, location.pathname)
  },
  errorComponent: ({ error, reset }: ErrorComponentProps) => <LoadFailed error={error} onRetry={reset} />,
})

/** SET-08: in the frame but not in the menu, so the server decides, as for the chat. */
const debug = createRoute({
  getParentRoute: () => root,
  id: 'debug',
  beforeLoad: ({ context, location }) => guardChat(context.cache, location.pathname),
  component: Shell,
  errorComponent: ({ error, reset }: ErrorComponentProps) => <LoadFailed error={error} onRetry={reset} />,
})
const debugPage = createRoute({
  getParentRoute: () => debug,
  path: '/RD_Debug',
  staticData: { listTitle: 'debug.title' },
  component: lazyRouteComponent(() => import('../features/debug/debug-page.tsx'), 'DebugPage'),
})

/** PASS-03. Without the frame, whose menu needs calls that are not open yet. */
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: lazyRouteComponent(() => import('../features/account/self/set-up-page.tsx'), 'SetUpPage'),
  loader: loadAdminWords,
})

// Not made in this list: a route that is made inside of it is of type `any`, and then no link is checked.
const tree = root.addChildren([
  redirectRoute('/', '/index'),
  setUp,
  errorPage('/404', '404'),
  errorPage('/403', '403'),
  errorPage('/500', '500'),
  errorPage('/forbidden', 'forbidden'),
  shell.addChildren(pages),
  chat.addChildren(roomRoutes(chat)),
  debug.addChildren([debugPage]),
  // GUARD-05: unknown addresses.
  redirectRoute('$', '/404'),
])

export const makeRouter = (cache: QueryClient) =>
  createRouter({
    routeTree: tree,
    history: createBrowserHistory({ window: routerWindow() }),
    ...searchTexts,
    context: { cache },
    defaultPreload: false,
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 200,
    // Show the page as soon as it is loaded, even if the loading state was visible only briefly.
    defaultPendingMinMs: 0,
  })
