import { cleanup, screen, waitFor } from '@testing-library/react'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { accountAbilities } from '../../testing/ability-fixtures.ts'
import { accountRow, menuPage } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { AddDialog } from './add-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'

const onClose = vi.fn<() => void>()
beforeEach(() => {
  onClose.mockClear()
  server.answers('user/path', { path: [] })
  server.answers('session/listOf', { data: [] })
  server.refuses('user/abilities', 'access.denied')
})

const openAdd = () => renderOffice(<AddDialog kind="customer_service" onClose={onClose} />)
type User = Awaited<ReturnType<typeof openAdd>>['user']

type Typed = { username?: string; password?: string; again?: string }
const fillIn = async (user: User, typed: Typed = {}) => {
  const { username = 'carl01', password = 'secret1', again = password } = typed
  await fill(user, t('account.username'), username)
  await fill(user, t('account.password'), password)
  await fill(user, t('account.password_again'), again)
}
const create = (user: User) => user.click(button(t('account.create')))

test('[ACC-07] [ACC-14] add sends what was typed, says so and closes', async () => {
  server.answers('user/add', { id: 30 })
  const { user } = await openAdd()
  await fillIn(user)
  await fill(user, t('account.nickname'), ' Carl ')
  await create(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('user/add')).toEqual([
    {
      request_id: expect.any(String),
      username: 'carl01',
      nickname: 'Carl',
      password: 'secret1',
      password_confirmation: 'secret1',
      thumbnail: '',
    },
  ])
  expect(screen.getByText(t('done.created'))).toBeTruthy()
})

test.each([
  [{ username: 'ab' }, 'account.username_rule'],
  [{ username: 'no space' }, 'account.username_rule'],
  [{ password: 'abc' }, 'account.password_rule'],
  [{ password: 'pass-word' }, 'account.password_rule'],
  [{ password: 'secret1', again: 'secret2' }, 'account.passwords_differ'],
] as const)('[ACC-07] %j is not sent', async (typed, words) => {
  const { user } = await openAdd()
  await fillIn(user, typed)
  await create(user)
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([t(words)])
  expect(server.asked('user/add')).toEqual([])
})

test('[ACC-07] no more than 10 letters of a name and 15 of a password can be typed', async () => {
  const { user } = await openAdd()
  await fillIn(user, { username: 'abcdefghijkl', password: 'a'.repeat(20) })
  expect(field(t('account.username'))).toHaveProperty('value', 'abcdefghij')
  expect(field(t('account.password'))).toHaveProperty('value', 'a'.repeat(15))
})

test('[ACC-13] a taken username is said, and what was typed stays', async () => {
  server.refuses('user/add', 'account.username_taken')
  const { user } = await openAdd()
  await fillIn(user)
  await create(user)
  expect((await screen.findByRole('alert')).textContent).toBe(wordsOf('account.username_taken'))
  expect(field(t('account.username'))).toHaveProperty('value', 'carl01')
  expect(field(t('account.password'))).toHaveProperty('value', 'secret1')
  expect(onClose).not.toHaveBeenCalled()
})

test('[R1] when the answer is lost, the same request goes again under the same id', async () => {
  server.once.losesAnswer('user/add')
  server.answers('user/add', { id: 30 })
  const { user } = await openAdd()
  await fillIn(user)
  await create(user)
  expect((await screen.findByRole('alert')).textContent).toBe(t('network.failed'))
  await create(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  const [first, second] = server.asked('user/add')
  expect(second).toEqual(first)
})

const openEdit = (row = accountRow(), mayFreeze = true) => {
  server.answers('userMenu/list', [menuPage('/index', { may: ['user/abilities', 'session/listOf'] })])
  return renderOffice(<EditDialog row={row} mayFreeze={mayFreeze} onClose={onClose} />)
}
const save = (user: User) => user.click(button(t('action.save')))

test('[ACC-08] [ACC-14] edit sends what has changed, and no password or picture that has not', async () => {
  server.answers('user/edit', null)
  const { user } = await openEdit(accountRow({ thumbnail: '/media/1' }))
  await fill(user, t('account.nickname'), 'Mina')
  await user.click(screen.getByRole('switch', { name: t('account.withdraw_confirm') }))
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('user/edit')).toEqual([
    { request_id: expect.any(String), id: 20, nickname: 'Mina', withdraw_confirm: 1 },
  ])
  expect(screen.getByText(t('done.edited'))).toBeTruthy()
})

test('[ACC-09] edit sets a frozen account back to normal', async () => {
  server.answers('user/edit', null)
  const { user } = await openEdit(accountRow({ status: AccountStatus.frozen }))
  await user.click(screen.getByRole('switch', { name: t('account.status') }))
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('user/edit')[0]).toMatchObject({ status: AccountStatus.active })
})

test('[ACC-10] who may not freeze has no switch for it, and customer service no consent', async () => {
  await openEdit(accountRow({ role_id: Role.customerService }), false)
  expect(screen.queryByRole('switch', { name: t('account.status') })).toBeNull()
  expect(screen.queryByRole('switch', { name: t('account.withdraw_confirm') })).toBeNull()
})

test('[ACC-08] a new password needs the own one when the sign-in is old, and keeps what was typed', async () => {
  server.once.refuses('user/edit', 'session.needs_password')
  server.answers('user/edit', null)
  const { user } = await openEdit()
  await fill(user, t('account.new_password'), 'secret2')
  await fill(user, t('account.password_again'), 'secret2')
  expect(screen.queryByLabelText(new RegExp(`^${t('payment.login_password')}`))).toBeNull()
  await save(user)
  await user.type(await waitFor(() => field(t('payment.login_password'))), 'own-one')
  expect(screen.getByText(t('session.password_hint'))).toBeTruthy()
  expect(alerts()).toEqual([])
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('user/edit')[1]).toMatchObject({
    password: 'secret2',
    password_confirmation: 'secret2',
    current_password: 'own-one',
  })
})

test('[ACC-12] a refused edit says why and stays open', async () => {
  server.refuses('user/edit', 'account.not_found')
  const { user } = await openEdit()
  await save(user)
  expect((await screen.findByRole('alert')).textContent).toBe(wordsOf('account.not_found'))
  expect(onClose).not.toHaveBeenCalled()
})

test('[ACC-08] one Save saves the profile and the abilities; refused abilities keep the dialog open', async () => {
  server.answers('user/abilities', accountAbilities())
  server.answers('user/edit', null)
  server.once.refuses('user/saveAbilities', 'account.not_yours_to_give')
  server.answers('user/saveAbilities', accountAbilities({ event_mode: 1 }))
  const { user } = await openEdit(accountRow({ role_id: Role.agent }))
  await user.click(await screen.findByText(t('ability.title')))
  await user.click(await screen.findByRole('switch', { name: t('ability.event_mode') }))
  expect(screen.getAllByRole('button', { name: t('action.save') })).toHaveLength(1)
  await save(user)
  expect((await screen.findByRole('alert')).textContent).toBe(wordsOf('account.not_yours_to_give'))
  expect(onClose).not.toHaveBeenCalled()
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('user/saveAbilities').at(-1)).toMatchObject({ id: 20, event_mode: 1 })
  expect(server.asked('user/edit')).toHaveLength(2)
})

test('[ACC-08] [TEXT-02] a multiple is saved as it was pasted, or refused; no digit of it is cut', async () => {
  server.answers('user/abilities', accountAbilities({ changeable: ['transfer_member_flow_limit_multiple'] }))
  server.answers('user/edit', null)
  server.answers('user/saveAbilities', accountAbilities())
  const { user } = await openEdit(accountRow({ role_id: Role.agent }))
  await user.click(await screen.findByText(t('ability.title')))
  const multiple = await screen.findByLabelText<HTMLInputElement>(t('ability.transfer_member_flow_limit_multiple'))
  const paste = async (text: string) => {
    await user.clear(multiple)
    await user.click(multiple)
    await user.paste(text)
    await save(user)
  }
  for (const other of ['10000', '10005', '12.5', '1,000', '5 x']) {
    await paste(other)
    expect((await screen.findAllByText(t('ability.multiple_rule'))).length).toBe(1)
  }
  expect(server.asked('user/saveAbilities')).toEqual([])
  await paste(' 1000')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('user/saveAbilities')[0]).toMatchObject({ transfer_member_flow_limit_multiple: 1000 })
})

const escape = (user: User) => user.keyboard('{Escape}')
const cross = (user: User) => user.click(button(t('action.close')))

test.each([
  ['Esc', escape],
  ['the cross', cross],
] as const)('[ACC-08] %s closes an edit without changes at once, and asks before it loses one', async (_, close) => {
  const first = await openEdit()
  await close(first.user)
  expect(onClose).toHaveBeenCalledOnce()
  first.unmount()
  onClose.mockClear()
  const { user } = await openEdit()
  await fill(user, t('account.nickname'), 'Mina')
  await close(user)
  expect(screen.getByText(t('dialog.unsaved')).closest('[role=alert]')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  await user.click(button(t('action.cancel')))
  expect(onClose).toHaveBeenCalledOnce()
  expect(server.asked('user/edit')).toEqual([])
})

test('[ACC-08] a changed ability is a change too, and taken back it is none', async () => {
  server.answers('user/abilities', accountAbilities())
  const { user } = await openEdit(accountRow({ role_id: Role.agent }))
  await user.click(await screen.findByText(t('ability.title')))
  const event = await screen.findByRole('switch', { name: t('ability.event_mode') })
  await user.click(event)
  await escape(user)
  expect(onClose).not.toHaveBeenCalled()
  await user.click(event)
  expect(screen.queryByText(t('dialog.unsaved'))).toBeNull()
  await escape(user)
  expect(onClose).toHaveBeenCalledOnce()
})

test('[ACC-13] a refusal is said beside the buttons, where it is seen wherever the form is scrolled to', async () => {
  server.refuses('user/edit', 'account.not_found')
  const { user } = await openEdit()
  await save(user)
  expect((await screen.findByRole('alert')).closest('.dialog-buttons')).toBeTruthy()
})

test('[ACC-08] what is wrong in a long form gets the focus', async () => {
  const { user } = await openEdit()
  await fill(user, t('account.new_password'), 'x')
  await fill(user, t('account.password_again'), 'x')
  await save(user)
  await waitFor(() => expect(document.activeElement).toBe(field(t('account.new_password'))))
})

test('[CODE-04] [RIGHT-01] who changes neither abilities nor sessions is not shown them', async () => {
  await openEdit(accountRow())
  const sections = (['ability.title', 'sessions.of_account'] as const).map((key) => t(key))
  for (const section of sections) expect(await screen.findByText(section)).toBeTruthy()
  cleanup()
  server.answers('userMenu/list', [])
  await renderOffice(<EditDialog row={accountRow()} mayFreeze onClose={onClose} />)
  await waitFor(() => expect(server.asked('userMenu/list')).toHaveLength(2))
  for (const section of sections) expect(screen.queryByText(section)).toBeNull()
})
