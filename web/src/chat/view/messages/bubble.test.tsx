import { MessageType } from '@tallyroom/contract/codes'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { renderLight } from '../../../testing/render.tsx'
import { OutgoingBubble } from './bubble.tsx'

const slip = {
  id: 'm1',
  code: 'room',
  type: MessageType.file,
  content: '',
  source: { blob: new Blob(['%PDF']), name: 'slip.pdf' },
  width: null,
  height: null,
  at: '2026-11-22T12:00:00Z',
  state: 'failed',
  error: 'refused',
  tries: 0,
} as const

test('[CONV-12] a file that the server cannot store is not offered to be sent again', () => {
  const { rerender } = renderLight(<OutgoingBubble outgoing={slip} />)
  const names = () => screen.getAllByRole('button').map((button) => button.textContent)
  expect(names()).toEqual([t('message.retry'), t('message.discard')])
  rerender(<OutgoingBubble outgoing={{ ...slip, isBadFile: true }} />)
  expect(screen.getByRole('alert').textContent).toContain('refused')
  expect(names()).toEqual([t('message.discard')])
})

test('[ROOM-05] a message that waits for the connection says so once', () => {
  const { source: _source, error: _error, ...rest } = slip
  const words = { ...rest, type: MessageType.text, content: 'hello', state: 'sending' } as const
  const { rerender } = renderLight(<OutgoingBubble outgoing={words} />)
  expect(screen.getAllByText(t('message.sending'))).toHaveLength(1)
  rerender(<OutgoingBubble outgoing={{ ...words, tries: 1 }} />)
  expect(screen.getAllByText(t('message.waiting'))).toHaveLength(1)
})
