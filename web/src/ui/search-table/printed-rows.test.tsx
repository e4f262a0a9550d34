import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderOffice } from '../../testing/render.tsx'
import { SearchTable } from './table.tsx'

const rows = Array.from({ length: 500 }, (_, at) => ({ id: at, name: `Row ${at}` }))
const columns = [{ key: 'name', title: 'Name', width: 200, cell: ({ name }: { name: string }) => name }]

test('[HIST-01] all rows are there before the browser counts the pages of a print, and few after it', async () => {
  await renderOffice(
    <SearchTable label="Things" rows={rows} rowKey="id" columns={columns} error={null} onRetry={() => {}} />,
  )
  await screen.findByText('Row 0')
  const shown = () => screen.getAllByText(/^Row \d+$/).length
  expect(shown()).toBeLessThan(100)
  window.dispatchEvent(new Event('beforeprint'))
  expect(shown()).toBe(500)
  window.dispatchEvent(new Event('afterprint'))
  await expect.poll(shown).toBeLessThan(100)
})
