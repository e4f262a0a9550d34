import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchConnection } from '../../api/connection.ts'
import { outbox } from '../../chat/model/chat-session.ts'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { goOnline, renderOffice } from '../../testing/render.tsx'
import { OfflineBar } from './offline-bar.tsx'

const bar = () => document.querySelector('.offline-bar')?.textContent ?? ''

let stop = () => {}
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  stop = watchConnection({ asks: false })
})
afterEach(() => {
  goOnline(true)
  stop()
  outbox.stop()
  vi.restoreAllMocks()
})

test('[CONV-16] a lost line shows what is kept and what waits, and goes when the line is back', async () => {
  server.losesAnswer('sendMessage')
  await renderOffice(<OfflineBar />)
  expect(bar()).toBe('')
  goOnline(false)
  expect(bar()).toContain(t('connection.nothing_kept'))
  act(() => void outbox.add('room-code', 'one'))
  act(() => void outbox.add('other-code', 'two'))
  expect(bar()).toContain(t('connection.kept', { n: 2 }))
  expect(bar()).toContain(t('connection.old'))
  expect(document.documentElement.dataset.connection).toBe('lost')
  const status = () => document.querySelector('[role=status]')?.textContent
  expect(status()).not.toContain(t('connection.back'))
  goOnline(true)
  expect(bar()).toBe('')
  // A screen reader would say the loss only.
  expect(status()).toBe(t('connection.back'))
  expect(document.documentElement.dataset.connection).toBeUndefined()
})
