import { screen, waitFor } from '@testing-library/react'
import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../chat/model/chat-session.ts'
import { CashCard } from '../chat/view/cards/cash-card.tsx'
import { Announcer } from '../chat/view/messages/announcer.tsx'
import { PointsCard } from '../chat/view/cards/points-card.tsx'
import { PointsSheet } from '../member/points/points-sheet.tsx'
import { t } from '../i18n/i18n.ts'
import { setStored } from '../lib/storage.ts'
import { server } from './fake-server.ts'
import { memberView, menuPage, noCashRequests, ownAccount, roomSummary, transferRow } from './fixtures.ts'
import { cashCard, cashMessage, pointsMessage } from './message-fixtures.ts'
import { renderLight, renderOffice } from './render.tsx'
import { TransferDrawer } from '../features/transfer/drawer.tsx'
import { TransferList } from '../features/transfer/transfer-list.tsx'
import { PanelFacts } from '../features/room/panel/panel-facts.tsx'

// CONV-15: the same movement has one sign, one colour and one name on every surface.
type Shown = readonly [text: string, tone: 'in' | 'out' | undefined, words: string]
const to = (kind = ''): Shown => ['+30.00', 'in', `Points in${kind}`]
const from = (kind = ''): Shown => ['−30.00', 'out', `Points out${kind}`]
type Case = readonly [name: string, type: TransferKind, corrects: TransferKind | null, shown: Shown]
const cases: readonly Case[] = [
  ['send', TransferKind.send, null, to()],
  ['receive', TransferKind.receive, null, from()],
  ['gift', TransferKind.gift, null, to(' · Gift')],
  ['compensation', TransferKind.makeUp, null, to(' · Compensation')],
  ['game send', TransferKind.gameSend, null, to(' · Game wallet in')],
  ['game deduction', TransferKind.gameDeduct, null, from(' · Game wallet deduction')],
  ['to game', TransferKind.toGame, null, ['30.00', undefined, 'Main to game wallet']],
  ['bet', TransferKind.bet, null, from(' · Bet')],
  ['win', TransferKind.win, null, to(' · Win')],
  ['void', TransferKind.betVoid, null, to(' · Voided bet')],
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
  server.answers('userMenu/list', [menuPage('/transaction/list', { name: 'transaction_log' })])
  server.answers('transaction/totals', { totals: null })
  server.answers('redEnvelope/record', { data: [], total: 0, next: null })
  server.answers('note/list', { data: [], total: 0, friend: { member_id: 20, username: 'mia01', nickname: 'Mia' } })
  server.refuses('account/view', 'account.not_found')
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
  const [text, tone] = one[3]
  listed(one)
  await renderOffice(<TransferList filter={range} mayExport={false} />)
  await waitFor(() => expect(amount()).toEqual([text, tone]))
  if (tone) expect(screen.getByTitle(`${tone === 'in' ? 'In' : 'Out'} · Mia (mia01)`)).toBeTruthy()
})

test.each(cases)('[CONV-15] %s in the panel', async (...one) => {
  const [text, tone, words] = one[3]
  listed(one)
  setStored('panel_bets', '1')
  await renderOffice(
    <PanelFacts room={roomSummary({ name: 'Mia', partner_username: 'mia01' })} isNoting={false} onNoting={() => {}} />,
  )
  await waitFor(() => expect(amount()).toEqual([text, tone]))
  expect(screen.getByText(words)).toBeTruthy()
})

test.each(cases)('[CONV-15] %s in the drawer, whose wallets have columns and no signs', async (...one) => {
  const [text, tone, words] = one[3]
  const posting = {
    leg: 0,
    at: '',
    username: 'mia01',
    role_id: Role.member,
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
  expect(screen.getByText(tone ? words.replace(/(Points \w+)/, '$1 · Mia') : words)).toBeTruthy()
  expect(screen.getAllByText('29.00').map(({ className }) => className.trim())).toEqual(['points', 'points'])
})

test.each(cases)('[CONV-15] %s on the member’s page', async (...one) => {
  const [text, tone, words] = one[3]
  listed(one)
  server.answers('cash/view', noCashRequests)
  // Of a member that another file of this worker has signed in.
  server.answers('member/flowLimit', { data: [], open: '0.0000', total: 0 })
  renderLight(<PointsSheet onClose={() => {}} onAsked={() => {}} />)
  await waitFor(() => expect(amount()).toEqual([text, tone]))
  expect(screen.getByText(words.replace(' · Game wallet in', ' · To the game wallet'))).toBeTruthy()
})

const messages = cases.flatMap(([name, type, , shown]) => {
  const facts = transferKinds[type]
  return 'message' in facts ? [[name, facts.message.done, shown] as const] : []
})
test.each(messages)('[CONV-15] %s as a card on both sides', (_, type, [text, tone, words]) => {
  for (const face of ['office', 'member'] as const) {
    const { unmount } = renderLight(
      <PointsCard message={pointsMessage({ type })} code="c" face={face} author="" last={false} delivery="sent" />,
    )
    expect(amount()).toEqual([text, tone])
    expect(screen.getByText(words.replace(' · Game wallet in', ' · To the game wallet'))).toBeTruthy()
    unmount()
  }
})

test.each([
  ['in', '+30.00'],
  ['out', '−30.00'],
] as const)(
  '[CONV-15] [CASH-02] a request for points %s as a card on both sides, and as it is read out',
  (direction, text) => {
    const card = cashMessage({ cash: cashCard({ direction }) })
    for (const face of ['office', 'member'] as const) {
      const { unmount } = renderLight(<CashCard message={card} code="c" face={face} last={false} delivery="sent" />)
      expect(amount()).toEqual([text, direction])
      unmount()
    }
    const at = (seq: number) => (
      <Announcer
        items={[{ kind: 'message', key: 'm', message: { ...card, seq }, first: true }]}
        face="office"
        authorOf={() => 'Mia'}
        asideSeq={0}
        asideText={undefined}
      />
    )
    const { rerender } = renderLight(at(1))
    rerender(at(2))
    const title = t(direction === 'in' ? 'cash.asks_in' : 'cash.asks_out')
    expect(screen.getByText(`Mia: ${title} ${text}, ${t('cash.state_asked')}`)).toBeTruthy()
  },
)
