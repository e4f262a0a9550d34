import { MessageType, TransferStatus } from '@tallyroom/contract/codes'
import type { Aside, CashCard, Message, TransferMessage } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import type { Face } from '../../../lib/storage.ts'
import { cashCard, cashMessage, message, pointsMessage } from '../../../testing/message-fixtures.ts'
import { renderLight } from '../../../testing/render.tsx'
import { Announcer } from './announcer.tsx'
import { itemsOf } from './items.ts'

const before = message({ message_id: 'before' })

/** The room of Mia, seen by Ann in the back office or by Mia. */
const setUp = (face: Face = 'office') => {
  const view = (messages: readonly Message[], asides: readonly Aside[] = []) => (
    <Announcer
      items={itemsOf(messages, [], false, asides)}
      asideSeq={4}
      asideText={({ content }) => content}
      face={face}
      authorOf={({ nickname }) => (nickname === (face === 'office' ? 'Ann' : 'Mia') ? '' : nickname)}
    />
  )
  const { container, rerender } = renderLight(view([before]))
  const region = container.querySelector('[aria-live=polite]')
  return {
    show: (...messages: readonly Message[]) => rerender(view([before, ...messages])),
    showNotes: (...asides: readonly Aside[]) => rerender(view([before], asides)),
    /** One element each: a screen reader announces elements that were added. */
    lines: () => [...(region?.children ?? [])],
    said: () => [...(region?.children ?? [])].map(({ textContent }) => textContent),
  }
}

const given = (changes: Partial<TransferMessage>) =>
  pointsMessage({ message_id: 'card', seq: 2, nickname: 'Lee', ...changes })
const envelope = { type: MessageType.envelope, transaction_status: TransferStatus.pending }
const asked = cashCard({ direction: 'out' })

test.each([
  ['an offer', envelope, 'Lee: Points in · Red envelope +30.00, Pending'],
  ['points that have arrived', {}, 'Lee: Points in +30.00, Success'],
  ['points that were taken', { type: MessageType.pointsOut }, 'Lee: Points out −30.00, Success'],
] as const)('[ENV-07] the member hears %s as what it is, and from whom', (_, fields, text) => {
  const { show, said } = setUp('member')
  show(given({ ...fields, is_self: false }))
  expect(said()).toEqual([text])
})

test('[CASH-02] the group hears a request as what it is, and from whom', () => {
  const { show, said } = setUp()
  show(cashMessage({ seq: 2, cash: asked }))
  expect(said()).toEqual(['Mia: Asks for points out −30.00, Pending'])
})

const ok = (seq: number) => message({ message_id: `ok${seq}`, seq, content: 'ok' })

test('the same text twice is announced twice', () => {
  const { show, lines, said } = setUp()
  show(ok(2))
  const [first] = lines()
  show(ok(2), ok(3))
  expect(said()).toEqual(['Mia: ok'])
  expect(lines()[0]).not.toBe(first)
})

test('all that arrive at once are announced, up to five', () => {
  const { show, said } = setUp()
  show(ok(2), given({ seq: 3, is_self: false }))
  expect(said()).toEqual(['Mia: ok', 'Lee: Points in +30.00, Success'])
  show(...Array.from({ length: 60 }, (_, n) => ok(n + 4)))
  expect(said()).toHaveLength(5)
})

test('older messages that are loaded are not announced', () => {
  const { show, said } = setUp()
  show(ok(2))
  show(ok(0), ok(2))
  expect(said()).toEqual(['Mia: ok'])
})

test('a colleague’s answer and envelope are announced, the user’s own are not', () => {
  const { show, said } = setUp()
  const answer = message({ message_id: 'answer', seq: 3, content: 'Hi', is_self: true, nickname: 'Lee' })
  const own = message({ message_id: 'own', seq: 4, content: 'Bye', is_self: true, nickname: 'Ann' })
  show(given(envelope), answer, own, given({ message_id: 'own card', seq: 5, nickname: 'Ann' }))
  expect(said()).toEqual(['Lee: Points in · Red envelope +30.00, Waiting for user consent', 'Lee: Hi'])
})

const note = (seq: number) =>
  ({ aside_id: `n${seq}`, seq, after_seq: 1, kind: 'whisper', content: `note ${seq}` }) as Aside

test('[CONV-05] a new internal note is announced, one that was there and loads later is not', () => {
  const { showNotes, said } = setUp()
  showNotes(note(3), note(4))
  expect(said()).toEqual([])
  showNotes(note(3), note(4), note(5))
  expect(said()).toEqual(['note 5'])
})

test.each([
  ['member', TransferStatus.success, 'Lee: Points in +30.00, Success'],
  ['member', TransferStatus.rejected, 'Lee: Points in · Red envelope +30.00, Rejected'],
  ['office', TransferStatus.success, 'Lee: Points in +30.00, Success'],
  ['office', TransferStatus.expired, 'Lee: Points in · Red envelope +30.00, Expired'],
] as const)('[ENV-06] the %s hears that an envelope has the status %i', (face, transaction_status, text) => {
  const { show, said } = setUp(face)
  const is_self = face === 'office'
  show(given({ ...envelope, is_self }))
  show(given({ ...envelope, is_self, transaction_status, version: 2 }))
  expect(said()).toEqual([text])
})

test('[CASH-03] the member hears what became of its own request', () => {
  const { show, said } = setUp('member')
  const asksFor = (cash: CashCard, version: number) => cashMessage({ seq: 2, is_self: true, cash, version })
  show(asksFor(asked, 1))
  expect(said()).toEqual([])
  show(asksFor({ ...asked, state: 'paid' }, 2))
  expect(said()).toEqual(['You asked for points out −30.00, Paid'])
})
