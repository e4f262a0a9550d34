import type { Answer } from '@tallyroom/contract'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { alerts, button, field, renderOffice } from '../../testing/render.tsx'
import { PersonPage } from './person-page.tsx'

const kept: Answer<'person/view'> = {
  id: 7,
  username: 'annmember',
  nickname: 'Ann',
  thumbnail: '',
  is_erased: false,
  messages: 1200,
  notes: 3,
  files: 2,
  sign_ins: 9,
  bank_accounts: 1,
  transfers: 40,
  open: [],
  waits: false,
  is_alone: false,
}
const open = (fields: Partial<typeof kept> = {}) => {
  server.answers('person/view', { ...kept, ...fields })
  return renderOffice(<PersonPage />, { path: '/person/{-$id}', address: '/person/7' })
}

test('[RUN-06] a member is found by name, and what is kept is shown in numbers', async () => {
  server.answers('person/view', kept)
  const hit = {
    id: 7,
    role_id: Role.member,
    username: 'annmember',
    nickname: 'Ann',
    status: AccountStatus.active,
    upline: 'Bo',
  }
  server.answers('tree/find', {
    data: [{ ...hit, id: 6, role_id: Role.agent, username: 'annagent', nickname: '' }, hit],
  })
  const { user, router } = await renderOffice(<PersonPage />, { path: '/person/{-$id}', address: '/person' })
  await user.type(screen.getByRole('combobox', { name: t('person.name') }), 'ann')
  await user.click(await screen.findByRole('option', { name: /annmember/ }))
  expect(await screen.findByText('1,200')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/person/7')
  expect(server.asked('person/view')).toEqual([{ id: 7 }])
})

test('[RUN-06] an export is loaded from its address, or waits for approval', async () => {
  const { user } = await open()
  const followed: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href') ?? '')
  })
  server.answers('person/export', { approval: 0, file: '/media/person/1-7-x' })
  await user.click(await screen.findByRole('button', { name: t('person.export') }))
  await waitFor(() => expect(followed).toEqual(['/media/person/1-7-x']))
  server.answers('person/export', { approval: 1, file: '' })
  await user.click(button(t('person.export')))
  expect(await screen.findByText(t('change.file_asked'))).toBeTruthy()
  expect(followed).toHaveLength(1)
  click.mockRestore()
})

test('[RUN-06] erasing says what goes and asks another admin; a password is asked for when the sign-in is old', async () => {
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: t('person.erase') }))
  expect(screen.getByText(t('person.erase_goes'))).toBeTruthy()
  server.once.refuses('person/erase', 'session.needs_password')
  await user.click(button(t('person.ask')))
  await user.type(await waitFor(() => field(t('payment.login_password'))), 'secret1')
  server.answers('person/erase', { approval: 1 })
  server.answers('person/view', { ...kept, waits: true })
  await user.click(button(t('person.ask')))
  expect(await screen.findByText(t('person.waits'))).toBeTruthy()
  expect(server.asked('person/erase')).toMatchObject([{ id: 7 }, { id: 7, current_password: 'secret1' }])
  expect((button(t('person.erase')) as HTMLButtonElement).disabled).toBe(true)
})

test('[RUN-06] what keeps a member from being erased is named, and a refusal is shown', async () => {
  const why = [
    { why: 'person.has_points' as const, count: 1 },
    { why: 'person.has_offers' as const, count: 2 },
  ]
  const { user, unmount } = await open({ open: why, is_alone: true })
  expect(await screen.findByText(t('person.not_yet'))).toBeTruthy()
  expect(screen.getByText(t('person.has_offers', { name: 'Ann', count: 2 }))).toBeTruthy()
  expect(screen.getByText(t('change.needs_two'))).toBeTruthy()
  expect((button(t('person.erase')) as HTMLButtonElement).disabled).toBe(true)
  unmount()
  await open()
  await user.click(await screen.findByRole('button', { name: t('person.erase') }))
  server.refuses('person/erase', 'person.has_requests', { name: 'Ann' })
  await user.click(button(t('person.ask')))
  await waitFor(() => expect(alerts().join()).toContain(wordsOf('person.has_requests')))
})
