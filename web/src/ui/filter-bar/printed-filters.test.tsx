import { beforeEach, expect, test, vi } from 'vitest'
import { renderOffice } from '../../testing/render.tsx'
import type { FilterField } from './fields.ts'
import { PrintedFilters } from './printed-filters.tsx'

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') }))

test.each<[string, Partial<FilterField>, string, string | undefined]>([
  [
    'without a choice, the last 24 hours',
    { fallback: 'day', minutes: true },
    '',
    '2026-11-21 10:31 – 2026-11-22 10:31',
  ],
  [
    'without a choice, seven times 24 hours',
    { fallback: 'week', minutes: true },
    '',
    '2026-11-15 10:31 – 2026-11-22 10:31',
  ],
  ['seven days', { fallback: 'day', minutes: true }, 'week', '2026-11-16 00:00 – 2026-11-23 00:00'],
  ['without a choice, today', { fallback: 'today' }, '', '2026-11-22'],
  ['without a choice, any time', {}, '', undefined],
  ['what no list can read', {}, 'soon', undefined],
])('[HIST-01] on paper a list says which days it has: %s', async (_, period, value, said) => {
  const field = { kind: 'period', key: 'time', label: 'Period', ...period } as FilterField
  await renderOffice(<PrintedFilters fields={[field]} values={{ time: value }} />)
  window.dispatchEvent(new Event('beforeprint'))
  expect(document.querySelector('.filters-printed')?.textContent).toBe(said)
})
