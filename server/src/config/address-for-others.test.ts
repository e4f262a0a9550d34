import type { NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { addressForOthers } from './address-for-others.ts'

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}) =>
  ({ address, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo
const interfaces: ReturnType<typeof networkInterfaces> = {
  lo: [at('127.0.0.1', { internal: true })],
  docker0: [at('172.17.0.1')],
  wlan0: [at('fe80::1', { family: 'IPv6' } as Partial<NetworkInterfaceInfo>), at('192.168.1.20')],
}

test.each([
  [{ publicUrl: 'https://rooms.example.com', host: '127.0.0.1', port: 3000 }, 'https://rooms.example.com'],
  [{ publicUrl: undefined, host: '0.0.0.0', port: 3000 }, 'http://192.168.1.20:3000'],
  [{ publicUrl: undefined, host: '::', port: 80 }, 'http://192.168.1.20:80'],
  [{ publicUrl: undefined, host: '127.0.0.1', port: 3000 }, undefined],
  [{ publicUrl: undefined, host: '0.0.0.0', port: 0 }, undefined],
])('[FIRST-01] other devices find the server with %o at %s', (settings, address) => {
  expect(addressForOthers(settings, interfaces)).toBe(address)
})

test('[FIRST-01] without a network nobody else finds it', () => {
  const settings = { publicUrl: undefined, host: '0.0.0.0', port: 3000 }
  expect(addressForOthers(settings, { lo: interfaces.lo })).toBeUndefined()
})
