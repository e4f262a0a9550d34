import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { transferSource } from '../features/transfer/palette-transfers.tsx'
import { t } from '../i18n/i18n.ts'
import { server } from '../testing/fake-server.ts'
import { ownAccount } from '../testing/fixtures.ts'
import { alerts, renderOffice } from '../testing/render.tsx'
import { Palette } from './palette/palette.tsx'

beforeEach(() => {
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
  Element.prototype.scrollIntoView = () => {}
  server.answers('user/view', ownAccount())
})

test('[FIND-03] [TEXT-01] a number that may be two amounts is not searched for, and the palette says why', async () => {
  const { user } = await renderOffice(<Palette sources={[transferSource]} onOpen={() => {}} onClose={() => {}} />)
  await user.type(screen.getByRole('combobox'), '1.250')
  await waitFor(() => expect(alerts()).toEqual([t('amount.two_readings', { more: '1250', less: '1.25' })]))
  expect(server.asked('transaction/list')).toEqual([])
  await user.clear(screen.getByRole('combobox'))
  server.answers('transaction/list', { data: [], total: 0, next: null })
  await user.type(screen.getByRole('combobox'), '1.250,50')
  await waitFor(() => expect(server.asked('transaction/list').at(-1)).toMatchObject({ min_amount: '1250.50' }))
  expect(alerts()).toEqual([])
})
