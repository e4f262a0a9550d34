import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { noCashRequests, transferRow } from '../../testing/fixtures.ts'
import { renderLight } from '../../testing/render.tsx'
import { PointsSheet } from './points-sheet.tsx'

const PENDING = 4
const REJECTED = 2

test('the member’s own request is not the member’s to answer, and only what will never move is struck out', async () => {
  server.answers('cash/view', noCashRequests)
  server.answers('transaction/list', {
    data: [
      transferRow({ id: '3', remark: 'offer', status: PENDING, envelope: 1 }),
      transferRow({ id: '1', remark: 'no, thanks', status: REJECTED, envelope: 1 }),
      transferRow({ id: '4', remark: 'asked by the member', status: PENDING, envelope: 1, request: 'asked' }),
      transferRow({ id: '5', remark: 'cancelled by the member', status: REJECTED, envelope: 1, request: 'withdrawn' }),
    ],
    total: 4,
    next: null,
  })
  // Asked when an earlier file of this worker has left a member signed in.
  server.answers('member/flowLimit', { data: [], open: '0.0000', total: 0 })
  renderLight(<PointsSheet onClose={() => {}} onAsked={() => {}} />)
  await screen.findByText('offer')
  const [waiting, history] = screen.getAllByRole('list', { hidden: true })
  if (!waiting || !history) throw new Error('one of the lists is missing')
  expect(within(waiting).getAllByRole('listitem', { hidden: true })).toHaveLength(1)
  expect(within(waiting).getByText('offer')).toBeTruthy()
  expect(within(history).getByText(t('cash.state_asked'))).toBeTruthy()
  expect(within(history).getByText(t('cash.state_withdrawn'))).toBeTruthy()
  const ways = [...document.querySelectorAll('[data-way]')].map((one) => one.getAttribute('data-way'))
  expect(ways).toEqual(['open', 'none', 'open', 'none'])
})
