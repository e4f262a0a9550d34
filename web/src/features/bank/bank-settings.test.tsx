import { BankStatus } from '@tallyroom/contract/codes'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { bankRules } from '../../testing/fixtures.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { BankSettings } from './bank-settings.tsx'

test('[BANK-01] a bank that is renamed, or not, has the focus on its own button again', async () => {
  server.answers('bank_setting/view', bankRules({ is_third: 1 }))
  server.answers('orderType/list', {
    data: ['North', 'South'].map((name, id) => ({ id, name, status: BankStatus.offered })),
  })
  server.answers('orderType/save', { id: 1 })
  const { user } = await renderOffice(<BankSettings />)
  const south = t('bank.rename', { name: 'South' })
  await user.click(await screen.findByRole('button', { name: south }))
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(button(south))
  await user.keyboard('{Enter}')
  await user.keyboard('ern{Enter}')
  expect(await screen.findByRole('button', { name: south })).toBe(document.activeElement)
})
