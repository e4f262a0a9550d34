import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { t } from '../i18n/i18n.ts'
import { server, wordsOf } from '../testing/fake-server.ts'
import { signed, signOptions, withPasskeys } from '../testing/passkeys.ts'
import { alerts, button, field, fill, renderLight } from '../testing/render.tsx'
import { RecoverForm } from './recover-form.tsx'

const open = (ways = { sms: true, passkeys: true }) => {
  const onDone = vi.fn<(username: string) => void>()
  const form = (
    <RecoverForm
      face="member"
      ways={ways}
      username=""
      look={{ wide: 'm-wide', back: 'c-link' }}
      onDone={onDone}
      onLeave={() => {}}
    />
  )
  return { ...renderLight(form), onDone }
}
type User = ReturnType<typeof open>['user']
const choose = async (user: User, word = 'mine123', again = word) => {
  await fill(user, t('account.new_password'), word)
  await fill(user, t('account.password_again'), again)
}

test('[SELF-02] a code by SMS and a new password replace the forgotten one', async () => {
  server.answers('recovery/begin', { seconds: 60 })
  const { user, onDone } = open()
  await user.click(button(t('recover.send')))
  expect(document.activeElement).toBe(field(t('recover.username')))
  expect(server.asked('recovery/begin')).toEqual([])
  await fill(user, t('recover.username'), ' gina ')
  await user.click(button(t('recover.send')))
  expect(await screen.findByText(t('recover.sent', { name: 'gina' }))).toBeTruthy()
  await fill(user, t('recover.code'), '123 456')
  await choose(user, 'mine123', 'other12')
  await user.click(button(t('recover.save')))
  expect(field(t('account.password_again')).getAttribute('aria-invalid')).toBe('true')
  await choose(user)
  server.once.refuses('recovery/finish', 'recovery.wrong')
  await user.click(button(t('recover.save')))
  await waitFor(() => expect(alerts()).toEqual([wordsOf('recovery.wrong')]))
  server.answers('recovery/finish', null)
  await user.click(button(t('recover.save')))
  await waitFor(() => expect(onDone).toHaveBeenCalledWith('gina'))
  const words = { new_password: 'mine123', new_password_confirmation: 'mine123' }
  expect(server.asked('recovery/finish').at(-1)).toEqual({ username: 'gina', face: 'member', code: '123456', ...words })
})

test('[SELF-02] without SMS only a passkey is offered, and it names the account', async () => {
  withPasskeys()
  server.answers('recovery/beginPasskey', signOptions)
  server.answers('recovery/finishPasskey', { username: 'gina' })
  const { user, onDone } = open({ sms: false, passkeys: true })
  expect(screen.queryByLabelText(t('recover.username'))).toBeNull()
  await choose(user)
  await user.click(button(t('passkey.use')))
  await waitFor(() => expect(onDone).toHaveBeenCalledWith('gina'))
  expect(server.asked('recovery/finishPasskey')).toMatchObject([{ face: 'member', passkey: signed }])
})
