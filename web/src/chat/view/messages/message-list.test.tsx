import type { Message } from '@tallyroom/contract/events'
import { MessageType } from '@tallyroom/contract/codes'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { renderLight } from '../../../testing/render.tsx'
import { itemsOf } from './items.ts'
import { MessageList } from './message-list.tsx'

const VIEW = 600
/** Only a browser lays pages out: here rows are as high as the list estimates them, and its content as it says. */
const heights = {
  offsetHeight: (element: HTMLElement) =>
    element.matches('.c-scroller') ? VIEW : element.querySelector('.c-day') ? 40 : 39,
  clientHeight: () => VIEW,
  scrollHeight: ({ firstElementChild }: HTMLElement) =>
    Number.parseFloat((firstElementChild as HTMLElement).style.height),
}
beforeEach(() => {
  for (const [name, heightOf] of Object.entries(heights))
    vi.spyOn(HTMLElement.prototype, name as 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
      return heightOf(this)
    })
})
afterEach(() => vi.restoreAllMocks())

const message = (seq: number) =>
  ({
    message_id: `m${seq}`,
    seq,
    type: MessageType.text,
    content: `line ${seq}`,
    created_at: '2026-11-22T12:00:00Z',
    nickname: 'Ann',
  }) as Message
const linesTo = (last: number) =>
  itemsOf(
    Array.from({ length: last }, (_, at) => message(at + 1)),
    [],
    false,
  )

type Window = { last: number; hasNewer: boolean }
const setUp = () => {
  const onNewer = vi.fn<() => void>()
  const onLatest = vi.fn<() => void>()
  const list = ({ last, hasNewer }: Window) => (
    <MessageList
      name="Ann"
      items={linesTo(last)}
      hasMore={false}
      older="ready"
      onOlder={() => {}}
      onSeen={() => {}}
      renderItem={(item) => (item.kind === 'message' ? <p>{item.message.content}</p> : null)}
      mark={1}
      past={{ hasNewer, newer: 'ready', onNewer, onLatest }}
    />
  )
  const { rerender } = renderLight(list({ last: 8, hasNewer: true }))
  return { onNewer, onLatest, show: (window: Window) => rerender(list(window)) }
}
const frames = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame)
}

test('[ROOM-04] [CONV-09] a short window of history stays open when the page that meets the room’s end arrives', async () => {
  const { onNewer, onLatest, show } = setUp()
  // It fits on the screen, so its own end is in view, and the next page is asked for.
  await waitFor(() => expect(onNewer).toHaveBeenCalled())
  show({ last: 80, hasNewer: false })
  await frames(4)
  expect(onLatest).not.toHaveBeenCalled()
  expect(screen.getByText('line 1')).toBeTruthy()
  // The user reads on to the end.
  const log = screen.getByRole('log', { name: t('room.messages', { name: 'Ann' }) })
  log.scrollTop = 1_000_000
  fireEvent.scroll(log)
  await waitFor(() => expect(onLatest).toHaveBeenCalled())
})
