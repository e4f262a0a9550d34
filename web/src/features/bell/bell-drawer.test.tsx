import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { BellDrawer } from './bell-drawer.tsx'
import { type BellRow, itemPath } from './bell-item.ts'

const row = (own: Partial<BellRow>): BellRow => ({
  id: 1,
  kind: 'mention',
  created_at: '2026-11-22T10:00:00.000Z',
  read: 0,
  name: 'Mika',
  username: 'mika',
  rooms: 1,
  room: { room_id: 7, member_id: 20, code: 'abc', name: 'Gina Wong' },
  at: 12,
  note: null,
  text: 'look @Dana',
  approval_id: null,
  change_id: null,
  cash_id: null,
  state: null,
  change: null,
  amount: null,
  reason_code: null,
  ...own,
})
const decided = row({
  id: 2,
  kind: 'decision',
  room: null,
  at: null,
  approval_id: 5,
  state: 'refused',
  amount: '150.0000',
})

const open = async (data: BellRow[]) => {
  server.answers('bell/list', { data, next: null })
  server.answers('bell/open', { unread: data.length, pushes: ['mention', 'handed', 'decision', 'refused'] })
  server.answers('userMenu/list', [])
  server.answers('bell/read', null)
  const onClose = vi.fn<() => void>()
  return { onClose, ...(await renderOffice(<BellDrawer onClose={onClose} />)) }
}

test('[BELL-02] an item leads to its place and is read; all are read up to the newest one', async () => {
  const { user, router, onClose } = await open([row({ id: 9 }), decided])
  await user.click(await screen.findByRole('button', { name: t('bell.read_all') }))
  await waitFor(() => expect(server.asked('bell/read')).toMatchObject([{ up_to: 9 }]))
  await user.click(screen.getByRole('link', { name: new RegExp(t('bell.mention', { name: 'Mika' })) }))
  await waitFor(() => expect(server.asked('bell/read')[1]).toMatchObject({ ids: [9] }))
  expect(onClose).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(router.state.location.href).toBe('/chat/messaging/7/20/abc?at=12'))
})

test('[BELL-02] a person chooses which kinds are pushed', async () => {
  server.answers('bell/choose', null)
  const { user } = await open([])
  expect(await screen.findByText(t('bell.empty'))).toBeTruthy()
  await user.click(await screen.findByText(t('bell.pushes')))
  await user.click(screen.getByRole('checkbox', { name: t('bell.kind_decision') }))
  await waitFor(() => expect(server.asked('bell/choose')).toMatchObject([{ pushes: ['mention', 'handed', 'refused'] }]))
  expect(button(t('action.close'))).toBeTruthy()
})

test('[BELL-02] each kind leads to a page that its reader has', () => {
  const has = () => true
  const hasNone = () => false
  const note = { note_id: 3, member_id: 20, title: 'a/b?' }
  expect(itemPath(row({ note }), has)).toBe('/chat/noteContent/3/20/a%2Fb%3F')
  expect(itemPath(row({ kind: 'handed', rooms: 5, room: null }), has)).toBe('/chat/messaging')
  expect(itemPath(decided, has)).toBe('/approvals?state=decided&approval=5')
  expect(itemPath(row({ ...decided, approval_id: null, change_id: 6 }), has)).toBe(
    '/approvals?state=decided&approval=c6',
  )
  expect(itemPath(decided, hasNone)).toBeUndefined()
  expect(itemPath(row({ kind: 'refused', cash_id: 4 }), has)).toBe('/cash?request=4')
  expect(itemPath(row({ kind: 'refused', cash_id: 4 }), hasNone)).toBe('/chat/messaging/7/20/abc?at=12')
})
