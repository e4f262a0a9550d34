import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import { withoutUnseen } from '@tallyroom/contract/text/names'
import { type Sql, sql } from '../data/sql.ts'

/**
 * Masks usernames; the only place that does. A viewer who `masks` sees of everyone else's username the first two
 * letters, ***, and the last three, except of sub accounts (is_sub = 1). Every username sent to such a viewer must pass
 * through here.
 */
export type Viewer = { id: number; masks: boolean }
export const unmasked: Viewer = { id: 0, masks: false }
export type Named = { id: number; username: string; isSub: 0 | 1 }

/** Names of five letters or fewer show one letter at each end; two and three would be the whole name. */
const masked = (username: string) => {
  const [head, tail] = username.length > 5 ? [2, 3] : [1, 1]
  return `${username.slice(0, head)}***${username.slice(-tail)}`
}

const isHidden = (viewer: Viewer, { id, isSub }: Named) => viewer.masks && isSub !== 1 && id !== viewer.id

export const shownUsername = (viewer: Viewer, account: Named): string =>
  isHidden(viewer, account) ? masked(account.username) : account.username

/** A nickname or remark as the viewer sees it. Many nicknames are the username, and remarks repeat it. */
export const shownText = (viewer: Viewer, account: Named, text: string): string => {
  if (!isHidden(viewer, account) || account.username === '') return text
  const name = account.username.toLowerCase()
  const lower = text.toLowerCase()
  let shown = ''
  let from = 0
  // Where small letters change the length, their positions are not those of the text.
  const find = () => (lower.length === text.length ? lower.indexOf(name, from) : -1)
  for (let at = find(); at >= 0; at = find()) {
    shown += text.slice(from, at) + masked(account.username)
    from = at + name.length
  }
  shown += text.slice(from)
  // The name in full-width letters or with unseen ones between is read as the name.
  return fold(withoutUnseen(shown)).includes(name) ? '***' : shown
}

/** The platform's id of an account identifies it like the username: shown whole or not at all. */
export const shownKey = (viewer: Viewer, account: Named, key: string | null): string | null =>
  isHidden(viewer, account) ? null : key

/**
 * Matches a part of the username in any case; for viewers who mask only the whole, else a search would unmask names.
 */
export const usernameFits = (viewer: Viewer, column: Sql, text: string): Sql => {
  const wanted = foldWanted(text)
  // Usernames have letters of ASCII only, so their small letters are their folded form.
  return viewer.masks
    ? sql`(${wanted} = '' or lower(${column}) = ${wanted})`
    : sql`(${wanted} = '' or strpos(lower(${column}), ${wanted}) > 0)`
}

/**
 * The same for nicknames, given in their folded form (`nickname_folded`). For viewers who mask, a nickname that contains
 * the username matches as a whole only.
 */
export const nicknameFits = (viewer: Viewer, folded: Sql, username: Sql, text: string): Sql => {
  const wanted = foldWanted(text)
  const found = sql`(${wanted} = '' or strpos(${folded}, ${wanted}) > 0)`
  if (!viewer.masks) return found
  return sql`(${found} and (${wanted} = '' or ${folded} = ${wanted} or strpos(${folded}, lower(${username})) = 0))`
}

/** The order of what is found: prefix matches first; for viewers who mask by id, because the order would reveal letters. */
export const nameRank = (viewer: Viewer, text: string): Sql => {
  const wanted = foldWanted(text)
  return viewer.masks
    ? sql`a.id`
    : sql`case when strpos(lower(a.username), ${wanted}) = 1 or strpos(a.nickname_folded, ${wanted}) = 1 then 0 else 1 end`
}

/** The name of an account in small letters, which a viewer who masks must not find in a text; '' for none. */
export const hiddenName = (viewer: Viewer, id: Sql): Sql =>
  sql`(select case when h.is_sub = 1 or h.id = ${viewer.id}::int then '' else lower(h.username) end from accounts h
    where h.id = ${id})`
