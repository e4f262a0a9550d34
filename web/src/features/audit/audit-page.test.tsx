import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { AuditPage } from './audit-page.tsx'

test('[S28] the file has what the last search found, also beyond the page', async () => {
  const row = { id: '7', at: '2026-11-20 10:00:00', kind: 'signed_in', actor_id: 5, actor_username: 'ann01' } as const
  const rest = { target_id: null, target_username: '', address: '10.0.0.1', facts: [] }
  server.answers('listView/list', { data: [] })
  server.answers('audit/list', { data: [{ ...row, ...rest }], total: 201 })
  server.answers('audit/export', { name: 'audit-log.csv', csv: '"a"', cut: false })
  const { user } = await renderOffice(<AuditPage />, { path: '/audit', address: '/audit?actor=ann01&kind=signed_in' })
  await screen.findByText('10.0.0.1')
  await user.click(button(t('account.export')))
  expect(await screen.findByText(t('account.exported', { name: 'audit-log.csv' }))).toBeTruthy()
  const [listed] = server.asked('audit/list')
  const { page: _page, per_page: _rows, ...search } = listed ?? {}
  await waitFor(() => expect(server.asked('audit/export')).toEqual([search]))
  expect(search).toMatchObject({ actor: 'ann01', kind: 'signed_in' })
})
