/** What the address of /chat/contact says: what is searched for, where one is in it, and whom one looks at. */
export type ContactSearch = {
  username?: string
  /** Absent: a part of the name is enough. */
  fuzzy?: 0
  page?: number
  /** Absent: those in use. */
  status?: 0
  member?: number
  /** An address that names a friend leads to its chat (CONT-04). */
  friend_id?: number
}

const whole = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : undefined
}

/** The address reads 007 as a number. */
const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

export const readContactSearch = (search: Record<string, unknown>): ContactSearch => {
  const username = textOf(search.username).trim().slice(0, 64)
  const [page, member, friend_id] = [whole(search.page), whole(search.member), whole(search.friend_id)]
  return {
    ...(username ? { username } : {}),
    ...(Number(search.fuzzy ?? 1) === 0 ? { fuzzy: 0 as const } : {}),
    ...(page && page > 1 ? { page } : {}),
    ...(Number(search.status ?? 1) === 0 ? { status: 0 as const } : {}),
    ...(member ? { member } : {}),
    ...(friend_id ? { friend_id } : {}),
  }
}

/** Whom the friend redirect is asked for: by name, or by the number that names the relation. */
export type FriendSearch = { username?: string; friend_id?: number }
export const readFriendSearch = (search: Record<string, unknown>): FriendSearch => {
  const { username } = readContactSearch({ username: search.username })
  const friend_id = whole(search.friend_id)
  return { ...(username ? { username } : {}), ...(friend_id ? { friend_id } : {}) }
}
