import type { Answer } from '@tallyroom/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { firstWeek } from '@tallyroom/contract/desk/hours-form'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { renderOffice } from '../../testing/render.tsx'
import { HoursCard } from './hours-card.tsx'

const spansOf = (spans: readonly (readonly [number, number])[]): [number, number][] => spans.map(([a, b]) => [a, b])
const saved: Answer<'deskHours/view'> = {
  hours_on: false,
  time_zone: null,
  week: firstWeek.map(spansOf),
  days: [],
  greeting: {},
  away: {},
  default_language: 'en',
}
const button = (name: string, inside: HTMLElement = document.body) => within(inside).getByRole('button', { name })
const day = (name: string) => screen.getByRole('group', { name })
const save = () => button(t('action.save'))

const open = async (hours = saved) => {
  server.answers('deskHours/view', hours)
  server.answers('deskHours/save', null)
  const made = await renderOffice(<HoursCard />)
  return made
}

test('[DESK-05] hours off hide the week; several spans, the whole day and a holiday are saved', async () => {
  const { user } = await open()
  const isOn = await screen.findByRole('checkbox', { name: t('desk_hours.on') })
  expect(screen.queryByRole('group', { name: 'Monday' })).toBeNull()
  await user.click(isOn)
  await user.click(button(t('desk_hours.add_span'), day('Monday')))
  await user.click(button(t('desk_hours.copy'), day('Monday')))
  await user.click(button(t('right.all_day'), day('Saturday')))
  await user.click(button(t('desk_hours.add_day')))
  await user.type(screen.getByLabelText(t('desk_hours.label')), 'Holiday')
  await user.click(save())
  const weekday = [
    [540, 1080],
    [1140, 1260],
  ]
  await waitFor(() =>
    expect(server.asked('deskHours/save')).toMatchObject([
      {
        hours_on: true,
        time_zone: null,
        week: [[], weekday, weekday, weekday, weekday, weekday, [[0, 1440]]],
        days: [{ label: 'Holiday', spans: [] }],
      },
    ]),
  )
})

test('[DESK-05] what is wrong is said at its day, before it is sent', async () => {
  const { user } = await open({ ...saved, hours_on: true })
  await screen.findByRole('group', { name: 'Monday' })
  await user.click(button(t('desk_hours.add_span'), day('Monday')))
  const from = within(day('Monday')).getAllByLabelText(`Monday: ${t('right.from')}`)[1] as HTMLElement
  await user.clear(from)
  await user.type(from, '17:00')
  await user.click(button(t('desk_hours.add_day')))
  await user.click(button(t('desk_hours.add_day')))
  await user.click(save())
  expect(within(day('Monday')).getByRole('alert').textContent).toBe(t('desk_hours.overlap'))
  expect(within(day('Tuesday')).queryByRole('alert')).toBeNull()
  expect(screen.getByText(t('desk_hours.day_twice'))).toBeTruthy()
  expect(document.activeElement).toBe(within(day('Monday')).getAllByLabelText(`Monday: ${t('right.from')}`)[0])
  expect(server.asked('deskHours/save')).toEqual([])
})

test('[DESK-05] the page says what the hours mean now, and a removed span leaves the focus at its day', async () => {
  const { user } = await open({ ...saved, hours_on: true, week: Array(7).fill([[0, 1440]]) })
  expect(await screen.findByText(t('desk_hours.always'))).toBeTruthy()
  for (const name of ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])
    await user.click(button(t('desk_hours.remove', { what: `${name} 00:00–24:00` }), day(name)))
  expect(screen.getByText(t('desk_hours.never'))).toBeTruthy()
  expect(document.activeElement).toBe(button(t('desk_hours.add_span'), day('Saturday')))
})

test('[DESK-06] texts are typed by language; the page says which are missing, and that an empty one is not sent', async () => {
  const { user } = await open({ ...saved, hours_on: true, default_language: 'th', away: { th: 'เปิด {opens}' } })
  const tab = await screen.findByRole('tab', { name: 'English' })
  expect(screen.getByRole('tab', { selected: true }).textContent).toContain('ไทย')
  expect(screen.getByText(t('desk_hours.not_set'))).toBeTruthy()
  await user.click(tab)
  // Readers of English have the text of the default language until there is one.
  expect(screen.getByText(/^Members read: เปิด \d{4}-/)).toBeTruthy()
  expect(screen.getByText(/^Missing in: English, .*বাংলা$/)).toBeTruthy()
  await user.type(screen.getByLabelText(t('desk_hours.away')), 'Closed')
  await user.type(screen.getByLabelText(t('desk_hours.greeting')), ' ')
  expect(screen.getByText('Members read: Closed')).toBeTruthy()
  expect(screen.getByText(t('desk_hours.not_set'))).toBeTruthy()
  await user.selectOptions(screen.getByLabelText(t('desk_hours.default_language')), 'en')
  await user.click(save())
  await waitFor(() =>
    expect(server.asked('deskHours/save')).toMatchObject([
      { away: { en: 'Closed', th: 'เปิด {opens}' }, default_language: 'en' },
    ]),
  )
})

test('[DESK-06] the preview of a text names the opening after the next closing, also while the desk is open', async () => {
  const week = Array.from({ length: 7 }, (): [number, number][] => [[0, 1439]])
  await open({ ...saved, hours_on: true, time_zone: 'UTC', week, away: { en: 'We open {opens}.' } })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  expect(await screen.findByText(t('desk_hours.preview', { text: `We open ${tomorrow} 00:00.` }))).toBeTruthy()
})
