import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { alerts, button, field, fill, renderLight } from '../../testing/render.tsx'
import { OwnRecovery } from './own-recovery.tsx'

test('[SELF-02] a member adds a number with its code, and the password when the server needs it', async () => {
  server.answers('recovery/view', { mobile: '', offered: true })
  const { user } = renderLight(<OwnRecovery />)
  await user.click(await screen.findByRole('button', { name: t('recover.own_set') }))
  await fill(user, t('recover.number'), '12')
  await user.click(button(t('recover.send')))
  expect(field(t('recover.number')).getAttribute('aria-invalid')).toBe('true')
  await fill(user, t('recover.number'), '+886 911-222 333')
  server.once.refuses('recovery/sendCode', 'session.needs_password')
  await user.click(button(t('recover.send')))
  await screen.findByLabelText(t('member.password'))
  server.answers('recovery/sendCode', { seconds: 60 })
  await fill(user, t('member.password'), 'secret1')
  await user.click(button(t('recover.send')))
  await screen.findByLabelText(t('recover.code'))
  server.once.refuses('recovery/setPhone', 'code.wrong')
  await fill(user, t('recover.code'), '000000')
  await user.click(button(t('action.save')))
  await waitFor(() => expect(field(t('recover.code')).getAttribute('aria-invalid')).toBe('true'))
  server.answers('recovery/setPhone', { mobile: '+8********333' })
  server.answers('recovery/view', { mobile: '+8********333', offered: true })
  await user.click(button(t('action.save')))
  expect(await screen.findByText('+8********333')).toBeTruthy()
  expect(server.asked('recovery/sendCode').at(-1)).toEqual({ mobile: '+886911222333', password: 'secret1' })
})

test('[SELF-02] without SMS the sheet says that only a passkey recovers the password', async () => {
  server.answers('recovery/view', { mobile: '', offered: false })
  renderLight(<OwnRecovery />)
  expect(await screen.findByText(wordsOf('recovery.no_sms'))).toBeTruthy()
  expect(screen.queryByText(t('recover.own_what'))).toBeNull()
  expect(screen.queryByRole('button', { name: t('recover.own_set') })).toBeNull()
})

test('[WIRE-04] a sheet that could not be loaded says why, and loads again when asked to', async () => {
  server.refuses('recovery/view', 'server.busy')
  const { user } = renderLight(<OwnRecovery />)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('server.busy')]))
  server.answers('recovery/view', { mobile: '', offered: true })
  await user.click(button(t('action.try_again')))
  expect(await screen.findByRole('button', { name: t('recover.own_set') })).toBeTruthy()
  expect(alerts()).toEqual([])
})
