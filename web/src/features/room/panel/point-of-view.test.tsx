import { screen, waitFor } from '@testing-library/react'
import type { Answer } from '@tallyroom/contract'
import { MessageType, TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import type { Message } from '@tallyroom/contract/events'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { PointsCard } from '../../../chat/view/points-card.tsx'
import { PointsSheet } from '../../../member/points-sheet.tsx'
import { server } from '../../../testing/fake-server.ts'
import { memberView, ownAccount, roomSummary, transferRow } from '../../../testing/fixtures.ts'
import { renderLight, renderOffice } from '../../../testing/render.tsx'
import { TransferDrawer } from '../../transfer/drawer.tsx'
import { TransferList } from '../../transfer/transfer-list.tsx'
import { PanelFacts } from './panel-facts.tsx'

// CONV-15: the same movement has one sign, one colour and one direction on every surface.
type Shown = readonly [text: string, tone: 'in' | 'out' | undefined, office: string, member: string]
const to = (kind = ''): Shown => ['+30.00', 'in', `To Mia${kind}`, `To you${kind}`]
const from = (kind = ''): Shown => ['−30.00', 'out', `From Mia${kind}`, `From you${kind}`]
type Case = readonly [name: string, type: TransferKind, corrects: TransferKind | null, shown: Shown]
const cases: readonly Case[] = [
  ['send', TransferKind.send, null, to()],
  ['receive', TransferKind.receive, null, from()],
  ['gift', TransferKind.gift, null, to(' · Gift')],
  ['compensation', TransferKind.makeUp, null, to(' · Compensation')],
  ['game send', TransferKind.gameSend, null, to(' · Game wallet in')],
  ['game deduction', TransferKind.gameDeduct, null, from(' · Game wallet deduction')],
  ['to game', TransferKind.toGame, null, ['30.00', undefined, 'Main to game wallet', 'Main to game wallet']],
  ['bet', TransferKind.bet, null, from(' · Bet')],
  ['win', TransferKind.win, null, to(' · Win')],
  ['correction of a send', TransferKind.correction, TransferKind.send, from(' · Correction')],
  ['correction of a receive', TransferKind.correction, TransferKind.receive, to(' · Correction')],
]

test('[CONV-15] every kind of transfer has a case', () => {
  expect(new Set(cases.map(([, type]) => type))).toEqual(new Set(Object.values(TransferKind)))
})

const mia = roomSummary({ name: 'Mia' })
let restore = () => {}
afterEach(() => restore())
beforeEach(() => {
  const spy = vi.spyOn(rooms, 'summary').mockReturnValue(mia)
  restore = () => spy.mockRestore()
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView())
  server.answers('redEnvelope/record', { data: [], total: 0, next: null })
  server.answers('note/list', { data: [], total: 0, friend: { member_id: 20, username: 'mia01', nickname: 'Mia' } })
  server.refuses('friend/view', 'account.not_found')
})

const rowOf = ([, type, corrects_type]: Case) => transferRow({ type, corrects_type })
const listed = (one: Case) => server.answers('transaction/list', { data: [rowOf(one)], total: 1, next: null })
/** The amount on the screen, with its colour. */
const amount = () => {
  const found = screen.getByText(/^[+−]?30\.00$/)
  const way = found.dataset.way === 'same' ? undefined : found.dataset.way
  const tone = way ?? /points-(in|out)/.exec(found.className)?.[1]
  return [found.textContent, tone]
}
const range = { start_time: '2026-11-20 00:00:00', end_time: '2026-11-21 00:00:00', username: '' }

test.each(cases)('[CONV-15] %s in the list', async (...one) => {
  const [text, tone, office] = one[3]
  listed(one)
  await renderOffice(<TransferList filter={range} search={null} mayExport={false} />)
  await waitFor(() => expect(amount()).toEqual([text, tone]))
  if (tone) expect(screen.getByTitle(`${office.slice(0, tone === 'in' ? 3 : 5)}Mia (mia01)`)).toBeTruthy()
})

test.each(cases)('[CONV-15] %s in the panel', async (...one) => {
  const [text, tone, office] = one[3]
  listed(one)
  await renderOffice(
    <PanelFacts room={roomSummary({ name: 'Mia', partner_username: 'mia01' })} isNoting={false} onNoting={() => {}} />,
  )
  await waitFor(() => expect(amount()).toEqual([text, tone]))
  expect(screen.getByText(office)).toBeTruthy()
})

test.each(cases)('[CONV-15] %s in the drawer, whose wallets have columns and no signs', async (...one) => {
  const [text, tone, office] = one[3]
  const posting = {
    leg: 0,
    at: '',
    username: 'mia01',
    role_id: 4,
    wallet: WalletKind.main,
    balance_after: null,
  } as const
  server.answers('transaction/view', {
    ...rowOf(one),
    corrects: null,
    corrected_by: null,
    room: null,
    edits: [],
    postings: [
      { ...posting, amount: '29.0000' },
      { ...posting, username: 'ann01', amount: '-29.0000' },
    ],
  })
  await renderOffice(<TransferDrawer id={transferRow().transaction_id} onClose={() => {}} />)
  await waitFor(() => expect(amount()).toEqual([text, tone]))
  expect(screen.getByText(office)).toBeTruthy()
  expect(screen.getAllByText('29.00').map(({ className }) => className.trim())).toEqual(['points', 'points'])
})

test.each(cases)('[CONV-15] %s on the member’s page', async (...one) => {
  const [text, tone, , member] = one[3]
  listed(one)
  server.answers('cash/view', noRequests)
  renderLight(<PointsSheet onClose={() => {}} />)
  await waitFor(() => expect(amount()).toEqual([text, tone]))
  expect(screen.getByText(member.replace(' · Game wallet in', ' · To the game wallet'))).toBeTruthy()
})

const noRequests = {
  enabled: 0,
  needs_account: 0,
  balance: '0.0000',
  turnover_due: '0.0000',
  accounts: [],
  last: null,
  open: null,
} satisfies Answer<'cash/view'>

const messages = cases.flatMap(([name, type, , shown]) => {
  const facts = transferKinds[type]
  return 'message' in facts ? [[name, facts.message.done, shown] as const] : []
})
const message: Message = {
  message_id: '1',
  room_id: 5,
  member_id: 20,
  seq: 1,
  version: 1,
  type: MessageType.pointsIn,
  content: '30.0000',
  is_self: true,
  created_at: '2026-11-20T10:00:00.000Z',
  nickname: 'Ann',
  username: 'ann01',
  thumbnail: '',
  user_username: 'ann01',
  bot: 0,
  width: null,
  height: null,
  transaction_id: '7b0f6f0e-0000-4000-8000-000000000001',
  transaction_status: TransferStatus.success,
  transaction_corrected: false,
  transaction_type: null,
  amount: '30.0000',
  remark: null,
  expires_at: null,
}

test.each(messages)('[CONV-15] %s as a card on both sides', (_, type, [text, tone, office, member]) => {
  for (const [face, label] of [
    ['office', office],
    ['member', member],
  ] as const) {
    const { unmount } = renderLight(
      <PointsCard message={{ ...message, type }} code="c" face={face} author="" last={false} delivery="sent" />,
    )
    expect(amount()).toEqual([text, tone])
    expect(screen.getByText(label.replace(' · Game wallet in', ' · To the game wallet'))).toBeTruthy()
    unmount()
  }
})
