import { BlockList, isIP } from 'node:net'

const special = new BlockList()
const v4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
for (const [net, bits] of v4) special.addSubnet(net, bits, 'ipv4')
// Some of these contain an IPv4 address: allowing one would allow the address inside.
const v6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const
for (const [net, bits] of v6) special.addSubnet(net, bits, 'ipv6')
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** True for addresses of the public internet: not private, local, shared, mapped or reserved. */
export const isPublicAddress = (address: string): boolean => {
  const bare = address.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return !special.check(bare, 'ipv4')
  return family === 6 && global.check(bare, 'ipv6') && !special.check(bare, 'ipv6')
}
