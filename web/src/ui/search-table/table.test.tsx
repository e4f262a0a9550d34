import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { getStored, setStored } from '../../lib/storage.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import type { Column, RowAction } from './column.ts'
import { SearchTable } from './table.tsx'

type Row = { id: number; name: string }
const columns: Column<Row>[] = [
  { key: 'id', title: 'Number', width: 80, cell: ({ id }) => id, sort: ({ id }) => id },
  { key: 'name', title: 'Name', width: 200, small: 'head', cell: ({ name }) => name, sort: ({ name }) => name },
]
const rowKey = ({ id }: Row) => id
const rowsTo = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `Row ${at + 1}` }))

type Props = {
  rows?: readonly Row[]
  error?: Error
  onRetry?: () => void
  actions?: readonly RowAction<Row>[]
  matches?: (row: Row) => boolean
}
const Page = ({ rows, error, onRetry = () => {}, actions = [], matches }: Props) => (
  <SearchTable
    label="Things"
    rows={rows}
    rowKey={rowKey}
    columns={columns}
    actions={actions}
    matches={matches}
    error={error ?? null}
    onRetry={onRetry}
    whenEmpty={<p>Add one</p>}
  />
)
const names = () => screen.queryAllByText(/^Row \d+$/).map(({ textContent }) => textContent)

test('[ACC-02] while rows are on their way the table is busy and counts nothing', async () => {
  await renderOffice(<Page />)
  expect(document.querySelector('[aria-busy=true]')).toBeTruthy()
  expect(screen.queryByText(t('table.empty'))).toBeNull()
  expect(screen.queryByText(t('table.count', { n: 0, count: '0' }))).toBeNull()
})

test('[ACC-02] an empty table says so, with the next step', async () => {
  await renderOffice(<Page rows={[]} />)
  expect(await screen.findByText(t('table.empty'))).toBeTruthy()
  expect(screen.getByText('Add one')).toBeTruthy()
})

test('[WIRE-04] a table that failed says why and offers to try again', async () => {
  const onRetry = vi.fn<() => void>()
  const { user } = await renderOffice(<Page error={new Error('The server is busy')} onRetry={onRetry} />)
  expect(within(await screen.findByRole('alert')).getByText('The server is busy')).toBeTruthy()
  await user.click(button(t('action.try_again')))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('[WIRE-04] rows that were loaded stay when loading them again fails', async () => {
  await renderOffice(<Page rows={rowsTo(2)} error={new Error('The server is busy')} />)
  await waitFor(() => expect(names()).toEqual(['Row 1', 'Row 2']))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('[ACC-02] pages have 10, 25, 50 or all rows, and the choice is stored', async () => {
  const { user } = await renderOffice(<Page rows={rowsTo(12)} />)
  const sizes = await screen.findByLabelText(t('table.rows_per_page'))
  expect(
    within(sizes)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['10', '25', '50', t('table.all')])
  await user.selectOptions(sizes, '10')
  await waitFor(() => expect(names()).toHaveLength(10))
  expect(getStored('page_size')).toBe('10')
  await user.click(button(t('table.next')))
  await waitFor(() => expect(names()).toEqual(['Row 11', 'Row 12']))
  expect(button(t('table.next'))).toHaveProperty('disabled', true)
  expect(screen.getByText(t('table.count', { n: 12, count: '12' }))).toBeTruthy()
})

test('[ACC-02] a page begins with the stored number of rows', async () => {
  setStored('page_size', '10')
  await renderOffice(<Page rows={rowsTo(12)} />)
  await waitFor(() => expect(names()).toHaveLength(10))
})

test('[ACC-01] a press on a title sorts, another one the other way', async () => {
  const { user } = await renderOffice(<Page rows={rowsTo(3)} />)
  await waitFor(() => expect(names()).toHaveLength(3))
  await user.click(button('Number'))
  await user.click(button('Number'))
  await waitFor(() => expect(names()).toEqual(['Row 3', 'Row 2', 'Row 1']))
  expect(screen.getByRole('columnheader', { name: 'Number' }).getAttribute('aria-sort')).toBe('descending')
})

test('[ACC-05] rows that do not match go as one types, and come back', async () => {
  const Filtered = () => {
    const [typed, setTyped] = useState('')
    const matches = ({ name }: Row) => name.includes(typed)
    return (
      <>
        <input aria-label="Filter" value={typed} onChange={(event) => setTyped(event.target.value)} />
        <Page rows={rowsTo(3)} matches={matches} />
      </>
    )
  }
  const { user } = await renderOffice(<Filtered />)
  await user.type(await screen.findByLabelText('Filter'), '2')
  await waitFor(() => expect(names()).toEqual(['Row 2']))
  await user.clear(screen.getByLabelText('Filter'))
  await waitFor(() => expect(names()).toHaveLength(3))
})

test('[ACC-10] actions are buttons of the row, without those that it hides', async () => {
  const edited = vi.fn<(row: Row) => void>()
  const actions: RowAction<Row>[] = [
    { key: 'edit', label: 'Edit', icon: 'edit', onSelect: edited },
    { key: 'delete', label: 'Delete', icon: 'trash', hidden: ({ id }) => id === 1, onSelect: () => {} },
  ]
  const { user } = await renderOffice(<Page rows={rowsTo(2)} actions={actions} />)
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Edit' })).toHaveLength(2))
  expect(screen.getAllByRole('button', { name: 'Delete' })).toHaveLength(1)
  await user.click(screen.getAllByRole('button', { name: 'Edit' })[1] as HTMLElement)
  expect(edited).toHaveBeenCalledWith({ id: 2, name: 'Row 2' })
})
