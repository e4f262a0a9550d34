import { screen, waitFor, within } from '@testing-library/react'
import type { ApprovalRow } from '@tallyroom/contract/calls/points/approval'
import type { SensitiveChangeRow } from '@tallyroom/contract/calls/office/change'
import { MessageType, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { beforeEach, expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { signed, signOptions, withPasskeys } from '../../testing/passkeys.ts'
import { fill, renderOffice } from '../../testing/render.tsx'
import { startListKeys } from '../../ui/keyboard/list-keys.ts'
import { ApprovalsPage } from './approvals-page.tsx'

const waiting: ApprovalRow = {
  id: 3,
  state: 'waiting',
  transaction_id: '0197a000-0000-7000-8000-000000000001',
  type: TransferKind.send,
  wallet: WalletKind.main,
  amount: '5000.0000',
  cash_id: null,
  maker_id: 9,
  maker_username: 'mika',
  maker_nickname: 'Mika',
  member_id: 20,
  member_username: 'ginawong',
  member_nickname: 'Gina Wong',
  thumbnail: '',
  funder_name: 'Dana',
  over: 'transfer',
  most: '1000.0000',
  holder_name: 'Mika',
  reason: 'Won the November draw',
  remark: '',
  made_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-23T10:00:00.000Z',
  ended_at: null,
  ended_name: '',
  answer: '',
  is_own: 0,
  may_decide: 1,
  funder: { before: '47144.0000', after: '42144.0000' },
  target: { before: '280.5000', after: '5280.5000' },
  room: null,
  messages: [
    { at: '2026-11-22T09:59:00.000Z', from_member: 1, name: 'Gina Wong', type: MessageType.text, content: 'I won!' },
    { at: '2026-11-22T09:59:10.000Z', from_member: 1, name: 'Gina Wong', type: MessageType.voice, content: '61000' },
    { at: '2026-11-22T09:59:20.000Z', from_member: 1, name: 'Gina Wong', type: MessageType.file, content: 'slip.pdf' },
    { at: '2026-11-22T09:59:30.000Z', from_member: 1, name: 'Gina Wong', type: MessageType.cash, content: '1500.0000' },
  ],
  seen: 'first',
}
const { state, maker_id, maker_username, maker_nickname, thumbnail, expires_at, ended_at } = waiting
const maker = { state, maker_id, maker_username, maker_nickname, thumbnail, expires_at, ended_at }
const sensitiveChange: SensitiveChangeRow = {
  ...maker,
  id: 9,
  kind: 'credit',
  target_id: 5,
  target_username: 'pavel',
  target_nickname: 'Pavel',
  facts: [],
  made_at: '2026-11-22T10:30:00.000Z',
  ended_name: '',
  answer: '',
  is_own: 0,
  may_decide: 1,
  qr: null,
  file: null,
}
let row: ApprovalRow
beforeEach(() => {
  row = waiting
  server.answers('change/list', { data: [], next: null })
  server.answers('approval/list', ({ ended }) => ({ data: ended === 1 ? [] : [row], next: null }))
})
const open = async () => {
  const view = await renderOffice(<ApprovalsPage />)
  await view.user.click(await screen.findByText('Gina Wong'))
  await screen.findByText('Won the November draw')
  return view
}
const press = () => screen.findByRole('button', { name: t('approval.approve', { amount: '5,000.00' }) })

test('[CAPS-03] the drawer shows amount, both wallets before and after, the limit and the conversation', async () => {
  await open()
  const drawer = within(document.querySelector<HTMLElement>('[role="dialog"]') as HTMLElement)
  expect(drawer.getByRole('region', { name: t('approval.messages') }).tabIndex).toBe(0)
  expect(drawer.getByRole('heading', { level: 2, name: t('approval.messages') })).toBeTruthy()
  for (const text of [
    `${t('message.kind_voice')} 1:01`,
    'slip.pdf',
    '47,144.00',
    '42,144.00',
    '280.50',
    '5,280.50',
    'I won!',
    `${t('cash.request')} 1,500.00`,
  ])
    expect(drawer.getByText(text)).toBeTruthy()
  expect(drawer.getByText(t('approval.over_transfer', { amount: '1,000.00' }))).toBeTruthy()
})

test('[CAPS-03] what is approved is what was shown; when it has changed, the new figures are shown', async () => {
  const { user } = await open()
  server.refuses('approval/approve', 'approval.changed')
  row = { ...row, seen: 'second', target: { before: '300.0000', after: '5300.0000' } }
  await user.click(await press())
  expect(await screen.findByText(wordsOf('approval.changed'))).toBeTruthy()
  expect(server.asked('approval/approve')).toMatchObject([{ id: 3, seen: 'first' }])
  expect(await screen.findByText('5,300.00')).toBeTruthy()
  server.answers('approval/approve', { id: 3, state: 'approved' })
  await user.click(await press())
  await waitFor(() => expect(server.asked('approval/approve').at(-1)).toMatchObject({ seen: 'second' }))
})

test('[CAPS-02] who loses the right with the drawer open reads that, and nothing of it stays on the page', async () => {
  const { user } = await open()
  server.refuses('approval/approve', 'approval.not_found')
  server.answers('approval/list', { data: [], next: null })
  await user.click(await press())
  expect(await screen.findByText(t('approval.not_mine'))).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Won the November draw')).toBeNull())
  expect(screen.queryByRole('button', { name: t('approval.refuse') })).toBeNull()
})

test('[CAPS-03] what is typed beside the fields approves nothing', async () => {
  const { user } = await open()
  server.answers('approval/approve', { id: 3, state: 'approved' })
  await user.keyboard('not yet {Enter}')
  expect(server.asked('approval/approve')).toEqual([])
})

test('[CAPS-02] refusing needs a reason; the maker can only take it back', async () => {
  const { user } = await open()
  server.answers('approval/refuse', { id: 3, state: 'refused' })
  await user.click(screen.getByRole('button', { name: t('approval.refuse') }))
  await fill(user, t('requests.reason'), 'Ask first')
  await user.click(screen.getByRole('button', { name: t('approval.refuse') }))
  await waitFor(() => expect(server.asked('approval/refuse')).toMatchObject([{ id: 3, reason: 'Ask first' }]))
})

test('[CAPS-02] nothing waits: the page says what will be here', async () => {
  server.answers('approval/list', { data: [], next: null })
  await renderOffice(<ApprovalsPage />)
  expect(await screen.findByText(t('approval.empty_hint'))).toBeTruthy()
})

test('[CAPS-02] by keys: the oldest has the focus, and the notice says how it was decided', async () => {
  server.answers('approval/approve', { id: 3, state: 'approved' })
  const { user } = await renderOffice(<ApprovalsPage />)
  await screen.findByText('Gina Wong')
  await waitFor(() => expect(document.activeElement?.hasAttribute('data-open')).toBe(true))
  await user.keyboard('{Enter}')
  await screen.findByText('Won the November draw')
  await user.click(await press())
  expect(await screen.findByText(t('approval.approved'))).toBeTruthy()
})

test('[CAPS-02] nothing was decided yet: the list of decided ones says so', async () => {
  const { user } = await renderOffice(<ApprovalsPage />)
  await user.click(await screen.findByRole('button', { name: t('approval.decided') }))
  expect(await screen.findByText(t('approval.none_decided'))).toBeTruthy()
})

test('[PASS-02] approving asks for the payment password, or for a passkey over the same request', async () => {
  withPasskeys()
  const { user } = await open()
  server.once.refuses('approval/approve', 'transfer.needs_payment_password')
  server.answers('passkey/beginPoints', signOptions)
  server.answers('approval/approve', { id: 3, state: 'approved' })
  await user.click(await press())
  await user.click(await screen.findByRole('button', { name: t('passkey.use') }))
  await waitFor(() => expect(server.asked('approval/approve')).toHaveLength(2))
  const [begun] = server.asked('passkey/beginPoints')
  expect(begun).toMatchObject({ call: 'approval/approve', id: 3 })
  expect(server.asked('approval/approve').at(-1)).toMatchObject({ request_id: begun?.request, passkey: signed })
})

test('[CAPS-02] more than a page: both queues go on, and nothing is shown out of order', async () => {
  const made = (id: number, minute: number) => ({
    ...waiting,
    id,
    member_nickname: `Member ${id}`,
    made_at: `2026-11-22T10:${minute}:00.000Z`,
  })
  server.answers('approval/list', ({ after }) =>
    after === undefined ? { data: [made(1, 10), made(2, 20)], next: 2 } : { data: [made(3, 40)], next: null },
  )
  server.answers('change/list', { data: [sensitiveChange], next: null })
  const { user } = await renderOffice(<ApprovalsPage />)
  const names = () => screen.getAllByText(/^(Member \d|Pavel)$/).map(({ textContent }) => textContent)
  await screen.findByText('Member 2')
  // Of 10:30, but transfers are loaded to 10:20 only.
  expect(names()).toEqual(['Member 1', 'Member 2'])
  await user.click(screen.getByRole('button', { name: t('statement.load_more') }))
  await screen.findByText('Member 3')
  expect(names()).toEqual(['Member 1', 'Member 2', 'Pavel', 'Member 3'])
  expect(screen.queryByRole('button', { name: t('statement.load_more') })).toBeNull()
})

test('[CAPS-02] the arrows lead from the oldest entry to the next, and back', async () => {
  server.answers('approval/list', { data: [row, { ...row, id: 4, made_at: '2026-11-22T11:00:00.000Z' }], next: null })
  const stop = startListKeys()
  const { user } = await renderOffice(<ApprovalsPage />)
  const opens = await screen.findAllByRole('button', { name: /^.+ [34]$/ })
  await waitFor(() => expect(document.activeElement).toBe(opens[0]))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(opens[1])
  await user.keyboard('k')
  expect(document.activeElement).toBe(opens[0])
  stop()
})

test('[CAPS-02] the focus waits for both queues, and goes to the oldest entry', async () => {
  const release = server.delays('approval/list', { data: [row], next: null })
  server.answers('change/list', { data: [sensitiveChange], next: null })
  await renderOffice(<ApprovalsPage />)
  await screen.findByText('Pavel')
  release()
  const [oldest] = await screen.findAllByRole('button', { name: / 3$/ })
  await waitFor(() => expect(document.activeElement).toBe(oldest))
})

test('[CAPS-02] what was decided is listed by when it was asked, and the column says so', async () => {
  const ended = { ...waiting, state: 'approved', ended_at: '2026-11-22T12:34:00.000Z' } as const
  server.answers('approval/list', ({ ended: isEnded }) => ({ data: isEnded === 1 ? [ended] : [], next: null }))
  const { user } = await renderOffice(<ApprovalsPage />)
  await user.click(await screen.findByRole('button', { name: t('approval.decided') }))
  expect(await screen.findByRole('columnheader', { name: t('requests.asked_at') })).toBeTruthy()
  expect(screen.getByText('11-22 10:00')).toBeTruthy()
  expect(screen.queryByRole('columnheader', { name: t('requests.waiting') })).toBeNull()
})
