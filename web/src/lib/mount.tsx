import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'

let root: Root | undefined

/** Draws the page as a transition: React gives way to keys and clicks between slices. Drawn at once, it would block them. */
export const mount = (page: ReactNode) => {
  const box = document.getElementById('root')
  if (!box) return
  root ??= createRoot(box)
  const on = root
  startTransition(() => on.render(<StrictMode>{page}</StrictMode>))
}
