import { expect, test } from 'vitest'
import { shareLink } from './share-link.ts'

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
