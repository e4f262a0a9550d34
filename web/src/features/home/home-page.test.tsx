import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { menuPage, ownAccount } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { HomePage } from './home-page.tsx'

const none = { offers: 0, held: '0.0000', requests: 0, asked: '0.0000' }
const page = (name: string, url: string) => menuPage(url, { name })

test.each([2, 0])('[HOME-01] what waits for approval is among the decisions: %i', async (waiting) => {
  server.answers('user/view', ownAccount())
  server.answers('userMenu/list', [page('approvals', '/approvals'), page('transaction_log', '/transaction/list')])
  server.answers('home/view', { days: [], open: none, low: [], sign_ins: [] })
  server.answers('home/steps', { steps: [] })
  server.answers('approval/open', { open: waiting })
  await renderOffice(<HomePage />)
  await screen.findByText(t('home.open_envelopes'))
  await waitFor(() => expect(server.asked('approval/open')).toHaveLength(1))
  const link = () => screen.queryByRole('link', { name: `${t('menu.approvals')} ${waiting}` })
  await waitFor(() => expect(link() !== null).toBe(waiting > 0))
})

test('[RIGHT-01] without the log nothing leads to it, and without anything to decide there is no such card', async () => {
  server.answers('user/view', ownAccount())
  server.answers('userMenu/list', [page('tree', '/tree')])
  server.answers('home/view', { days: [], open: null, low: [], sign_ins: [] })
  server.answers('home/steps', { steps: [] })
  await renderOffice(<HomePage />)
  await waitFor(() => expect(server.asked('home/view')).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText(t('home.decide'))).toBeNull())
})
