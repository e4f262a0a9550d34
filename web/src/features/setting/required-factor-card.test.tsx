import { Role } from '@tallyroom/contract/codes'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { alerts, button, fill, renderOffice } from '../../testing/render.tsx'
import { RequiredFactorCard } from './required-factor-card.tsx'

test('[PASS-03] the top account chooses the roles, and confirms with its password when the server wants it', async () => {
  server.answers('factor/required', { roles: [Role.agent] })
  server.once.refuses('factor/require', 'session.needs_password')
  server.answers('factor/require', null)
  const { user } = await renderOffice(<RequiredFactorCard />)
  const service = await screen.findByRole<HTMLInputElement>('checkbox', { name: t('role.customer_service') })
  expect([service.checked, screen.getByRole<HTMLInputElement>('checkbox', { name: t('role.agent') }).checked]).toEqual([
    false,
    true,
  ])
  await user.click(service)
  await user.click(button(t('action.save')))
  // Asking for it is not an error.
  await screen.findByLabelText(new RegExp(t('payment.login_password')))
  expect(alerts()).toEqual([])
  await fill(user, t('payment.login_password'), 'own-one')
  await user.click(button(t('action.save')))
  await screen.findByText(t('done.saved'))
  expect(server.asked('factor/require')[1]).toMatchObject({
    roles: [Role.agent, Role.customerService],
    current_password: 'own-one',
  })
})
