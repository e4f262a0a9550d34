import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** The place beside the page's title. Null until it is on the page. */
export const ActsElement = createContext<HTMLElement | null | undefined>(undefined)

/** The place behind the page's title. Null until it is on the page. */
export const ViewsElement = createContext<HTMLElement | null | undefined>(undefined)

/** The views of a list, in one line with the page's title; where a part is shown without the frame, at its own place. */
export const PageViews = ({ children }: { children: ReactNode }) => {
  const element = use(ViewsElement)
  if (element === null) return null
  return element ? createPortal(children, element) : children
}

/** The acts on the whole page, beside its title; where a part is shown without the frame, at its own place. */
export const PageActs = ({ children }: { children: ReactNode }) => {
  const element = use(ActsElement)
  if (element === null) return null
  return element ? createPortal(children, element) : <div className="page-acts">{children}</div>
}
