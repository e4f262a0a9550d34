import { expect, test } from 'vitest'
import { laterChoices } from './times.ts'

test('[DESK-07] “In 1 hour” is an hour from now, to the minute', () => {
  const times = laterChoices(Date.parse('2026-11-30T15:22:10Z')).filter(({ word }) => word === 'later.in_hours')
  expect(times.map(({ n, at }) => [n, new Date(at).toISOString()])).toEqual([
    [1, '2026-11-30T16:23:00.000Z'],
    [3, '2026-11-30T18:23:00.000Z'],
  ])
})
