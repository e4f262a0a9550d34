import { AccountStatus, Role } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { accountRow, accountView, cashRow, memberView, menuPage, ownAccount } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { AccountPage } from './page.tsx'

const noNotes = { data: [], total: 0, friend: { member_id: 20, username: 'mia01', nickname: 'Mia' } }

const open = async (account: Partial<Answer<'account/view'>> = {}, address = '/member/mia01') => {
  server.answers('account/view', accountView(account))
  server.answers('user/view', ownAccount())
  server.answers('user/path', {
    path: [
      { id: 10, role_id: Role.agent, username: 'ann01' },
      { id: 20, role_id: Role.member, username: 'mia01' },
    ],
  })
  server.answers('userMenu/list', [menuPage('/user'), menuPage('/transaction/list'), menuPage('/cash')])
  server.answers('member/view', memberView())
  server.answers('transaction/list', { data: [], total: 0, next: null })
  server.answers('transaction/totals', { totals: null })
  server.answers('redEnvelope/record', { data: [], total: 0, next: null })
  server.answers('cash/list', { data: [cashRow({ id: 31 })], next: null })
  server.answers('note/list', noNotes)
  const path = address.startsWith('/colleague') ? '/colleague/$username' : '/member/$username'
  return renderOffice(<AccountPage />, { path, address })
}
const tabs = async () => (await screen.findAllByRole('tab')).map(({ textContent }) => textContent?.trim())

test('[MEMB-01] shows the parts and the acts that the server names, and nothing of the others', async () => {
  await open({ parts: ['overview', 'transactions', 'notes'], acts: ['chat'] })
  expect(await tabs()).toEqual([t('account_view.overview'), t('history.transactions'), t('search.notes')])
  expect((await screen.findByRole('link', { name: t('contact.talk') })).getAttribute('href')).toBe(
    '/chat/messaging/5/20/friend/20',
  )
  for (const word of [t('action.freeze'), t('tree.move'), t('action.edit'), t('action.statement')])
    expect(screen.queryByText(word)).toBeNull()
})

test('[MEMB-01] the address keeps the part, and the keys choose another', async () => {
  const { user, router } = await open({}, '/member/mia01?tab=requests')
  expect((await screen.findByRole('tab', { selected: true })).textContent?.trim()).toBe(t('menu.requests'))
  expect(await screen.findByRole('table')).toBeTruthy()
  expect(server.asked('cash/list')).toContainEqual({ member_id: 20 })
  screen.getByRole('tab', { selected: true }).focus()
  await user.keyboard('{ArrowLeft}')
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'transactions' }))
})

test('[MEMB-01] a name that nobody has and an account that is not below say the same', async () => {
  server.refuses('account/view', 'account.not_found')
  server.answers('userMenu/list', [menuPage('/user')])
  await renderOffice(<AccountPage />, { path: '/member/$username', address: '/member/nobody' })
  expect(await screen.findByRole('heading', { name: t('account_view.none') })).toBeTruthy()
  expect((await screen.findByRole('link', { name: t('menu.user') })).getAttribute('href')).toBe('/user')
  expect(server.asked('account/view')).toEqual([{ username: 'nobody' }])
})

test('[MEMB-01] an erased and a frozen account say what they are', async () => {
  const { unmount } = await open({ is_erased: true, acts: [], parts: ['overview', 'transactions'] })
  expect(await screen.findByText(t('account_view.erased'))).toBeTruthy()
  unmount()
  await open({ status: AccountStatus.frozen })
  expect(await screen.findByText(t('account_view.frozen'))).toBeTruthy()
})

test('[MEMB-01] a masked name is found by its id', async () => {
  await open({ username: 'mi***a01', nickname: '' }, '/member/~20')
  expect(await screen.findByRole('heading', { name: 'mi***a01' })).toBeTruthy()
  expect(server.asked('account/view')).toEqual([{ id: 20 }])
})

test('[MEMB-03] the overview has the parts of the panel beside the conversation', async () => {
  await open()
  const part = async (title: string) => within(await screen.findByRole('region', { name: title }))
  expect(await (await part(t('panel.now'))).findByRole('link', { name: t('cash.out') })).toBeTruthy()
  await part(t('panel.wallets'))
  await part(t('panel.transfers'))
  await part(t('search.notes'))
  // The page knows the account already.
  expect(server.asked('account/view')).toHaveLength(1)
})

test('[MEMB-04] a colleague has a page of its own, also where the address calls it a member', async () => {
  const row = accountRow({ role_id: Role.agent, username: 'kim01', nickname: 'Kim' })
  const { router } = await open(
    { ...row, room: null, parts: ['overview', 'rights', 'limits', 'sessions'] },
    '/member/kim01',
  )
  await waitFor(() => expect(router.state.location.pathname).toBe('/colleague/kim01'))
})

test('[MEMB-04] its overview says what it has, and its limits show what holds from above and save together', async () => {
  const row = accountRow({ role_id: Role.agent, username: 'kim01', nickname: 'Kim', used_credit: '-300.0000' })
  const none = { transfer: null, hour: null, day: null, member: null }
  server.answers('limit/view', {
    id: 20,
    username: 'kim01',
    ceiling: { envelope: null, day: null },
    limits: [
      {
        type: 1,
        ...none,
        effective: none,
        above: { ...none, transfer: { most: '10000.0000', of: 'Dana' } },
        used: { hour: '0.0000', day: '0.0000' },
      },
    ],
  })
  server.answers('limit/save', null)
  const parts = ['overview', 'rights', 'limits', 'sessions'] as const
  const { user } = await open({ ...row, room: null, acts: ['edit'], parts: [...parts] }, '/colleague/kim01')
  expect(await screen.findByText('300.00')).toBeTruthy()
  await user.click(screen.getByRole('tab', { name: t('account_view.limits') }))
  const field = await screen.findByLabelText(t('limit.transfer'))
  expect(field.getAttribute('placeholder')).toBe('10,000.00')
  expect(screen.getByText(t('limit.above', { name: 'Dana', amount: '10,000.00' }))).toBeTruthy()
  await user.type(field, '500')
  await user.click(screen.getByRole('button', { name: t('action.save') }))
  await waitFor(() =>
    expect(server.asked('limit/save')).toMatchObject([{ id: 20, limits: [{ type: 1, transfer: '500' }] }]),
  )
})
