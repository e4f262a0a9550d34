import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { alerts, button, renderOffice } from '../../testing/render.tsx'
import { FourEyesCard } from './four-eyes-card.tsx'

test('[CAPS-04] an admin chooses the changes; without another admin it is refused, and taking one out waits', async () => {
  server.answers('change/rules', { kinds: ['credit'] })
  server.once.refuses('change/saveRules', 'change.needs_two')
  const { user } = await renderOffice(<FourEyesCard />)
  await user.click(await screen.findByRole('checkbox', { name: t('change.export') }))
  await user.click(button(t('action.save')))
  await waitFor(() => expect(alerts()).toContain(wordsOf('change.needs_two')))
  expect(server.asked('change/saveRules')).toMatchObject([{ kinds: ['credit', 'export'] }])
  server.answers('change/saveRules', { approval: 1 })
  const credit = screen.getByRole<HTMLInputElement>('checkbox', { name: t('change.credit') })
  await user.click(credit)
  await user.click(button(t('action.save')))
  expect(await screen.findByText(t('change.asked'))).toBeTruthy()
  expect(credit.checked).toBe(true)
})
