import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { SearchResults } from './search-results.tsx'

const hit = {
  code: 'c',
  room_id: 5,
  member_id: 20,
  seq: 1,
  is_self: false,
  name: 'Mia',
  username: 'mia01',
  thumbnail: '',
  before: '',
  hit: 'slip',
  after: '',
  created_at: '2026-11-20T10:00:00.000Z',
}

test.each([
  [3, '3 results'],
  [0, 'No results'],
])('a search that finds %i messages is read out with their number', async (n, text) => {
  server.answers('friend/list', { data: [], pagination: { pages: 0, current: 1, previous: null, next: null } })
  server.answers('search/notes', { data: [] })
  const data = Array.from({ length: n }, (_, at) => ({ ...hit, message_id: `m${at}` }))
  server.answers('search/messages', { data, next: null, looked_to: null })
  await renderOffice(<SearchResults text="slip" />)
  const messages = within(await screen.findByRole('region', { name: t('search.messages') }))
  await waitFor(() => expect(messages.getByRole('status').textContent).toBe(`${t('search.messages')}: ${text}`))
})
