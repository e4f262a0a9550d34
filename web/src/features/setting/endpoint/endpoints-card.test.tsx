import type { Answer } from '@tallyroom/contract'
import { chosenKinds } from '@tallyroom/contract/api/event-kinds'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { button, fill, renderOffice } from '../../../testing/render.tsx'
import type { EndpointRow } from './endpoint-row.ts'
import { EndpointsCard } from './endpoints-card.tsx'

type Delivery = Answer<'endpoint/deliveries'>['data'][number]
const [OLD, NEW] = ['a', 'b'].map((digit) => `whe_${digit.repeat(24)}`) as [string, string]
const endpoint = (id: string, more: Partial<EndpointRow> = {}): EndpointRow => ({
  id,
  url: 'https://platform.example/hook',
  kinds: ['member.added'],
  form: 'standard',
  ordered: false,
  with_text: false,
  state: 'on',
  why_off: null,
  failing_since: null,
  old_until: null,
  created_at: '2026-11-01T10:00:00Z',
  waiting: 0,
  given_up: 0,
  ...more,
})
const delivery = (seq: number, kind: string, more: Partial<Delivery> = {}): Delivery => ({
  event: `8e9c1c4e-6b1f-4a53-9c0e-2f4d1b7a9e0${seq}`,
  seq,
  kind,
  at: '2026-11-01T10:00:00Z',
  tries: 1,
  tried_at: '2026-11-01T10:00:01Z',
  delivered_at: null,
  due_at: null,
  answer: '500',
  answer_body: 'no such table',
  ms: 12,
  data: '{"username": "ann88"}',
  ...more,
})
const named = (label: string, url = 'https://platform.example/hook') => button(`${label}: ${url}`)
const show = async (...rows: EndpointRow[]) => {
  server.answers('endpoint/list', { data: rows })
  const { user } = await renderOffice(<EndpointsCard />)
  await screen.findByText(rows[0]?.url ?? t('table.empty'))
  return user
}

test('[API-08] an endpoint is added with its events, and its secret is shown once', async () => {
  server.answers('endpoint/add', { id: NEW, secret: 'whsec_x' })
  const user = await show()
  await user.click(button(t('endpoint.add')))
  const dialog = await screen.findByRole('dialog')
  await fill(user, t('setting.api_url'), ' https://new.example/in ')
  for (const kind of chosenKinds.slice(1)) await user.click(within(dialog).getByRole('checkbox', { name: kind }))
  await user.click(within(dialog).getByRole('button', { name: t('endpoint.add') }))
  await screen.findByText('whsec_x')
  expect(server.asked('endpoint/add')).toEqual([
    { url: 'https://new.example/in', kinds: [chosenKinds[0]], ordered: false, with_text: false },
  ])
})

test('[API-08] the list says why an endpoint is off; the one of the API URL has neither an address nor a secret here', async () => {
  server.answers('endpoint/set', {})
  const key = endpoint(OLD, { url: 'https://old.example/', form: 'key' })
  const user = await show(endpoint(NEW, { state: 'off', why_off: 'gone', waiting: 3, given_up: 2 }), key)
  await screen.findByText(t('endpoint.gone'))
  expect(screen.getByText(t('endpoint.counts', { waiting: 3, given_up: 2 }))).toBeTruthy()
  expect(screen.queryByRole('button', { name: `${t('api_key.rotate')}: ${key.url}` })).toBeNull()
  await user.click(named(t('endpoint.turn_on')))
  await waitFor(() => expect(server.asked('endpoint/set')).toMatchObject([{ id: NEW, state: 'on' }]))
  await user.click(named(t('api_key.change'), key.url))
  await screen.findByRole('dialog')
  expect(screen.queryByRole('textbox', { name: t('setting.api_url') })).toBeNull()
  await user.click(screen.getByRole('checkbox', { name: t('endpoint.ordered') }))
  await user.click(button(t('action.save')))
  await waitFor(() => expect(server.asked('endpoint/set').at(-1)).toMatchObject({ id: OLD, ordered: true }))
  expect(server.asked('endpoint/set').at(-1)).not.toHaveProperty('url')
})

test('[API-08] a secret is replaced with the password, and an endpoint is removed after a question', async () => {
  server.once.refuses('endpoint/rotate', 'session.needs_password')
  server.answers('endpoint/remove', null)
  const user = await show(endpoint(NEW))
  await user.click(named(t('api_key.rotate')))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: t('api_key.rotate') }))
  await fill(user, t('payment.login_password'), 'secret1')
  server.answers('endpoint/rotate', { id: NEW, secret: 'whsec_y' })
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: t('api_key.rotate') }))
  await screen.findByText('whsec_y')
  expect(server.asked('endpoint/rotate').at(-1)).toEqual({ id: NEW, current_password: 'secret1' })
  await user.click(named(t('endpoint.remove')))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: t('endpoint.remove') }))
  await waitFor(() => expect(server.asked('endpoint/remove')).toMatchObject([{ id: NEW }]))
})

test('[API-08] deliveries show the answer; one is sent again, or all since a time, and a test says its answer', async () => {
  const waiting = delivery(3, 'request.paid', { due_at: '2026-11-01T14:00:00Z', answer: 'no_url', ms: null })
  const done = delivery(1, 'transfer.settled', { delivered_at: '2026-11-01T10:00:01Z', answer: '204', answer_body: '' })
  server.answers('endpoint/deliveries', { data: [waiting, delivery(2, 'member.added'), done] })
  server.answers('endpoint/resend', { count: 1 })
  server.answers('endpoint/ping', { status: '401', ms: 9 })
  const user = await show(endpoint(NEW))
  await user.click(named(t('endpoint.open')))
  await screen.findByText('3 request.paid')
  const dialog = within(screen.getByRole('dialog'))
  const rows = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(rows[0]).toContain(t('webhook.no_url'))
  expect(rows[1]).toContain('no such table')
  expect(rows.map((text) => text?.includes(t('webhook.next', { at: '' }).trim()))).toEqual([true, false, false])
  await user.click(button(t('webhook.resend_named', { name: '2 member.added' })))
  expect(await screen.findByText(t('webhook.resent', { n: 1 }))).toBeTruthy()
  expect(server.asked('endpoint/resend')).toMatchObject([{ id: NEW, event: delivery(2, '').event }])
  await fill(user, t('endpoint.since'), '2026-11-01 09:30')
  await user.click(button(t('webhook.resend_all')))
  await waitFor(() =>
    expect(server.asked('endpoint/resend').at(-1)).toMatchObject({ from: '2026-11-01T09:30:00.000Z' }),
  )
  await user.click(button(t('webhook.ping')))
  await screen.findByText(t('endpoint.pinged', { answer: '401', ms: 9 }))
  await user.click(dialog.getByRole('checkbox', { name: t('webhook.undelivered') }))
  await waitFor(() => expect(server.asked('endpoint/deliveries').at(-1)).toMatchObject({ undelivered: true }))
})
