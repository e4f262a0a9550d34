import { addressOf, splitServers } from './server-list.ts'

/** One server of a database: where it is, and the whole address that names only it. */
export type DatabaseHost = { host: string; port: number; url: string }

/** `hosts`: the servers of which one takes writes; undefined when the address names one server and no condition. */
export type DatabaseAddress = { url: string; hosts: DatabaseHost[] | undefined; attrs: string | null }

/**
 * Reads an address as libpq does, with several servers: postgresql://user:password@one:5432,two:5432/name. Undefined when it
 * is none.
 */
export const parseDatabaseUrl = (given: string): DatabaseAddress | undefined => {
  const urls = /^postgres(ql)?:/.test(given) ? splitServers(given) : undefined
  if (!urls) return undefined
  const hosts = urls.map((url) => hostOf(new URL(url)))
  const attrs = new URL(urls[0] ?? '').searchParams.get('target_session_attrs')
  return { url: urls[0] ?? '', hosts: hosts.length > 1 || attrs !== null ? hosts : undefined, attrs }
}

const hostOf = (url: URL): DatabaseHost => {
  const { host, port } = addressOf(url, 5432)
  return { host: host || 'localhost', port, url: url.href }
}

/** Whether the address asks for the server that takes writes, or does not ask. */
export const asksForPrimary = (given: string): boolean => {
  const attrs = parseDatabaseUrl(given)?.attrs
  return attrs === null || attrs === 'read-write' || attrs === 'primary'
}

/** Whether the address leaves open which of its servers takes writes: those are only read. */
export const asksForAny = (given: string): boolean => {
  const attrs = parseDatabaseUrl(given)?.attrs
  return attrs === null || attrs === 'any'
}

/** Several servers after `?host=` would be one unknown name to our client. */
export const namesHostsInQuery = (given: string): boolean => /[?&]host=[^&]*,/.test(given)
