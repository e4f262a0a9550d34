import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** The place beside the page's title. Null until it is on the page. */
export const ActsPlace = createContext<HTMLElement | null | undefined>(undefined)

/** The acts on the whole page, beside its title; where a part is shown without the frame, at its own place. */
export const PageActs = ({ children }: { children: ReactNode }) => {
  const place = use(ActsPlace)
  if (place === null) return null
  return place ? createPortal(children, place) : <div className="page-acts">{children}</div>
}
