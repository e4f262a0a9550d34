import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { SetUpPage } from './set-up-page.tsx'

const none = { authenticator: false, mobile: '', recovery_codes: 0, passkeys: 0 }

test.each([
  [none, false],
  [{ ...none, passkeys: 1 }, true],
])('[PASS-03] the set-up page with %j leads on: %s', async (own, isDone) => {
  server.answers('factor/view', own)
  server.answers('passkey/list', { data: [], here: 'yes' })
  await renderOffice(<SetUpPage />)
  expect(await screen.findByText(t(isDone ? 'required.done' : 'required.page_what'))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('required.go') }) !== null).toBe(isDone)
  expect(await screen.findByRole('button', { name: t('security.set_up_authenticator') })).toBeTruthy()
})
