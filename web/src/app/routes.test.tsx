import { agentLandings, MEMBER_LANDING, officeAddresses } from '@tallyroom/contract/pages/office-addresses'
import { QueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { makeRouter } from './routes.tsx'

const router = makeRouter(new QueryClient())
const searchAt = (path: string, search: Record<string, unknown>) => router.matchRoutes(path, search).at(-1)?.search

test('[FIND-01] an address sets the filters of its page; a value that is no text is dropped', () => {
  const search = searchAt('/agent', { username: ['ann'], balance: 0, nickname: 'Ann', seen: null })
  expect(search).toMatchObject({ balance: 0, nickname: 'Ann', username: undefined, seen: undefined })
  expect(searchAt('/chat/messaging', { ai: '1', request: { id: 7 } })).toMatchObject({ ai: 1, request: undefined })
})

test.each([
  '1e10',
  '1.50',
  '007',
  '12345678901234567890',
  'null',
  'true',
  'false',
  '-0.0',
  '{}',
  '[1]',
  '1234',
  '"ann"',
  '"',
])(
  '[FIND-01] [TEXT-02] a link to the account %s opens the list with it, and so does the address that this writes',
  (username) => {
    const { parseSearch, stringifySearch } = router.options
    const read = (address: string) =>
      String((searchAt('/user', parseSearch(address)) as { username?: unknown }).username)
    const plain = `?${new URLSearchParams({ username })}`
    // What is in quotes, the router has written.
    if (username !== '"ann"') expect(read(plain)).toBe(username)
    expect(read(stringifySearch({ username }))).toBe(username)
  },
)

test('a link cannot set what its page does not read', () => {
  const links = [
    <Link key="statement" to="/report/statement" search={{ id: 7 }} />,
    // @ts-expect-error a statement is of an `id`
    <Link key="member" to="/report/statement" search={{ member_id: 7 }} />,
    // @ts-expect-error the queue has no such filter
    <Link key="queue" to="/cash" search={{ status: 'paid' }} />,
  ]
  expect(links).toHaveLength(3)
})

test('[RUN-02] the server knows the first part of every address; /404 is none, and is answered so', () => {
  const parts = Object.keys(router.routesByPath).map((path) => path.split('/')[1]?.toLowerCase() ?? '')
  expect(new Set([...parts, ...agentLandings, MEMBER_LANDING])).toEqual(new Set([...officeAddresses, '404', '$']))
})
