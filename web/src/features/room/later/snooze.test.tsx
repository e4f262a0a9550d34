import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server, wordsOf } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { SnoozedNotice, useSnooze } from './snooze.tsx'

afterEach(() => rooms.clear())

const ann = roomSummary({ room_id: 1, code: 'a', member_id: 21 })
const ben = roomSummary({ room_id: 2, code: 'b', member_id: 22 })

const Snooze = ({ room }: { room: typeof ann }) => {
  const { tools, dialog } = useSnooze(room)
  return (
    <>
      {tools.map(({ word, press }) => (
        <button key={word} type="button" onClick={press}>
          {word}
        </button>
      ))}
      {dialog}
    </>
  )
}
const opened = { path: '/chat/messaging/$room_id/$member_id/$room_code', address: '/chat/messaging/1/21/a' }
const open = async () => {
  server.answers('room/list', { data: [ann, ben], cursor: '1' })
  await rooms.loadList(1)
  const page = await renderOffice(<Snooze room={ann} />, opened)
  await page.user.click(screen.getByRole('button', { name: t('later.snooze') }))
  await screen.findByRole('dialog', { name: t('later.snooze_title') })
  return page
}

test('[DESK-07] Enter snoozes for an hour and opens the next conversation; Undo brings it back', async () => {
  server.answers('desk/snooze', null)
  const { user, router } = await open()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/chat/messaging/2/22/b'))
  const minutes = (Date.parse(server.asked('desk/snooze')[0]?.until ?? '') - Date.now()) / 60_000
  expect([minutes > 59, minutes < 76]).toEqual([true, true])
  await user.click(await screen.findByRole('button', { name: t('action.undo') }))
  await waitFor(() => expect(server.asked('desk/snooze').at(-1)).toMatchObject({ code: 'a', until: null }))
})

test('[DESK-07] another time is typed in the platform’s zone; a refusal is said and keeps the dialog', async () => {
  server.refuses('desk/snooze', 'later.wrong_time')
  const { user } = await open()
  await user.click(screen.getByRole('radio', { name: t('later.own') }))
  const field = screen.getByRole('textbox', { name: t('later.at') })
  await user.clear(field)
  await user.type(field, '2027-01-05 08:30{Enter}{Enter}')
  expect(await screen.findByText(wordsOf('later.wrong_time'))).toBeTruthy()
  expect(server.asked('desk/snooze')).toMatchObject([{ code: 'a', until: '2027-01-05T08:30:00.000Z' }])
})

test('[DESK-07] a snoozed conversation says until when, and one press ends it; a colleague’s cannot be snoozed', async () => {
  server.answers('desk/snooze', null)
  const theirs = roomSummary({ ...ann, owner_id: 99, snoozed_until: '2027-01-05T08:30:00.000Z' })
  const { user } = await renderOffice(
    <>
      <Snooze room={theirs} />
      <SnoozedNotice room={theirs} />
      <SnoozedNotice room={ben} />
    </>,
    opened,
  )
  expect(screen.queryByRole('button', { name: t('later.snooze') })).toBeNull()
  expect(screen.getAllByText(t('later.snoozed_until', { time: '01-05 08:30' }))).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: t('later.wake') }))
  await waitFor(() => expect(server.asked('desk/snooze')).toMatchObject([{ code: 'a', until: null }]))
})
