import { screen, within } from '@testing-library/react'
import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { cashRow, memberView, menuPage, ownAccount, roomSummary, transferRow } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { PanelFacts } from './panel-facts.tsx'

const room = roomSummary({ name: 'Mia', partner_username: 'mia01' })

test('[CASH-02] the member’s request and what waits for approval are no open envelopes, and say what they are', async () => {
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
  server.answers('userMenu/list', [menuPage('/transaction/list', { name: 'transaction_log' })])
  server.answers('note/list', { data: [], total: 0, friend: { member_id: 20, username: 'mia01', nickname: 'Mia' } })
  server.refuses('friend/view', 'account.not_found')
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
  const envelopes = await part(t('panel.envelopes'))
  expect(await envelopes.findByText('11.00')).toBeTruthy()
  expect(envelopes.queryByText('22.00')).toBeNull()
  expect(envelopes.queryByText('33.00')).toBeNull()
  const transfers = await part(t('panel.transfers'))
  expect(await transfers.findByText(t('cash.state_asked'))).toBeTruthy()
  expect(transfers.getByText(t('approval.waits'))).toBeTruthy()
})

test('[CASH-02] the member’s open request is named, with the way to it; without one there is nothing', async () => {
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView())
  server.answers('userMenu/list', [menuPage('/cash', { name: 'requests' })])
  server.answers('note/list', { data: [], total: 0, friend: { member_id: 20, username: 'mia01', nickname: 'Mia' } })
  server.refuses('friend/view', 'account.not_found')
  server.answers('cash/list', { data: [cashRow({ id: 31, direction: 'out', amount: '5.0000' })], next: null })
  const { unmount } = await renderOffice(<PanelFacts room={room} isNoting={false} onNoting={() => {}} />)
  const part = within(await screen.findByRole('region', { name: t('requests.one', { n: 31 }) }))
  expect(part.getByRole('link', { name: t('cash.out') }).getAttribute('href')).toBe('/cash?request=31')
  expect(part.getByText(/5\.00/)).toBeTruthy()
  expect(server.asked('cash/list')).toEqual([{ states: ['asked', 'taken'], member_id: room.member_id }])
  unmount()
})
