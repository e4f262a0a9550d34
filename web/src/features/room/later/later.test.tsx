import { act, screen, waitFor, within } from '@testing-library/react'
import type { RoomSummary } from '@tallyroom/contract/events'
import { afterEach, expect, test } from 'vitest'
import { drafts, rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { server, wordsOf } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { LaterList } from './later-list.tsx'
import { useLater } from './later-tools.tsx'
import type { TimedAct } from './timed-act.ts'

afterEach(() => {
  rooms.clear()
  act(() => drafts.keep('a', ''))
})

const ann = roomSummary({ room_id: 1, code: 'a', member_id: 21, name: 'Ann' })
const timed = (fields: Partial<TimedAct> = {}): TimedAct => ({
  id: '7b0f6f0e-0000-4000-8000-000000000001',
  kind: 'send',
  at: '2027-01-05T08:30:00.000Z',
  content: 'good morning',
  anyway: 0,
  quote: null,
  account_id: 7,
  name: 'Mika',
  state: 'waits',
  reason: null,
  ...fields,
})

const Later = ({ room }: { room: RoomSummary }) => {
  const { tools, dialog } = useLater(room)
  return (
    <>
      {tools.map(({ word, press }) => (
        <button key={word} type="button" onClick={press}>
          {word}
        </button>
      ))}
      {dialog}
      <LaterList room={room} />
    </>
  )
}
const open = (data: TimedAct[] = [], room = ann) => {
  setStored('user_id', '7')
  server.answers('message/scheduled', { data })
  return renderOffice(<Later room={room} />, { path: '/chat/messaging' })
}

test('[DESK-07] the text of the box is sent later with one Enter, and leaves the box', async () => {
  server.answers('message/schedule', null)
  server.answers('draft/save', { version: 1, kept: true })
  const { user } = await open()
  act(() => drafts.keep('a', 'good night'))
  await user.click(screen.getByRole('button', { name: t('later.send_later') }))
  const dialog = await screen.findByRole('dialog', { name: t('later.send_later') })
  expect(within(dialog).getByRole('textbox', { name: t('later.text') })).toHaveProperty('value', 'good night')
  await user.click(within(dialog).getByRole('checkbox', { name: t('later.anyway', { name: 'Ann' }) }))
  within(dialog)
    .getByRole('radio', { name: new RegExp(t('later.tomorrow')) })
    .focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(drafts.of('a')).toBe(''))
  expect(server.asked('message/schedule')).toMatchObject([{ code: 'a', content: 'good night', anyway: true }])
})

test('[DESK-07] what is to come is above the box: edited, removed, and why it was not sent', async () => {
  server.answers('message/schedule', null)
  server.answers('message/unschedule', null)
  const reminder = timed({ id: '7b0f6f0e-0000-4000-8000-000000000002', kind: 'remind', state: 'due', content: 'call' })
  const theirs = timed({
    id: '7b0f6f0e-0000-4000-8000-000000000003',
    account_id: 8,
    state: 'refused',
    reason: 'wrote',
    content: 'theirs',
  })
  const { user } = await open([timed(), reminder, theirs])
  const [own, call, refused] = await screen.findAllByRole('listitem')
  expect(own?.textContent).toContain(t('later.sends_at', { time: '01-05 08:30', name: 'Mika' }))
  expect(call?.textContent).toContain(t('later.reminder'))
  expect(refused?.textContent).toContain(t('later.unsent_wrote'))
  expect(screen.getAllByRole('button', { name: t('action.edit') })).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: t('action.edit') }))
  const text = await screen.findByRole('textbox', { name: t('later.text') })
  await user.type(text, ' Ann')
  await user.click(screen.getByRole('button', { name: t('later.schedule') }))
  await waitFor(() =>
    expect(server.asked('message/schedule')).toMatchObject([
      { content: 'good morning Ann', at: timed().at, replaces: timed().id },
    ]),
  )
  await user.click(screen.getByRole('button', { name: t('desk.done') }))
  await waitFor(() => expect(server.asked('message/unschedule')).toMatchObject([{ code: 'a', id: reminder.id }]))
})

test('[DESK-07] a reminder needs no right to write; in a colleague’s conversation nothing is sent later', async () => {
  server.refuses('desk/remind', 'later.wrong_time')
  const { user } = await open([], roomSummary({ ...ann, owner_id: 99 }))
  expect(screen.queryByRole('button', { name: t('later.send_later') })).toBeNull()
  await user.click(screen.getByRole('button', { name: t('later.remind') }))
  await user.type(await screen.findByRole('textbox', { name: t('later.note') }), 'ask again{Enter}')
  expect(await screen.findByText(wordsOf('later.wrong_time'))).toBeTruthy()
  expect(server.asked('desk/remind')).toMatchObject([{ code: 'a', note: 'ask again' }])
})
