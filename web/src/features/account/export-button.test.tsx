import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { ExportButton } from './export-button.tsx'

test('[S31] a file that could not hold all accounts says so', async () => {
  const file = { name: 'users.csv', csv: '"a"', approval: 0 } as const
  const { user } = await renderOffice(<ExportButton filter={{ menu_id: 13 }} disabled={false} />)
  server.answers('user/export', { ...file, cut: true })
  await user.click(button(t('account.export')))
  expect(await screen.findByText(t('account.cut', { name: 'users.csv', rows: '50,000' }))).toBeTruthy()
  server.answers('user/export', { ...file, cut: false })
  await user.click(button(t('account.export')))
  expect(await screen.findByText(t('account.exported', { name: 'users.csv' }))).toBeTruthy()
})
