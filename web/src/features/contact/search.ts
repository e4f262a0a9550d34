import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { searchText } from '../../ui/filter-bar/search-of.ts'

/** The search parameters of /chat/contact: filter, page, and selected contact. */
export type ContactSearch = {
  username?: string
  /** Absent: part of the name is enough. */
  fuzzy?: 0
  page?: number
  /** Absent: active contacts. */
  status?: 0
  member?: number
  /** Opens this contact's chat (CONT-04). */
  friend_id?: number
}

const positiveInteger = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : undefined
}

export const readContactSearch = (search: Record<string, unknown>): ContactSearch => {
  const username = cutText(searchText(search.username)?.trim() ?? '', MAX_TYPED_NAME)
  const [page, member, friend_id] = [
    positiveInteger(search.page),
    positiveInteger(search.member),
    positiveInteger(search.friend_id),
  ]
  return {
    ...(username ? { username } : {}),
    ...(Number(search.fuzzy ?? 1) === 0 ? { fuzzy: 0 as const } : {}),
    ...(page && page > 1 ? { page } : {}),
    ...(Number(search.status ?? 1) === 0 ? { status: 0 as const } : {}),
    ...(member ? { member } : {}),
    ...(friend_id ? { friend_id } : {}),
  }
}

/** Parameters of the friend redirect: a username, or the id of the contact. */
export type FriendSearch = { username?: string; friend_id?: number }
export const readFriendSearch = (search: Record<string, unknown>): FriendSearch => {
  const { username } = readContactSearch({ username: search.username })
  const friend_id = positiveInteger(search.friend_id)
  return { ...(username ? { username } : {}), ...(friend_id ? { friend_id } : {}) }
}
