import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'

let root: Root | undefined

/** Renders the page as a transition, so that React yields to keys and clicks. A normal render would block them. */
export const mount = (page: ReactNode) => {
  const box = document.getElementById('root')
  if (!box) return
  root ??= createRoot(box)
  const on = root
  startTransition(() => on.render(<StrictMode>{page}</StrictMode>))
}
