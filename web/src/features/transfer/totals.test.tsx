import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { renderOffice } from '../../testing/render.tsx'
import { Totals } from './totals.tsx'

const filter = { start_time: '2026-11-21 00:00:00', end_time: '2026-11-22 00:00:00' }
const totalsOf = async (found: number) => {
  server.answers('transaction/totals', { totals: { found, given: '30.0000', taken: '1.0000' } })
  const view = await renderOffice(<Totals filter={filter} isLoaded shown={1} />)
  const text = (await screen.findByText('+30.00')).closest('dl')?.textContent
  view.unmount()
  return text
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
})

test('[FIND-01] on a phone the totals are one short line, with the number found only if not all rows are loaded', async () => {
  const line = `${t('history.in')}+30.00${t('history.out')}−1.00`
  expect(await totalsOf(1)).toBe(line)
  expect(await totalsOf(1001)).toBe(`${t('history.found')}1,001${line}`)
})
