import { Role } from '@tallyroom/contract/codes'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { ownAccount } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { Side } from './side.tsx'

test('[SHELL-01] [SHELL-08] the own balance; for customer service the wallet that pays, in place of its empty one', async () => {
  server.answers('userMenu/list', [])
  server.answers('user/view', ownAccount())
  const { unmount } = await renderOffice(<Side />)
  expect(await screen.findByText('500.00')).toBeTruthy()
  expect(screen.getByText(t('shell.balance'))).toBeTruthy()
  unmount()

  const payer = { id: 10, name: 'Ann', available: '1200.5000', unlimited: false }
  server.answers(
    'user/view',
    ownAccount({ role_id: Role.customerService, balance: '0.0000', used_credit: '0.0000', payer }),
  )
  await renderOffice(<Side />)
  expect(await screen.findByText('1,200.50')).toBeTruthy()
  expect(screen.getByText(t('panel.pays_from', { name: 'Ann' }))).toBeTruthy()
  expect(screen.queryByText('0.00')).toBeNull()
})
