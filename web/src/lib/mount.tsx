import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'

let root: Root | undefined

/** In slices, so that what comes meanwhile is not kept waiting. */
export const mount = (page: ReactNode) => {
  const box = document.getElementById('root')
  if (!box) return
  root ??= createRoot(box)
  const on = root
  startTransition(() => on.render(<StrictMode>{page}</StrictMode>))
}
