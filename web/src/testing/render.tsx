import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouterHistory,
  RouterProvider,
  type StaticDataRouteOption,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { type ReactElement, Suspense } from 'react'
import { vi } from 'vitest'
import { searchTexts } from '../adapters/router-search.ts'
import { Notices } from '../ui/overlay/message.tsx'

type RenderAt = {
  /** The pattern of the page's address, such as `/transaction/list/{-$username}`. */
  path?: string
  /** The address itself. */
  address?: string
  staticData?: StaticDataRouteOption
  /** For tests of the browser's "back"; else one in memory that begins at the address. */
  history?: RouterHistory
  /** Milliseconds in which an answer is not asked for again, as the office sets them; none by default. */
  staleTime?: number
}

/** Draws a part of the back office as its pages do: with a router, notices and an empty cache. */
export const renderOffice = async (part: ReactElement, at: RenderAt = {}) => {
  const { path = '/', address = path, staticData = {}, staleTime = 0 } = at
  const history = at.history ?? createMemoryHistory({ initialEntries: [address] })
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path, staticData, component: () => part })
  const others = createRoute({ getParentRoute: () => root, path: '$', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([page, others]),
    history,
    ...searchTexts,
  })
  await router.load()
  const cache = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime }, mutations: { retry: false } },
  })
  const view = render(
    <QueryClientProvider client={cache}>
      <Suspense>
        <RouterProvider router={router as never} />
      </Suspense>
      <Notices />
    </QueryClientProvider>,
  )
  return { ...view, router, user: userEvent.setup({ delay: null }) }
}

/** Draws a part of a light page, which has no router. */
export const renderLight = (part: ReactElement) => ({ ...render(part), user: userEvent.setup({ delay: null }) })

const labelled = (label: string) =>
  // A dialog may have the same title.
  [(text: string) => text.replace(/ \*$/, '') === label, { selector: 'input, select, textarea, button' }] as const

/** The control with this label, whether or not it is marked as required. */
export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(...labelled(label))

export const button = (name: string) => screen.getByRole('button', { name })

/** Whether the browser would ask before the page is left. */
export const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

/** The texts of all alerts, in the order of the page. */
export const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

/**
 * Puts a text into a field at once, as from the clipboard; waits for a field that only an answer brings. A test that is
 * about single keys uses `user.type`.
 */
export const fill = async (user: UserEvent, label: string, text: string) => {
  // Asked for at once first: waiting would not end under false timers.
  const control = screen.queryByLabelText(...labelled(label)) ?? (await screen.findByLabelText(...labelled(label)))
  await user.clear(control)
  await user.click(control)
  await user.paste(text)
}

/** The browser says that its line is back or gone. Restore the mock after the test. */
export const goOnline = (is: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is)
  act(() => void window.dispatchEvent(new Event(is ? 'online' : 'offline')))
}
