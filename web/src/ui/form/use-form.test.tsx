import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CallError, NO_ANSWER } from '../../api/call.ts'
import { t } from '../../i18n/i18n.ts'
import { renderLight } from '../../testing/render.tsx'
import { useForm } from './use-form.ts'

const send = vi.fn<(draft: object) => Promise<string>>()
const onDone = vi.fn<(answer: string) => void>()

const Form = () => {
  const form = useForm(
    { username: '', password: '', again: '', current_password: '' },
    {
      username: (text) => text.length < 3 && 'too short',
      again: (text, { password }) => text !== password && 'differs',
    },
  )
  return (
    <form onSubmit={form.submit(send, onDone)}>
      {(['username', 'password', 'again', 'current_password'] as const).map((name) => {
        const { value, error, onChange } = form.field(name)
        return (
          <p key={name}>
            <input
              aria-label={name}
              value={value}
              aria-invalid={error !== undefined}
              onChange={(event) => onChange(event.target.value)}
            />
            <output>{error}</output>
          </p>
        )
      })}
      <p role="alert">{form.refused}</p>
      {form.hasChanges && <p>changed</p>}
      {form.needsPassword && <p>own password</p>}
      <button type="submit">{form.isSending ? 'sending' : 'send'}</button>
      <button type="button" onClick={() => form.reset()}>
        reset
      </button>
    </form>
  )
}

const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const put = (name: string, text: string) => fireEvent.change(box(name), { target: { value: text } })
const errors = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .filter(Boolean)
const press = () => fireEvent.click(screen.getByRole('button', { name: 'send' }))
const refusal = (name: 'account.username_taken' | 'session.needs_password' | 'session.wrong_password') =>
  new CallError(1400, name, {}, name)
const open = () => {
  send.mockReset()
  onDone.mockReset()
  return renderLight(<Form />)
}

test('nothing is wrong before a try; then the first wrong field has the focus, and nothing is sent', () => {
  open()
  expect(errors()).toEqual([])
  put('password', 'a')
  press()
  expect(errors()).toEqual(['too short', 'differs'])
  expect(document.activeElement).toBe(box('username'))
  expect(send).not.toHaveBeenCalled()
})

test('an error goes when its field changes, or when another field has made it right', () => {
  open()
  put('again', 'a')
  press()
  put('username', 'x')
  expect(errors()).toEqual(['differs'])
  put('password', 'a')
  expect(errors()).toEqual([])
  put('username', '')
  press()
  expect(errors()).toEqual(['too short'])
  put('username', 'x')
  put('username', '')
  expect(errors()).toEqual([])
})

test('it sends what was typed once, and says what came of it', async () => {
  const { unmount } = open()
  let answer: (text: string) => void = () => {}
  send.mockReturnValue(new Promise((resolve) => (answer = resolve)))
  put('username', 'gina')
  press()
  fireEvent.submit(box('username'))
  expect(send.mock.calls).toEqual([[{ username: 'gina', password: '', again: '', current_password: '' }]])
  answer('made')
  await waitFor(() => expect(onDone.mock.calls).toEqual([['made']]))
  unmount()
})

test('an answer that comes after the form has gone does nothing', async () => {
  const { unmount } = open()
  let answer: (text: string) => void = () => {}
  const sent = new Promise<string>((resolve) => (answer = resolve))
  send.mockReturnValue(sent)
  put('username', 'gina')
  press()
  unmount()
  answer('made')
  await sent
  await Promise.resolve()
  expect(onDone).not.toHaveBeenCalled()
})

test('a refusal of a field is shown there until it changes, and what was typed stays', async () => {
  open()
  send.mockRejectedValue(refusal('account.username_taken'))
  put('username', 'gina')
  press()
  await waitFor(() => expect(errors()).toEqual(['account.username_taken']))
  expect(document.activeElement).toBe(box('username'))
  expect([box('username').value, screen.getByRole('alert').textContent]).toEqual(['gina', ''])
  put('username', 'gina2')
  expect(errors()).toEqual([])
})

test('the field that the server names has the refusal of invalid input; one of no field here is the form’s', async () => {
  open()
  send.mockRejectedValueOnce(new CallError(1400, 'invalid', { field: 'username' }, 'request.invalid'))
  send.mockRejectedValueOnce(new CallError(1400, 'invalid', { field: 'thumbnail' }, 'request.invalid'))
  send.mockRejectedValueOnce(new CallError(NO_ANSWER, 'no answer'))
  send.mockRejectedValueOnce(new Error('a mistake in the program'))
  put('username', 'gina')
  const said = async (text: string) => {
    press()
    await waitFor(() => expect(errors().join() + screen.getByRole('alert').textContent).toBe(text))
    return errors().length
  }
  expect(await said('invalid')).toBe(1)
  expect(await said('invalid')).toBe(0)
  expect(await said('no answer')).toBe(0)
  expect(await said(t('error.unforeseen'))).toBe(0)
})

test('asking for the own password is no error, a wrong one is', async () => {
  open()
  send.mockRejectedValueOnce(refusal('session.needs_password'))
  send.mockRejectedValueOnce(refusal('session.wrong_password'))
  put('username', 'gina')
  expect(screen.queryByText('own password')).toBeNull()
  press()
  await screen.findByText('own password')
  expect([...errors(), screen.getByRole('alert').textContent]).toEqual([''])
  put('current_password', 'no')
  press()
  await waitFor(() => expect(errors()).toEqual(['session.wrong_password']))
})

test('values other than the first are changes, and a reset takes them and the errors back', () => {
  open()
  put('username', 'x')
  press()
  expect(screen.getByText('changed')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'reset' }))
  expect([box('username').value, errors(), screen.queryByText('changed')]).toEqual(['', [], null])
})
