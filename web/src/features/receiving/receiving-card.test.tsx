import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { alerts, button, renderOffice } from '../../testing/render.tsx'
import { ReceivingCard } from './receiving-card.tsx'

const north = {
  id: 4,
  bank: 'North',
  account_name: 'Tally House',
  account_no: '12345678',
  qr: '',
  times: { from: '22:00', until: '06:00' },
  day_limit: '5000.0000',
  position: 0,
  status: 1,
  changed_at: null,
} as const

test('[CASH-08] a new account comes after the others, and an empty field says so', async () => {
  server.answers('receiving/list', { data: [north] })
  server.answers('receiving/save', { approval: 0 })
  const { user } = await renderOffice(<ReceivingCard />)
  expect((await screen.findByRole('listitem')).textContent).toMatch(/North 12345678.*22:00–06:00.*5,000/)
  await user.click(button(t('receiving.add')))
  await user.type(screen.getByLabelText(new RegExp(`^${t('bank.bank')}`)), 'South')
  await user.click(button(t('action.save')))
  expect(alerts()).toEqual([t('field.needed'), t('field.needed')])
  await user.type(screen.getByLabelText(new RegExp(t('bank.account_name'))), 'Tally House')
  await user.type(screen.getByLabelText(new RegExp(t('bank.account_no'))), '87654321')
  await user.click(button(t('action.save')))
  await waitFor(() =>
    expect(server.asked('receiving/save')).toEqual([
      {
        bank: 'South',
        account_name: 'Tally House',
        account_no: '87654321',
        times: null,
        day_limit: null,
        position: 1,
        status: 1,
        request_id: expect.any(String),
      },
    ]),
  )
})

test('[CASH-08] a change asks for the password where the server wants it, and says when it waits', async () => {
  server.answers('receiving/list', { data: [north] })
  server.once.refuses('receiving/save', 'session.needs_password')
  const { user } = await renderOffice(<ReceivingCard />)
  await user.click(await screen.findByRole('button', { name: t('receiving.edit', { name: 'North 12345678' }) }))
  await user.click(screen.getByLabelText(t('bank.offered')))
  await user.click(button(t('action.save')))
  await user.type(await screen.findByLabelText(new RegExp(t('payment.login_password'))), 'secret123')
  server.answers('receiving/save', { approval: 1 })
  await user.click(button(t('action.save')))
  expect(await screen.findByText(t('change.asked'))).toBeTruthy()
  expect(server.asked('receiving/save').at(-1)).toMatchObject({
    id: 4,
    status: 0,
    day_limit: '5000',
    times: { from: '22:00', until: '06:00' },
    current_password: 'secret123',
  })
})
