import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The network of one customer of a provider, by which everything is counted: a customer of IPv6 has 2^64 addresses. */
export type Network = string & { readonly isNetwork: true }

/** An IPv4 address, also in its IPv6 form, or a whole /64 of IPv6. A port or zone beside the address is left out. */
export const networkOf = (address: string): Network => {
  const bare = withoutPort(address)
  return (isIPv6(bare) ? networkOfGroups(groupsOf(bare)) : bare) as Network
}

/** Some proxies name the port of the client too, which each connection would make another address. */
const withoutPort = (address: string): string => {
  const [, inBrackets, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? []
  if (plain !== undefined && isIPv4(plain)) return plain
  return (inBrackets ?? address).replace(/%.*$/, '')
}

/** The eight numbers of an IPv6 address. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const left = numbersOf(head)
  const right = numbersOf(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array.from({ length: zeros }, () => 0), ...right]
}
const numbersOf = (part: string): number[] =>
  part
    .split(':')
    .filter(Boolean)
    .flatMap((group) => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)]
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
      return [a * 256 + b, c * 256 + d]
    })

const networkOfGroups = (groups: number[]): string => {
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** Whether this is an address, or a network in CIDR form. */
export const isNetwork = (text: string): boolean => {
  const [, base = '', length = '0'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return (isIPv4(base) && Number(length) <= 32) || (isIPv6(base) && !base.includes('%') && Number(length) <= 128)
}

/** Whether an address is in one of these networks in CIDR form, or is one of these addresses. */
export const isWithin = (address: string, networks: readonly string[]): boolean => {
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', length] = network.split('/')
    const family = isIPv4(base) ? 'ipv4' : 'ipv6'
    list.addSubnet(base, Number(length ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  const bare = withoutPort(address).replace(/^::ffff:(?=[\d.]+$)/i, '')
  if (isIPv4(bare)) return list.check(bare, 'ipv4')
  return isIPv6(bare) && list.check(bare, 'ipv6')
}
