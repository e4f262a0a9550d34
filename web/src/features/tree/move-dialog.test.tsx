import type { Answer } from '@tallyroom/contract'
import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { treeRow } from '../../testing/fixtures.ts'
import { alerts, button, field, renderOffice } from '../../testing/render.tsx'
import { MoveDialog } from './move-dialog.tsx'

const none = { envelopes: 0, requests: 0, approvals: 0 }
const preview = (fields: Partial<Answer<'tree/previewMove'>> = {}): Answer<'tree/previewMove'> => ({
  accounts: 12,
  members: 10,
  rooms: 11,
  across: none,
  along: none,
  texts: 0,
  lost: [],
  refused: null,
  most: 20_000,
  ...fields,
})
const hit = (id: number, nickname: string, role_id: 1 | 2 | 3 | 4 = Role.agent) => ({
  id,
  role_id,
  username: nickname.toLowerCase(),
  nickname,
  status: AccountStatus.active,
  upline: 'Admin',
})

/** The dialog for Nora, with Pavel chosen as her new upline. */
const choosePavel = async (answer: Answer<'tree/previewMove'>) => {
  server.answers('tree/find', {
    data: [hit(40, 'Pavel'), hit(41, 'Paul', Role.member), hit(42, 'Pam', Role.customerService)],
  })
  server.answers('tree/previewMove', answer)
  let moved = 0
  const row = treeRow({ id: 12, nickname: 'Nora', username: 'nora' })
  const { user } = await renderOffice(<MoveDialog row={row} onMoved={() => moved++} onClose={() => {}} />)
  // The field has the focus.
  await user.keyboard('pa')
  await screen.findByRole('option', { name: /Pavel/ })
  expect(screen.getAllByRole('option').length).toBe(1)
  await user.keyboard('{Enter}')
  return { user, countMoved: () => moved }
}

test('[TREE-03] says what goes along, what stays and what is lost, then moves', async () => {
  const { user, countMoved } = await choosePavel(
    preview({
      along: { envelopes: 1, requests: 2, approvals: 0 },
      texts: 2,
      lost: ['gift_red_envelope_button_visible'],
    }),
  )
  expect(await screen.findByText(t('tree.along_accounts', { n: 12, count: '12' }))).toBeTruthy()
  for (const text of [
    t('tree.along_rooms', { n: 11, count: '11' }),
    t('tree.along_open', { n: 3 }),
    t('tree.stays_reports'),
    t('tree.texts_go', { n: 2, count: '2' }),
    t('tree.loses', { name: 'Pavel' }),
    t('ability.gift_red_envelope_button_visible'),
  ])
    expect(screen.getByText(text)).toBeTruthy()
  server.answers('tree/move', null)
  await user.click(button(t('tree.move_name', { name: 'Nora' })))
  await waitFor(() => expect(countMoved()).toBe(1))
  expect(server.asked('tree/move')).toMatchObject([{ id: 12, to_id: 40 }])
})

test('[TREE-03] what is open across the branch is named, and the button waits', async () => {
  await choosePavel(preview({ refused: 'tree.in_flight', across: { envelopes: 2, requests: 1, approvals: 0 } }))
  const text = t('tree.in_flight', { envelopes: 2, requests: 1, approvals: 0 })
  await waitFor(() => expect(alerts()).toEqual([text]))
  expect(button(t('tree.move_name', { name: 'Nora' })).hasAttribute('disabled')).toBe(true)
})

test('[TREE-03] a refusal of the move is shown, and the choice stays', async () => {
  const { user, countMoved } = await choosePavel(preview())
  await screen.findByText(t('tree.stays_reports'))
  server.refuses('tree/move', 'tree.upline_frozen')
  await user.click(button(t('tree.move_name', { name: 'Nora' })))
  await waitFor(() => expect(alerts()).toEqual([wordsOf('tree.upline_frozen')]))
  expect(field(t('tree.new_upline')).value).toBe('Pavel')
  expect(countMoved()).toBe(0)
})

test('[TREE-03] by keys: Enter before the answer takes the first name, the next Enter moves', async () => {
  const release = server.delays('tree/find', { data: [hit(40, 'Pavel')] })
  server.answers('tree/previewMove', preview())
  server.answers('tree/move', null)
  let moved = 0
  const row = treeRow({ id: 12, nickname: 'Nora', username: 'nora' })
  const { user } = await renderOffice(<MoveDialog row={row} onMoved={() => moved++} onClose={() => {}} />)
  await user.keyboard('pavel{Enter}')
  await waitFor(() => expect(server.asked('tree/find')).toEqual([{ text: 'pavel' }]))
  release()
  await screen.findByText(t('tree.stays_reports'))
  expect(field(t('tree.new_upline')).value).toBe('Pavel')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(moved).toBe(1))
})

test('[TREE-03] Esc closes the list of names, and the dialog stays', async () => {
  server.answers('tree/find', { data: [hit(40, 'Pavel')] })
  let closed = 0
  const row = treeRow({ id: 12, nickname: 'Nora', username: 'nora' })
  const { user } = await renderOffice(<MoveDialog row={row} onMoved={() => {}} onClose={() => closed++} />)
  await user.keyboard('pa')
  await screen.findByRole('option', { name: /Pavel/ })
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('option')).toBeNull()
  expect([closed, field(t('tree.new_upline')).value]).toEqual([0, 'pa'])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(closed).toBe(1))
})

test('[TREE-03] another text in the field takes the choice back', async () => {
  const { user } = await choosePavel(preview())
  await screen.findByText(t('tree.stays_reports'))
  await user.keyboard('x')
  expect(screen.queryByText(t('tree.stays_reports'))).toBeNull()
  await user.click(button(t('tree.move_name', { name: 'Nora' })))
  expect(alerts()).toEqual([t('tree.no_upline')])
  expect(server.asked('tree/move')).toEqual([])
})

test('[TREE-03] without a new upline it says what is missing', async () => {
  const row = treeRow({ nickname: 'Nora' })
  const { user } = await renderOffice(<MoveDialog row={row} onMoved={() => {}} onClose={() => {}} />)
  await user.click(button(t('tree.move_name', { name: 'Nora' })))
  expect(alerts()).toEqual([t('tree.no_upline')])
})
