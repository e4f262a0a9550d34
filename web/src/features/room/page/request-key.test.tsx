import { screen, waitFor } from '@testing-library/react'
import type { CashCard } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { cashRow, ownAccount } from '../../../testing/fixtures.ts'
import { button, renderOffice } from '../../../testing/render.tsx'
import { RoomCashRequest } from './room.tsx'
import { Shortcuts } from './shortcuts.tsx'

const cash: CashCard = {
  id: 31,
  direction: 'out',
  state: 'asked',
  bank: '',
  account_no: '',
  slip: '',
  reason: '',
  taken_by: null,
  taken_name: '',
  expires_at: '2026-11-30T10:00:00Z',
  ended_at: null,
}

test('[CONV-03] Alt+Y starts the request in the conversation, and the tooltip of its button says so', async () => {
  server.answers('user/view', ownAccount())
  server.answers('cash/list', { data: [cashRow({ id: 31 })], next: null })
  server.answers('cash/take', { id: 31, state: 'taken' })
  const { user } = await renderOffice(
    <>
      <RoomCashRequest cash={cash} />
      <Shortcuts />
    </>,
  )
  expect(button(t('cash.take')).dataset.tip).toBe(`${t('keys.request')} (Alt+Y)`)
  await user.keyboard('{Alt>}[KeyY]{/Alt}')
  await waitFor(() => expect(server.asked('cash/take')).toMatchObject([{ id: 31 }]))
})

test('[API-03] the card says which key may have paid the request, and under which reference', async () => {
  server.answers('user/view', ownAccount())
  await renderOffice(<RoomCashRequest cash={{ ...cash, maybe_paid: { key: 'Payout server', reference: 'FT-77' } }} />)
  const warning = await screen.findByText(t('requests.maybe_paid', { key: 'Payout server' }), { exact: false })
  expect(warning.textContent).toContain('FT-77')
})
