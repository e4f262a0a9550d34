import type { Answer } from '@tallyroom/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'

type Delivery = Answer<'webhook/list'>['data'][number]
const delivery = (delivery_id: string, kind: string, more: Partial<Delivery>): Delivery => ({
  delivery_id,
  id: '8e9c1c4e-6b1f-4a53-9c0e-2f4d1b7a9e05',
  kind,
  created_at: '2026-11-01T10:00:00Z',
  tries: 1,
  delivered_at: null,
  due_at: null,
  last_answer: '500',
  ...more,
})
const waiting = delivery('3', 'request.paid', { due_at: '2026-11-01T14:00:00Z', last_answer: 'no_url' })
const failed = delivery('2', 'member.added', { tries: 17 })
const done = delivery('1', 'transfer.settled', { delivered_at: '2026-11-01T10:00:01Z', last_answer: '204' })
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('a delivery says what the platform answered and when it is tried again; it can be sent again', async () => {
  server.answers('webhook/list', { data: [waiting, failed, done] })
  server.answers('webhook/resend', { count: 1 })
  const { user } = await renderOffice(<DeliveriesCard />)
  await screen.findByText('request.paid')
  expect(rows()[0]).toContain(t('webhook.no_url'))
  expect(rows().map((text) => text?.includes(t('webhook.next', { at: '' }).trim()))).toEqual([true, false, false])
  await user.click(button(t('webhook.resend_named', { name: 'member.added' })))
  expect(await screen.findByText(t('webhook.resent', { n: 1 }))).toBeTruthy()
  expect(server.asked('webhook/resend')).toMatchObject([{ delivery_id: '2' }])
  // The list is read again.
  await waitFor(() => expect(server.asked('webhook/list')).toHaveLength(2))
})

test('those that were not delivered are shown alone, and sent again together', async () => {
  server.answers('webhook/list', { data: [failed] })
  server.answers('webhook/resend', { count: 0 })
  const { user } = await renderOffice(<DeliveriesCard />)
  await user.click(await screen.findByRole('checkbox', { name: t('webhook.undelivered') }))
  await waitFor(() => expect(server.asked('webhook/list').at(-1)).toEqual({ undelivered: true }))
  server.answers('webhook/list', { data: [] })
  await user.click(button(t('webhook.resend_all')))
  // Delivered meanwhile: said by the snackbar, and in place of the list.
  await waitFor(() => expect(screen.getAllByText(t('webhook.none'))).toHaveLength(2))
  expect(screen.queryByRole('button', { name: t('webhook.resend_all') })).toBeNull()
})

test('[API-08] a test is sent, and its answer shown as soon as it is there', async () => {
  const ping = delivery('4', 'ping', { id: '0a3f1c4e-6b1f-4a53-9c0e-2f4d1b7a9e05', tries: 0, last_answer: '' })
  server.answers('webhook/list', { data: [done] })
  server.answers('webhook/ping', { id: ping.id })
  const { user } = await renderOffice(<DeliveriesCard />)
  await screen.findByText('transfer.settled')
  server.answers('webhook/list', { data: [ping, done] })
  await user.click(button(t('webhook.ping')))
  await screen.findByText('ping')
  server.answers('webhook/list', { data: [{ ...ping, tries: 1, last_answer: '401' }, done] })
  await waitFor(() => expect(rows()[0]).toContain('401'), { timeout: 5000 })
})
