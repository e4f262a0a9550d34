import { Role } from '@tallyroom/contract/codes'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../i18n/i18n.ts'
import { setStored } from '../lib/storage.ts'
import { server, wordsOf } from '../testing/fake-server.ts'
import { ownAccount } from '../testing/fixtures.ts'
import { passkeyRow } from '../testing/passkeys.ts'
import { alerts, button, field, fill, renderLight } from '../testing/render.tsx'
import { MenuSheet } from './menu-sheet.tsx'
import { refreshMe, resume } from './session.ts'

const GINA = { id: 20, role_id: Role.member, username: 'gina01', nickname: 'Gina' } as const

const session = { agent_login: false, address: '10.0.0.1', expires_at: '2026-12-01T00:00:00Z' }
const times = { created_at: '2026-11-20T10:00:00Z', seen_at: '2026-11-22T10:00:00Z' }
const sessions = [
  { ...session, ...times, id: '1', current: true, user_agent: 'Chrome Linux' },
  { ...session, ...times, id: '2', current: false, user_agent: 'Safari iPhone' },
]

beforeEach(() => {
  // The test environment has no dialogs.
  HTMLDialogElement.prototype.showModal = vi.fn<(this: HTMLDialogElement) => void>(function show() {
    this.setAttribute('open', '')
  })
  HTMLDialogElement.prototype.close = vi.fn<() => void>()
})

const open = async (me = ownAccount(GINA)) => {
  setStored('user_token', 'token')
  setStored('user_id', '20')
  server.answers('user/view', me)
  server.answers('recovery/view', { mobile: '+6********789', offered: true })
  server.answers('passkey/list', { data: [passkeyRow()], here: 'yes' })
  server.answers('session/list', { data: sessions })
  resume()
  await refreshMe()
  return renderLight(<MenuSheet onClose={() => {}} />)
}
const row = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) })

test('[SELF-01] the nickname is saved, and the sheet shows the new one', async () => {
  const { user } = await open()
  server.answers('user/edit', null)
  server.answers('user/view', ownAccount({ ...GINA, nickname: 'Gigi' }))
  await user.click(row(t('member.nickname')))
  expect(field(t('member.nickname')).value).toBe('Gina')
  await fill(user, t('member.nickname'), ' Gigi ')
  await user.click(button(t('action.save')))
  expect((await screen.findByText(t('member.saved'))).getAttribute('role')).toBe('status')
  expect(server.asked('user/edit')).toEqual([{ id: 20, nickname: 'Gigi', request_id: expect.any(String) }])
  expect(row(t('member.nickname')).textContent).toContain('Gigi')
  expect(document.activeElement).toBe(row(t('member.nickname')))
})

test('[SELF-01] [SELF-02] [PASS-01] the rows say what is behind them, and a view that opens has the focus', async () => {
  server.answers('security/list', { data: [] })
  const { user } = await open()
  await waitFor(() => expect(row(t('sessions.title')).textContent).toContain(t('member.devices', { n: 2 })))
  expect(row(t('recover.own_title')).textContent).toContain('+6********789')
  expect(row(t('passkey.title')).textContent).toContain('1')
  for (const title of ['passkey.title', 'recover.own_title', 'sessions.title'] as const) {
    await user.click(row(t(title)))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: t(title) })))
    await user.click(button(t('action.back')))
    await waitFor(() => expect(document.activeElement).toBe(row(t(title))))
  }
})

const fillPasswords = async (user: Awaited<ReturnType<typeof open>>['user'], [now, next, again]: string[]) => {
  if (now) await fill(user, t('account.current_password'), now)
  if (next) await fill(user, t('account.new_password'), next)
  if (again) await fill(user, t('account.password_again'), again)
  await user.click(button(t('account.change_password')))
}

test('[SELF-01] the password is changed with the current one, and the sheet says what became of other devices', async () => {
  const { user } = await open()
  server.answers('user/edit', null)
  await user.click(row(t('member.password')))
  await fillPasswords(user, ['old1', 'new22', 'new22'])
  await screen.findByText(t('account.password_changed'))
  expect(server.asked('user/edit')).toEqual([
    {
      id: 20,
      current_password: 'old1',
      password: 'new22',
      password_confirmation: 'new22',
      request_id: expect.any(String),
    },
  ])
})

test.each([
  [['', 'new22', 'new22'], 'account.current_password', 'session.needs_password'],
  [['old1', 'ab', 'ab'], 'account.new_password', 'member.password_hint'],
  [['old1', 'new22', 'new23'], 'account.password_again', 'account.passwords_differ'],
] as const)('[SELF-01] %j is not sent, and its field says why', async (typed, label, words) => {
  const { user } = await open()
  await user.click(row(t('member.password')))
  await fillPasswords(user, [...typed])
  const wrong = field(t(label))
  expect([wrong.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', wrong])
  expect(document.getElementById(wrong.getAttribute('aria-describedby') ?? '')?.textContent).toContain(t(words))
  expect(server.asked('user/edit')).toEqual([])
})

test('[SELF-01] a wrong current password is said at its field; a lost answer is repeated under the same id', async () => {
  const { user } = await open()
  await user.click(row(t('member.password')))
  server.once.refuses('user/edit', 'session.wrong_password')
  await fillPasswords(user, ['old1', 'new22', 'new22'])
  await waitFor(() => expect(field(t('account.current_password')).getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText(wordsOf('session.wrong_password'))).toBeTruthy()
  server.once.losesAnswer('user/edit')
  await fillPasswords(user, ['old2', '', ''])
  await waitFor(() => expect(alerts()).toEqual([t('network.failed')]))
  server.answers('user/edit', null)
  await user.click(button(t('account.change_password')))
  await screen.findByText(t('account.password_changed'))
  const [first, second, third] = server.asked('user/edit')
  expect(second).toEqual(third)
  expect(first?.request_id).not.toBe(second?.request_id)
})

test('[SELF-01] a picture is saved when it is chosen, and removed with one button', async () => {
  const { user } = await open(ownAccount({ ...GINA, thumbnail: '/media/1' }))
  const picker = screen.getByLabelText(t('member.change_picture'), { selector: 'input' })
  await user.upload(picker, new File(['no image'], 'note.png', { type: 'image/png' }))
  await waitFor(() => expect(alerts()).toEqual([t('message.not_an_image')]))
  expect(server.asked('user/edit')).toEqual([])
  server.answers('user/edit', null)
  server.answers('user/view', ownAccount(GINA))
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0])
  await user.upload(picker, new File([png], 'me.png', { type: 'image/png' }))
  await waitFor(() => expect(server.asked('user/edit')).toHaveLength(1))
  expect(server.asked('user/edit')[0]).toMatchObject({ id: 20, thumbnail: expect.stringContaining('data:') })
})

test('[SELF-01] [PASS-04] other devices are listed and can be signed out, with what they have done', async () => {
  const { user } = await open()
  server.answers('session/end', null)
  const made = { user_agent: 'Safari iPhone', address: '10.0.0.1', created_at: '2026-11-20T10:00:00Z' }
  server.answers('security/list', { data: [{ ...made, id: '1', kind: 'passkey_added' }] })
  await user.click(row(t('sessions.title')))
  expect(await screen.findByText(t('notice.passkey_added'))).toBeTruthy()
  await user.click(
    await screen.findByRole('button', {
      name: t('sessions.end_named', { device: 'Safari · iOS', address: '10.0.0.1' }),
    }),
  )
  await waitFor(() => expect(screen.queryByRole('button', { name: t('sessions.end') })).toBeNull())
  expect(server.asked('session/end')).toEqual([{ id: '2', request_id: expect.any(String) }])
  expect(screen.getByText(t('sessions.this'))).toBeTruthy()
})
