import { screen, waitFor } from '@testing-library/react'
import { defaultRules } from '@tallyroom/contract/desk/rules'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { renderOffice } from '../../testing/render.tsx'
import { DeskPage } from './desk-page.tsx'

/** The other one is that of the opening hours. */
const save = () => screen.getAllByRole('button', { name: t('action.save') })[0] as HTMLElement
const field = (name: 'capacity' | 'answer_s') => screen.getByLabelText(t(`desk_rule.${name}`))

test('[DESK-10] the page says what each number does, refuses a wrong one before it is sent, and saves', async () => {
  server.answers('deskSetting/view', defaultRules)
  server.answers('deskSetting/save', null)
  server.answers('deskHours/view', {
    hours_on: false,
    time_zone: null,
    week: Array(7).fill([]),
    days: [],
    greeting: {},
    away: {},
    default_language: 'en',
  })
  const { user } = await renderOffice(<DeskPage />)
  await user.click(await screen.findByRole('radio', { name: new RegExp(t('desk_rule.assign_least')) }))
  for (const hint of ['capacity', 'sticky_hours', 'answer_s', 'gone_s'] as const)
    expect(screen.getByText(t(`desk_rule.${hint}_hint`))).toBeTruthy()
  await user.clear(field('capacity'))
  await user.type(field('capacity'), '51')
  await user.clear(field('answer_s'))
  await user.click(save())
  expect(screen.getByText(t('desk_rule.range', { least: 1, most: 50 }))).toBeTruthy()
  expect(screen.getByText(t('desk_rule.range', { least: 30, most: 3600 }))).toBeTruthy()
  expect(server.asked('deskSetting/save')).toEqual([])
  await user.clear(field('capacity'))
  await user.type(field('capacity'), '5')
  await user.type(field('answer_s'), '0')
  await user.click(save())
  await waitFor(() =>
    expect(server.asked('deskSetting/save')).toMatchObject([
      { ...defaultRules, assign: 'least', capacity: 5, answer_s: 0 },
    ]),
  )
})
