import { screen, waitFor } from '@testing-library/react'
import type { SensitiveChangeRow } from '@tallyroom/contract/calls/office/change'
import { beforeEach, expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { button, fill, renderOffice } from '../../testing/render.tsx'
import { ApprovalsPage } from './approvals-page.tsx'

const waiting: SensitiveChangeRow = {
  id: 7,
  kind: 'credit',
  state: 'waiting',
  maker_id: 1,
  maker_username: 'admin',
  maker_nickname: 'Ann',
  target_id: 5,
  target_username: 'dana',
  target_nickname: 'Dana',
  thumbnail: '',
  facts: [{ field: 'limit_of_credit', before: '100.0000', after: '90000.0000' }],
  made_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-23T10:00:00.000Z',
  ended_at: null,
  ended_name: '',
  answer: '',
  is_own: 0,
  may_decide: 1,
  qr: null,
  file: null,
}
let row: SensitiveChangeRow
beforeEach(() => {
  row = waiting
  server.answers('approval/list', { data: [], next: null })
  server.answers('change/list', ({ id, ended }) => {
    const isShown = id === row.id || (ended === 1) === (row.state !== 'waiting')
    return { data: isShown ? [row] : [], next: null }
  })
})
const open = async () => {
  const view = await renderOffice(<ApprovalsPage />)
  await view.user.click(await screen.findByText('Dana'))
  await waitFor(() => expect(document.querySelector('[role="dialog"] .lines')).toBeTruthy())
  return view
}

test('[CAPS-04] the queue and the drawer say what changes, from which value to which, and for whom', async () => {
  await open()
  expect(screen.getAllByText(t('change.credit')).length).toBe(2)
  const drawer = document.querySelector('[role="dialog"]')
  expect(drawer?.textContent).toContain(t('audit.before_after', { before: '100.00', after: '90,000.00' }))
  expect(drawer?.textContent).toContain('Ann')
})

test('[CASH-08] [CAPS-04] a receiving account shows its QR picture before and after', async () => {
  row = { ...waiting, kind: 'receiving', qr: { before: '', after: '/media/0123456789abcdef' } }
  await open()
  const after = screen.getByRole('img', { name: `${t('receiving.qr')}: ${t('change.after')}` })
  expect(after.getAttribute('src')).toContain('/media/0123456789abcdef')
  expect(screen.getByText(t('change.before')).parentElement?.textContent).toContain(t('points.none'))
})

test('[CAPS-04] approving asks for the own password when the sign-in is old; refusing needs a reason', async () => {
  const { user } = await open()
  server.once.refuses('change/approve', 'session.needs_password')
  server.answers('change/approve', { id: 7, state: 'approved' })
  await user.click(button(t('change.approve')))
  await fill(user, t('payment.login_password'), 'own-one')
  await user.click(button(t('change.approve')))
  await waitFor(() =>
    expect(server.asked('change/approve').at(-1)).toMatchObject({ id: 7, current_password: 'own-one' }),
  )
})

test('[CAPS-04] what has changed meanwhile is refused in words', async () => {
  const { user } = await open()
  server.refuses('change/approve', 'approval.changed')
  await user.click(button(t('change.approve')))
  expect(await screen.findByText(wordsOf('approval.changed'))).toBeTruthy()
  server.answers('change/refuse', { id: 7, state: 'refused' })
  await user.click(button(t('approval.refuse')))
  await fill(user, t('requests.reason'), 'Too much')
  await user.click(button(t('approval.refuse')))
  await waitFor(() => expect(server.asked('change/refuse')).toMatchObject([{ id: 7, reason: 'Too much' }]))
})

test('[CAPS-04] the maker takes it back, and gets an approved file from here', async () => {
  row = { ...waiting, is_own: 1, may_decide: 0 }
  const { user } = await open()
  server.answers('change/withdraw', { id: 7, state: 'withdrawn' })
  await user.click(button(t('approval.withdraw')))
  await waitFor(() => expect(server.asked('change/withdraw')).toMatchObject([{ id: 7 }]))
  const file = { call: 'user/export', input: { menu_id: 13, username: 'gin' } } as const
  row = { ...row, kind: 'export', state: 'approved', ended_at: row.made_at, ended_name: 'Bo', file }
  await user.click(button(t('approval.decided')))
  await user.click(await screen.findByText('Dana'))
  server.answers('user/export', { name: '', csv: '', cut: false, approval: 1 })
  await user.click(await screen.findByRole('button', { name: t('account.export') }))
  expect(await screen.findByText(t('change.file_asked'))).toBeTruthy()
  expect(server.asked('user/export')).toMatchObject([file.input])
})

test('[RUN-06] approving that a member is erased says what goes, and whose data', async () => {
  row = { ...waiting, kind: 'erase', facts: [{ field: 'becomes', before: null, after: 'erased-5' }] }
  const { user } = await open()
  expect(screen.getByText(t('change.erase_goes'))).toBeTruthy()
  server.answers('change/approve', { id: 7, state: 'approved' })
  await user.click(button(t('change.erase_now', { name: 'Dana' })))
  await waitFor(() => expect(server.asked('change/approve')).toMatchObject([{ id: 7 }]))
})
