import { screen, within } from '@testing-library/react'
import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { cashRow, memberView, menuPage, ownAccount, roomSummary, transferRow } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { PanelFacts } from './panel-facts.tsx'

const room = roomSummary({ name: 'Mia', partner_username: 'mia01' })

test('[CASH-02] what is open is said once: the request, the envelope and what waits for approval', async () => {
  const waitingPoints = {
    status: TransferStatus.pending,
    corrected: false,
    remark: '',
    created_at: '2026-11-20 10:00:00',
  } as const
  const sides = {
    type: TransferKind.receive,
    made_as: 'envelope',
    self_username: 'omar',
    other_username: 'mia01',
  } as const
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView())
  server.answers('userMenu/list', [
    menuPage('/transaction/list', { name: 'transaction_log' }),
    menuPage('/cash', { name: 'requests' }),
  ])
  server.answers('cash/list', { data: [cashRow({ id: 31, direction: 'out', amount: '22.0000' })], next: null })
  server.answers('note/list', { data: [], total: 0, friend: { member_id: 20, username: 'mia01', nickname: 'Mia' } })
  server.refuses('account/view', 'account.not_found')
  server.answers('redEnvelope/record', {
    data: [
      { ...waitingPoints, ...sides, transaction_id: 'a', amount: '11.0000' },
      { ...waitingPoints, ...sides, transaction_id: 'b', amount: '22.0000', request: 'asked' },
      { ...waitingPoints, ...sides, transaction_id: 'c', amount: '33.0000', approval: 1 },
    ],
    total: 3,
    next: null,
  })
  server.answers('transaction/list', {
    data: [
      transferRow({ id: '2', transaction_id: 'b', status: TransferStatus.pending, request: 'asked' }),
      transferRow({ id: '3', transaction_id: 'c', status: TransferStatus.pending, approval: 1 }),
    ],
    total: 2,
    next: null,
  })
  await renderOffice(<PanelFacts room={room} isNoting={false} onNoting={() => {}} />)
  const part = async (title: string) => within(await screen.findByRole('region', { name: title }))
  const now = await part(t('panel.now'))
  expect(await now.findByText('11.00')).toBeTruthy()
  expect(now.getAllByText(/22\.00/)).toHaveLength(1)
  expect(now.getByText(t('cash.state_asked'))).toBeTruthy()
  expect(now.getByText('33.00')).toBeTruthy()
  expect(now.getByText(t('approval.waits'))).toBeTruthy()
  const transfers = await part(t('panel.transfers'))
  expect(await transfers.findByText(t('panel.no_transfers'))).toBeTruthy()
  expect(transfers.queryByRole('listitem')).toBeNull()
})

test('bets and wins are among the last transactions only when they are asked for, and so with the next member', async () => {
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView())
  server.answers('userMenu/list', [menuPage('/transaction/list', { name: 'transaction_log' })])
  server.answers('note/list', { data: [], total: 0, friend: { member_id: 20, username: 'mia01', nickname: 'Mia' } })
  server.refuses('account/view', 'account.not_found')
  server.answers('redEnvelope/record', { data: [], total: 0, next: null })
  const mine = { member_username: 'mia01' }
  const data = [
    transferRow({ ...mine, id: '2', transaction_id: 'b', type: TransferKind.bet, amount: '4.0000' }),
    transferRow({ ...mine, id: '3', transaction_id: 'c', type: TransferKind.send, amount: '5.0000' }),
  ]
  server.answers('transaction/list', { data, total: 2, next: null })
  const show = async () => {
    const { user, unmount } = await renderOffice(<PanelFacts room={room} isNoting={false} onNoting={() => {}} />)
    const part = within(await screen.findByRole('region', { name: t('panel.transfers') }))
    await part.findByText(/5\.00/)
    return { user, unmount, part }
  }
  const { user, unmount, part } = await show()
  expect(part.getAllByRole('listitem')).toHaveLength(1)
  await user.click(part.getByRole('switch', { name: t('panel.with_bets') }))
  expect(part.getAllByRole('listitem')).toHaveLength(2)
  unmount()
  expect((await show()).part.getAllByRole('listitem')).toHaveLength(2)
})

test('[CASH-02] the member’s open request is named, with the way to it', async () => {
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView())
  server.answers('userMenu/list', [menuPage('/cash', { name: 'requests' })])
  server.answers('note/list', { data: [], total: 0, friend: { member_id: 20, username: 'mia01', nickname: 'Mia' } })
  server.refuses('account/view', 'account.not_found')
  server.answers('cash/list', { data: [cashRow({ id: 31, direction: 'out', amount: '5.0000' })], next: null })
  const { unmount } = await renderOffice(<PanelFacts room={room} isNoting={false} onNoting={() => {}} />)
  const part = within(await screen.findByRole('region', { name: t('panel.now') }))
  expect((await part.findByRole('link', { name: t('cash.out') })).getAttribute('href')).toBe('/cash?request=31')
  expect(part.getByText(/5\.00/)).toBeTruthy()
  expect(server.asked('cash/list')).toEqual([{ states: ['asked', 'taken'], member_id: room.member_id }])
  unmount()
})
