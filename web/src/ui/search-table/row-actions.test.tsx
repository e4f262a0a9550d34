import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { renderOffice } from '../../testing/render.tsx'
import type { Column, RowAction } from './column.ts'
import { SearchTable } from './table.tsx'

type Row = { id: number; name: string }
const columns: Column<Row>[] = [
  { key: 'id', title: 'Number', width: 80, cell: ({ id }) => id },
  { key: 'name', title: 'Name', width: 200, small: 'head', cell: ({ name }) => name },
]

test('[ACC-10] the buttons of a row are described by what the row is called', async () => {
  const one = (key: string): RowAction<Row> => ({ key, label: key, icon: 'more', onSelect: () => {} })
  await renderOffice(
    <SearchTable
      label="Things"
      rows={[1, 2].map((id) => ({ id, name: `Row ${id}` }))}
      rowKey="id"
      columns={columns}
      actions={['Edit', 'Move', 'Delete'].map(one)}
      error={null}
      onRetry={() => {}}
      whenEmpty={null}
    />,
  )
  const describedBy = (element: HTMLElement) =>
    document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent
  for (const name of ['Edit', t('table.more')])
    expect((await screen.findAllByRole('button', { name })).map(describedBy)).toEqual(['Row 1', 'Row 2'])
})
