import { existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files that the build refers to by name. A file that moves is changed only here; a missing one stops the build. */
const known = (path: string) => {
  if (!existsSync(new URL(path, import.meta.url)))
    throw new Error(`web/bundle.ts names web/${path}, which does not exist: give the file's new path there`)
  return path
}

/** The pages of each build. Preact renders the light pages, React the others. */
export const pages = {
  light: { login: known('login.html'), member: known('member.html') },
  office: { index: known('index.html'), offline: known('offline.html') },
}

const mount = known('src/lib/mount.tsx')
const call = known('src/api/call.ts')
const office = known('src/app/office.tsx')

const accounts = known('src/features/account/list-page.tsx')
const chat = [known('src/features/room/page/chat-layout.tsx'), known('src/features/room/page/messaging-layout.tsx')]

/** Scripts that several modules share. Without a group each module becomes a script, and each script costs a request. */
export const groups: readonly { name: string; modules?: readonly string[]; packages?: RegExp }[] = [
  { name: 'react', modules: [mount], packages: /node_modules[\\/](react-dom|scheduler)[\\/]/ },
  { name: 'call', modules: [call, known('src/api/error-text.ts'), known('src/api/use-once.ts')] },
  // Small files that the room and the lists both use.
  {
    name: 'office',
    modules: [
      office,
      known('src/adapters/router-history.ts'),
      known('src/ui/form/range.ts'),
      known('src/domain/masked.ts'),
      known('src/domain/account-link.tsx'),
      known('src/ui/search-table/in-button.ts'),
      known('src/ui/fact.tsx'),
      known('src/ui/control/button.tsx'),
    ],
  },
  { name: 'rows', packages: /@tanstack[\\/](react-)?virtual/ },
  {
    name: 'table',
    modules: [
      known('src/ui/search-table/table.tsx'),
      known('src/ui/search-table/use-row-dialogs.ts'),
      known('src/ui/search-table/common-actions.ts'),
      known('src/ui/filter-bar/filter-bar.tsx'),
      known('src/ui/filter-bar/list-views.tsx'),
      known('src/domain/status.tsx'),
      known('src/ui/save-file.tsx'),
    ],
  },
  // Small files that the chat and other pages both use.
  {
    name: 'rooms',
    modules: [
      known('src/chat/model/message-kinds.ts'),
      known('src/domain/chat-link.tsx'),
      known('src/chat/view/room-theme.ts'),
      known('src/chat/view/waiting-time.tsx'),
    ],
  },
  { name: 'chat', modules: chat },
]

/** Modules that index.html preloads. Its own script imports them only after it has found a session. */
export const officeAhead: readonly string[] = [call, mount, office]

/** By the beginning of an address, the modules of its page: fetched beside those of the office (preload-page.ts). */
export const pagesAhead: Readonly<Record<string, readonly string[]>> = {
  '/index': [known('src/features/home/home-page.tsx')],
  '/agent': [accounts],
  '/customer_service': [accounts],
  '/user': [accounts],
  '/chat': chat,
}

/** What the member's page loads after its sign-in. */
export const memberChat = known('src/member/chat-page.tsx')

/** How the file name of a lazily imported module's script begins. */
const scriptOf = (path: string) => basename(known(path), extname(path))

/** Scripts whose size the budget limits (e2e/process/budget.test.ts), by the beginning of their names. */
export const budgeted = {
  atOnce: [
    'index',
    ...groups.filter(({ modules }) => modules?.some((path) => officeAhead.includes(path))).map(({ name }) => name),
  ],
  home: scriptOf('src/features/home/home-page.tsx'),
  list: scriptOf('src/features/account/list-page.tsx'),
  dialog: scriptOf('src/features/account/add-dialog.tsx'),
  history: scriptOf('src/features/transfer/history-page.tsx'),
  memberChat: scriptOf(memberChat),
}

/** The absolute path of a file of web/. */
export const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Whether a module id of the bundler is one of these files. */
export const isOneOf = (paths: readonly string[] = []) => {
  const wanted = new Set(paths.map((path) => pathOf(path).replaceAll('\\', '/')))
  return (id: string) => wanted.has((id.split('?')[0] ?? '').replaceAll('\\', '/'))
}
