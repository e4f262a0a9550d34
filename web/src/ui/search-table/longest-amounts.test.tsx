import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderOffice } from '../../testing/render.tsx'
import type { Column, Totals } from './column.ts'
import { SearchTable } from './table.tsx'

type Row = { id: number; name: string }

test('[HIST-03] an amount is never cut: its column is as wide as the longest in view, or its total', async () => {
  const amounts: Column<Row>[] = [
    { key: 'name', title: 'Name', width: 100, cell: ({ name }) => name },
    { key: 'amount', title: 'In', width: 40, align: 'end', cell: ({ id }) => id, amount: ({ id }) => BigInt(id) },
  ]
  const width = () => Number.parseInt(document.querySelectorAll('col')[1]?.style.width ?? '0', 10)
  const table = (id: number, totals?: Totals) => (
    <SearchTable
      label="Things"
      rows={[{ id, name: 'Row 1' }]}
      rowKey="name"
      columns={amounts}
      totals={totals}
      error={null}
      onRetry={() => {}}
    />
  )
  const { rerender } = await renderOffice(table(10_000))
  await waitFor(() => expect(screen.getByText('Row 1')).toBeTruthy())
  const narrow = width()
  rerender(table(12_345_678_901_234))
  await waitFor(() => expect(width()).toBeGreaterThan(narrow))
  const wide = width()
  rerender(table(10_000, { count: 1, sums: { amount: 10n ** 20n } }))
  await waitFor(() => expect(width()).toBeGreaterThan(wide))
})
