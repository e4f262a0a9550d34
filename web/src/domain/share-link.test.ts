import { expect, test } from 'vitest'
import { shareLink, siteForOthers } from './share-link.ts'

test.each([
  ['', 'https://own.example/Signup/abcd2345'],
  ['https://join.example', 'https://join.example/Signup/abcd2345'],
  ['https://join.example/', 'https://join.example/Signup/abcd2345'],
  ['https://join.example/vip', 'https://join.example/vip/Signup/abcd2345'],
  ['https://join.example/?a=', 'https://join.example/?a=abcd2345'],
  ['https://join.example/land?a=x&code=', 'https://join.example/land?a=x&code=abcd2345'],
  ['https://join.example/?a=to/', 'https://join.example/?a=to/abcd2345'],
])('[SHELL-03] the share link of the domain "%s"', (domain, link) => {
  expect(shareLink({ domain, share_code: 'abcd2345' }, 'https://own.example')).toBe(link)
})

test.each([
  ['http://localhost:3000', 'http://192.168.1.20:3000', 'http://192.168.1.20:3000'],
  ['http://127.0.0.1:3000', 'https://rooms.example', 'https://rooms.example'],
  ['http://[::1]:3000', undefined, 'http://[::1]:3000'],
  ['https://rooms.example', 'http://192.168.1.20:3000', 'https://rooms.example'],
])('[FIRST-01] a link made at %s, while other devices find the server at %s, begins with %s', (at, site, expected) => {
  expect(siteForOthers(site, new URL(at))).toBe(expected)
})
