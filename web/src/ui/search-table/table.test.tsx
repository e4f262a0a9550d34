import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { getStored, setStored } from '../../lib/storage.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import type { Column, RowAction, Totals } from './column.ts'
import { SearchTable } from './table.tsx'

type Row = { id: number; name: string }
const columns: Column<Row>[] = [
  { key: 'id', title: 'Number', width: 80, cell: ({ id }) => id, sort: ({ id }) => id },
  { key: 'name', title: 'Name', width: 200, small: 'head', cell: ({ name }) => name, sort: ({ name }) => name },
]
const rowsTo = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `Row ${at + 1}` }))

type Props = {
  rows?: readonly Row[]
  total?: number
  error?: Error
  onRetry?: () => void
  actions?: readonly RowAction<Row>[]
  matches?: (row: Row) => boolean
  dense?: boolean
}
const Page = ({ rows, total, error, onRetry = () => {}, actions = [], matches, dense = false }: Props) => (
  <SearchTable
    label="Things"
    rows={rows}
    total={total}
    rowKey="id"
    columns={columns}
    actions={actions}
    matches={matches}
    dense={dense}
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
    { key: 'move', label: 'Move', icon: 'edit', hidden: ({ id }) => id === 1, onSelect: () => {} },
    { key: 'delete', label: 'Delete', icon: 'trash', hidden: ({ id }) => id === 1, onSelect: () => {} },
  ]
  const { user } = await renderOffice(<Page rows={rowsTo(2)} actions={actions} />)
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Edit' })).toHaveLength(2))
  expect(screen.getAllByRole('button', { name: t('table.more') })).toHaveLength(1)
  await user.click(screen.getAllByRole('button', { name: 'Edit' })[1] as HTMLElement)
  expect(edited).toHaveBeenCalledWith({ id: 2, name: 'Row 2' })
})

const isBusy = () => document.querySelector('[aria-busy=true]') !== null

test('[ACC-02] the first rows are shown while the rest is loading, and count as what they are', async () => {
  await renderOffice(<Page rows={rowsTo(3)} total={90} />)
  await waitFor(() => expect(names()).toEqual(['Row 1', 'Row 2', 'Row 3']))
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('91')
  expect(screen.getByText(t('table.count', { n: 90, count: '90' }))).toBeTruthy()
  expect(screen.getByText(t('table.loading'))).toBeTruthy()
})

test('[ACC-01] [ACC-05] the first rows are neither sorted nor filtered: that needs them all', async () => {
  const sorting = await renderOffice(<Page rows={rowsTo(3)} total={90} />)
  await sorting.user.click(await screen.findByRole('button', { name: 'Number' }))
  await waitFor(() => expect(isBusy()).toBe(true))
  expect(names()).toEqual([])
  sorting.unmount()
  await renderOffice(<Page rows={rowsTo(3)} total={90} matches={() => false} />)
  expect(isBusy()).toBe(true)
  expect(screen.queryByText(t('table.empty'))).toBeNull()
  expect(screen.queryByText(t('table.count', { n: 0, count: '0' }))).toBeNull()
})

test('[ACC-02] a page beyond the first rows waits for them', async () => {
  setStored('page_size', '10')
  const { user } = await renderOffice(<Page rows={rowsTo(20)} total={25} />)
  await waitFor(() => expect(names()).toHaveLength(10))
  expect(screen.getByText(t('table.page_of', { page: 1, pages: 3 }))).toBeTruthy()
  await user.click(button(t('table.next')))
  await waitFor(() => expect(names()[0]).toBe('Row 11'))
  await user.click(button(t('table.next')))
  await waitFor(() => expect(isBusy()).toBe(true))
  expect(names()).toEqual([])
})

test('[WIRE-04] when the rest fails the first rows stay, and the table says that they are not all', async () => {
  const onRetry = vi.fn<() => void>()
  const { user } = await renderOffice(
    <Page rows={rowsTo(3)} total={90} error={new Error('No answer')} onRetry={onRetry} />,
  )
  await waitFor(() => expect(names()).toHaveLength(3))
  expect(within(screen.getByRole('alert')).getByText(t('table.rest_failed'))).toBeTruthy()
  expect(screen.queryByText(t('table.loading'))).toBeNull()
  await user.click(button(t('action.try_again')))
  expect(onRetry).toHaveBeenCalledOnce()
})

const deleted = vi.fn<(row: Row) => void>()
const edit: RowAction<Row> = { key: 'edit', label: 'Edit', icon: 'edit', letter: 'E', onSelect: () => {} }
const remove: RowAction<Row> = {
  key: 'delete',
  label: 'Delete',
  icon: 'trash',
  letter: 'X',
  hint: 'Ends it',
  onSelect: deleted,
}
const two = [edit, remove]
const three = [edit, remove, { ...edit, key: 'move', label: 'Move', letter: 'M' }]

test('[NOTE-01] [NOTE-03] two actions are both words, unless the table is dense or they are long', async () => {
  deleted.mockClear()
  const long = { ...remove, label: 'Remove it from the list for good and for all' }
  for (const [actions, dense, hasMenu] of [
    [two, false, false],
    [two, true, true],
    [[edit, long], false, true],
    [three, false, true],
  ] as const) {
    const view = await renderOffice(<Page rows={rowsTo(1)} actions={actions} dense={dense} />)
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('table.more') }) !== null).toBe(hasMenu)
    expect(screen.queryByRole('button', { name: 'Delete' }) !== null).toBe(!hasMenu)
    view.unmount()
  }
  const { user } = await renderOffice(<Page rows={rowsTo(1)} actions={two} />)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  screen.getByRole('button', { name: 'Edit' }).focus()
  await user.keyboard('x')
  expect(deleted.mock.calls).toEqual([[{ id: 1, name: 'Row 1' }], [{ id: 1, name: 'Row 1' }]])
})

const openMenu = async () => {
  deleted.mockClear()
  const { user } = await renderOffice(<Page rows={rowsTo(1)} actions={three} />)
  const more = await screen.findByRole('button', { name: t('table.more') })
  await user.click(more)
  return { user, more, item: screen.getByRole('menuitem', { name: 'Delete' }) }
}

test('[ACC-10] the first action is a word; the others are words in a menu, which has the focus', async () => {
  const { user, more, item } = await openMenu()
  expect(button('Edit').textContent).toBe('Edit')
  expect(more.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(item)
  expect(item.textContent).toContain('Ends it')
  await user.click(item)
  expect(deleted).toHaveBeenCalledWith({ id: 1, name: 'Row 1' })
  // A dialog that the action opens returns the focus to what has it now.
  expect(document.activeElement).toBe(more)
  expect(screen.queryByRole('menu')).toBeNull()
})

test.each(['{Escape}', '{Tab}'])('[ACC-10] %s closes the menu of a row and does nothing', async (key) => {
  const { user } = await openMenu()
  await user.keyboard(key)
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).not.toBe(document.body)
  expect(deleted).not.toHaveBeenCalled()
})

test('[ACC-10] a press elsewhere and a scroll close the menu of a row', async () => {
  const { user, more } = await openMenu()
  await user.click(document.body)
  expect(screen.queryByRole('menu')).toBeNull()
  await user.click(more)
  expect(screen.getByRole('menu')).toBeTruthy()
  fireEvent.scroll(document)
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
})

test('[ACC-10] the letter of an action works in the menu and on the buttons of the row, but not with Ctrl', async () => {
  const { user, more } = await openMenu()
  await user.keyboard('{Control>}x{/Control}')
  expect(deleted).not.toHaveBeenCalled()
  await user.keyboard('x')
  expect(deleted).toHaveBeenCalledOnce()
  expect(document.activeElement).toBe(more)
  await user.keyboard('x')
  expect(deleted).toHaveBeenCalledTimes(2)
})

const summed: Column<Row>[] = columns.map((column) =>
  column.key === 'id' ? { ...column, align: 'end', sum: ({ id }) => BigInt(id) * 10_000n } : column,
)
type SummedProps = { rows: readonly Row[]; all: Totals; matches?: (row: Row) => boolean }
const Summed = ({ rows, all, matches }: SummedProps) => (
  <SearchTable
    label="Things"
    rows={rows}
    rowKey="id"
    columns={[...summed].reverse()}
    matches={matches}
    totals={all}
    onRetry={() => {}}
  />
)
const totalsShown = () => document.querySelector('tfoot')?.textContent
const countOf = (n: number) => t('table.count', { n, count: n.toLocaleString('en') })

test('[ACC-02] the totals are the server’s, of all rows and not of the page', async () => {
  setStored('page_size', '10')
  await renderOffice(<Summed rows={rowsTo(12)} all={{ count: 90, sums: { id: 1_234_500n } }} />)
  await waitFor(() => expect(totalsShown()).toBe(`${t('table.total')} ${countOf(90)}123.45`))
})

test('[ACC-02] [ACC-05] with a filter the totals are those of the rows that it finds', async () => {
  const matches = ({ id }: Row) => id <= 2
  await renderOffice(<Summed rows={rowsTo(3)} all={{ count: 3, sums: { id: 60_000n } }} matches={matches} />)
  await waitFor(() => expect(totalsShown()).toBe(`${t('table.total')} ${countOf(2)}3.00`))
})

test('[LIM-01] thousands of rows are added up in pieces', async () => {
  const matches = ({ id }: Row) => id !== 1
  const all = { count: 5000, sums: { id: 125_025_000_000n } }
  await renderOffice(<Summed rows={rowsTo(5000)} all={all} matches={matches} />)
  await waitFor(() => expect(totalsShown()).toBe(`${t('table.total')} ${countOf(4999)}12,502,499.00`))
})

test('[LIM-01] a filter over rows that were not all sent has no totals: they would be too small', async () => {
  const matches = ({ id }: Row) => id <= 2
  await renderOffice(<Summed rows={rowsTo(3)} all={{ count: 90, sums: { id: 1n } }} matches={matches} />)
  await waitFor(() => expect(names()).toEqual(['Row 1', 'Row 2']))
  expect(totalsShown()).toBeUndefined()
})

test('[ACC-01] on the way back a list gives the focus to the row that was left', async () => {
  window.history.replaceState({ __TSR_key: 'list' }, '')
  const first = await renderOffice(<Page rows={rowsTo(3)} actions={two} />)
  await waitFor(() => expect(names()).toHaveLength(3))
  screen.getAllByRole('button', { name: 'Edit' })[1]?.focus()
  // The router removes the page, and then changes the address.
  first.unmount()
  window.history.replaceState({ __TSR_key: 'other' }, '')
  await new Promise((resolve) => setTimeout(resolve))
  const other = await renderOffice(<Page rows={rowsTo(3)} actions={two} />)
  await waitFor(() => expect(names()).toHaveLength(3))
  expect(document.activeElement).toBe(document.body)
  other.unmount()
  window.history.replaceState({ __TSR_key: 'list' }, '')
  await renderOffice(<Page rows={rowsTo(3)} actions={two} />)
  await waitFor(() => expect(document.activeElement?.closest('tr')?.textContent).toContain('Row 2'))
  window.history.replaceState(null, '')
})
