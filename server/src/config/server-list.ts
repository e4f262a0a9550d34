/**
 * An address that may name several servers behind one user and password, as libpq and Sentinel write it:
 * scheme://user:password@one:1,two:2/name. @returns the address of each; undefined when one of them is none
 */
export const splitServers = (given: string): string[] | undefined => {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z][a-z+]*:\/\/)([^/?#]*)(.*)$/s.exec(given) ?? []
  if (!scheme) return undefined
  const at = authority.lastIndexOf('@') + 1
  const names = authority.slice(at).split(',')
  if (names.length > 1 && names.includes('')) return undefined
  const addresses = names.map((name) => `${scheme}${authority.slice(0, at)}${name}${rest}`)
  return addresses.every((address) => URL.canParse(address)) ? addresses : undefined
}

/** Host and port of one server. A path of a socket is written with %2F, an address of IPv6 in brackets. */
export const addressOf = ({ hostname, port }: URL, usualPort: number): { host: string; port: number } => ({
  host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
  port: Number(port) || usualPort,
})
