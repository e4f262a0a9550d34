import { isOffice } from '@tallyroom/contract/codes'
import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, use } from 'react'
import { InButton } from '../ui/search-table/in-button.ts'
import { isMasked } from './masked.ts'
import './account-link.css'

/** An account that a screen names. Without an id a masked name leads nowhere. */
export type Named = { id?: number | null | undefined; username: string; role_id?: number | undefined }

/** Marks an id in an address: no username contains it. */
const ID = '~'

/** The part of an address that names an account; undefined where it is not known by a name or an id. */
export const nameInPath = ({ id, username }: Named): string | undefined =>
  username !== '' && !isMasked(username) ? username : id ? `${ID}${id}` : undefined

/** The address of the page of an account, if it can be named. */
export const accountPath = ({ role_id, ...who }: Named): string | undefined => {
  const name = nameInPath(who)
  // The page of a member leads on to the page of a colleague, where the role is not known.
  const page = role_id !== undefined && isOffice(role_id) ? 'colleague' : 'member'
  return name === undefined ? undefined : `/${page}/${encodeURIComponent(name)}`
}

/** The account that an address names. */
export const accountInPath = (name: string): { id: number } | { username: string } =>
  name.startsWith(ID) && /^[1-9]\d{0,9}$/.test(name.slice(1)) ? { id: Number(name.slice(1)) } : { username: name }

/** A press with the middle button or a held key is the browser's: it opens another tab. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

/** MEMB-01: the name of an account leads to its page. A plain link, because lists render hundreds while they scroll. */
export const AccountLink = ({ who, children }: { who: Named; children: ReactNode }) => {
  const router = useRouter()
  const isInButton = use(InButton)
  const href = accountPath(who)
  if (href === undefined || isInButton) return children
  return (
    <a
      className="name-link"
      href={href}
      onClick={(event) => {
        // The row around it would open too.
        event.stopPropagation()
        if (!isPlain(event)) return
        event.preventDefault()
        void router.navigate({ href })
      }}
    >
      {children}
    </a>
  )
}
