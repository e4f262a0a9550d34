/** The search parameters of a list of accounts. */
export type AccountSearch = { username?: string; nickname?: string }

/** The router parses 007 as a number. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 64) : ''

export const readAccountSearch = (search: Record<string, unknown>): AccountSearch => {
  const [username, nickname] = [textOf(search.username), textOf(search.nickname)]
  return { ...(username ? { username } : {}), ...(nickname ? { nickname } : {}) }
}
