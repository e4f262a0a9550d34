import { type Sql, sql } from '../data/sql.ts'

/**
 * The one place where usernames are masked. To a viewer who `masks`, the username of everyone else but sub accounts
 * (is_sub = 1) is its first two letters, ***, and its last three; whatever leaves the server for that viewer takes names from here.
 */
export type Viewer = { id: number; masks: boolean }
export const unmasked: Viewer = { id: 0, masks: false }
export type Named = { id: number; username: string; isSub: 0 | 1 }

/** Of a name of five letters or fewer that would be all of it: those show one letter at each end. */
const masked = (username: string) => {
  const [head, tail] = username.length > 5 ? [2, 3] : [1, 1]
  return `${username.slice(0, head)}***${username.slice(-tail)}`
}

const isHidden = (viewer: Viewer, { id, isSub }: Named) => viewer.masks && isSub !== 1 && id !== viewer.id

export const shownUsername = (viewer: Viewer, account: Named): string =>
  isHidden(viewer, account) ? masked(account.username) : account.username

/** A nickname or a remark as the viewer sees it: many people take their username as nickname, and remarks repeat it. */
export const shownText = (viewer: Viewer, account: Named, text: string): string => {
  if (!isHidden(viewer, account) || account.username === '') return text
  const lower = text.toLowerCase()
  const name = account.username.toLowerCase()
  // Letters that change their length with their case would shift what is found: then nothing of the text is shown.
  if (lower.length !== text.length) return lower.includes(name) ? '***' : text
  let shown = ''
  let from = 0
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, from)) {
    shown += text.slice(from, at) + masked(account.username)
    from = at + name.length
  }
  return shown + text.slice(from)
}

/** The platform's own id of an account names a person as surely as the username, so it is shown whole or not at all. */
export const shownKey = (viewer: Viewer, account: Named, key: string | null): string | null =>
  isHidden(viewer, account) ? null : key

/** A search by username: a part in any case; the whole name for those who see it masked, or else searching would unmask it. */
export const usernameFits = (viewer: Viewer, column: Sql, text: string): Sql =>
  viewer.masks
    ? sql`(${text} = '' or lower(${column}) = lower(${text}))`
    : sql`(${text} = '' or strpos(lower(${column}), lower(${text})) > 0)`

/** The same by nickname: one that holds the username is found as a whole only. */
export const nicknameFits = (viewer: Viewer, nickname: Sql, username: Sql, text: string): Sql => {
  const found = sql`(${text} = '' or strpos(lower(${nickname}), lower(${text})) > 0)`
  if (!viewer.masks) return found
  return sql`(${found} and (${text} = '' or lower(${nickname}) = lower(${text})
    or strpos(lower(${nickname}), lower(${username})) = 0))`
}
